// Command cluster is the control plane of the test bed: a real etcd, a real kube-apiserver and a real
// kube-controller-manager compiled from their own Go packages, each started as a separate process
// (`cluster etcd …`, `cluster apiserver …`, `cluster controller-manager …`), so that a test can kill
// only the API server and start it again on the same data.
//
// `apiserver` and `controller-manager` take exactly the flags of the upstream binaries; `etcd` takes the
// handful of upstream flags the test bed needs, so that real binaries and this one are interchangeable.
//
// With LOOPSCOPE_TESTBED_PARENT set to a process id every subcommand ends when that process does: a test runner
// killed with SIGKILL leaves nothing behind.
package main

import (
	"fmt"
	"os"

	"github.com/spf13/cobra"
	"k8s.io/component-base/cli"
	_ "k8s.io/component-base/logs/json/register" // --logging-format=json
	_ "k8s.io/component-base/metrics/prometheus/clientgo"
	_ "k8s.io/component-base/metrics/prometheus/version"
	apiserver "k8s.io/kubernetes/cmd/kube-apiserver/app"
	controllermanager "k8s.io/kubernetes/cmd/kube-controller-manager/app"
)

const usage = "usage: cluster (etcd | apiserver | controller-manager) [flags of the upstream binary]"

func main() {
	if len(os.Args) < 2 {
		fmt.Fprintln(os.Stderr, usage)
		os.Exit(2)
	}
	name, args := os.Args[1], os.Args[2:]
	followParent(os.Getenv("LOOPSCOPE_TESTBED_PARENT"))
	switch name {
	case "etcd":
		if err := runEtcd(args); err != nil {
			fmt.Fprintln(os.Stderr, "etcd:", err)
			os.Exit(1)
		}
	case "apiserver":
		os.Args[0] = "kube-apiserver" // user agents, and with them field managers, come from here
		os.Exit(runCommand(apiserver.NewAPIServerCommand(), args))
	case "controller-manager":
		os.Args[0] = "kube-controller-manager"
		os.Exit(runCommand(controllermanager.NewControllerManagerCommand(), args))
	default:
		fmt.Fprintf(os.Stderr, "unknown command %q\n%s\n", name, usage)
		os.Exit(2)
	}
}

func runCommand(command *cobra.Command, args []string) int {
	command.SetArgs(args)
	return cli.Run(command)
}
