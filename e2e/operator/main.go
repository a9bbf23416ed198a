// Command database-operator is the operator under debug in the test bed: an ordinary controller-runtime operator
// for Database objects whose faults are chosen by flags. It runs as a local process with the token of its own
// ServiceAccount (--kubeconfig), logs to standard output and serves metrics on a loopback port.
package main

import (
	"flag"
	"fmt"
	"os"
	"regexp"
	"strings"
	"time"

	"k8s.io/apimachinery/pkg/runtime"
	utilruntime "k8s.io/apimachinery/pkg/util/runtime"
	clientgoscheme "k8s.io/client-go/kubernetes/scheme"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/cache"
	"sigs.k8s.io/controller-runtime/pkg/client"
	ctrlcontroller "sigs.k8s.io/controller-runtime/pkg/controller"
	"sigs.k8s.io/controller-runtime/pkg/healthz"
	metricsserver "sigs.k8s.io/controller-runtime/pkg/metrics/server"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"

	v1 "loopscope.dev/e2e/operator/api/v1"
	"loopscope.dev/e2e/operator/internal/controller"
	"loopscope.dev/probe"
)

type settings struct {
	logging logSettings
	faults  controller.Faults

	metricsAddress, probeAddress         string
	leaderElect                          bool
	leaderElectionNamespace              string
	watchNamespaces, failNames           string
	maxConcurrent                        int
	priorityQueue, generationChanged     bool
	limiterBase, limiterMax, resyncAfter time.Duration
	limiterFactor                        float64
	createBackups, exitWithParent        bool
	backupController, tierController     bool
	tierOwner                            string
	terminalNames, panicNames            string
	requeueNames                         string
	reconcileTimeout, leaseDuration      time.Duration
	probe                                bool
}

func parseFlags() settings {
	var s settings
	flag.StringVar(&s.metricsAddress, "metrics-bind-address", "127.0.0.1:8080", "address of the metrics; 0 switches them off")
	flag.StringVar(&s.probeAddress, "health-probe-bind-address", "0", "address of /healthz and /readyz; 0 switches them off")
	flag.BoolVar(&s.leaderElect, "leader-elect", false, "take a Lease before reconciling")
	flag.StringVar(&s.leaderElectionNamespace, "leader-election-namespace", "dbops-system", "namespace of the Lease")
	flag.StringVar(&s.watchNamespaces, "watch-namespaces", "", "comma separated; all namespaces when empty")
	flag.IntVar(&s.maxConcurrent, "max-concurrent", 1, "MaxConcurrentReconciles")
	flag.BoolVar(&s.priorityQueue, "use-priority-queue", true, "controller-runtime's priority queue; false takes client-go's")
	flag.BoolVar(&s.generationChanged, "generation-changed", true, "GenerationChangedPredicate on Database")
	flag.DurationVar(&s.limiterBase, "limiter-base", 0, "first delay of an own exponential limiter; 0 takes the default limiter")
	flag.Float64Var(&s.limiterFactor, "limiter-factor", 2, "growth of the own limiter")
	flag.DurationVar(&s.limiterMax, "limiter-max", 1000*time.Second, "largest delay of the own limiter")
	flag.DurationVar(&s.resyncAfter, "resync-after", 0, "RequeueAfter of a successful reconcile")
	flag.BoolVar(&s.createBackups, "create-backups", false, "also create a Backup, a kind of another operator, for every Database")
	flag.BoolVar(&s.faults.FailAll, "fail-all", false, "fail every reconcile")
	flag.StringVar(&s.failNames, "fail-names", "", "fail the reconciles of object names that match this regular expression")
	flag.StringVar(&s.terminalNames, "terminal-names", "", "fail the reconciles of matching object names with an error that is not retried")
	flag.StringVar(&s.panicNames, "panic-names", "", "panic in the reconciles of matching object names")
	flag.StringVar(&s.requeueNames, "requeue-names", "", "requeue matching object names as long as they are not Ready")
	flag.BoolVar(&s.faults.DefaultingDiff, "defaulting-diff", false, "write the Service on every reconcile, without the fields that the API server fills in")
	flag.BoolVar(&s.faults.StaleWrite, "stale-write", false, "write the Database twice in a pass, the second time from what the cache held before")
	flag.DurationVar(&s.reconcileTimeout, "reconcile-timeout", 0, "ReconciliationTimeout; 0 has none")
	flag.DurationVar(&s.leaseDuration, "lease-duration", 15*time.Second, "of the Lease; it is renewed for two thirds of it and tried every seventh")
	flag.BoolVar(&s.backupController, "backup-controller", false, "a second controller, on Backup; with --create-backups")
	flag.BoolVar(&s.tierController, "tier-controller", false, "a second controller on Database, which keeps a label")
	flag.StringVar(&s.tierOwner, "tier-owner", "", "field manager of that controller; the process's own when empty")
	flag.BoolVar(&s.probe, "probe", false, "log starts, reads, writes and ends by the probe")
	flag.StringVar(&s.faults.HealFile, "heal-file", "", "stop failing while a file of this path exists")
	flag.DurationVar(&s.faults.Delay, "reconcile-delay", 0, "sleep this long in every reconcile")
	flag.BoolVar(&s.faults.HotLoop, "hot-loop", false, "write a timestamp into the status on every reconcile")
	flag.BoolVar(&s.exitWithParent, "exit-with-parent", false, "end when the process that started this one does")
	flag.StringVar(&s.logging.format, "log-format", "json", "json, console, klog, slog-json, slog-text or logr")
	flag.StringVar(&s.logging.times, "log-time", "rfc3339", "times of json and console: rfc3339, rfc3339nano, iso8601, epoch, millis or nanos")
	flag.IntVar(&s.logging.verbosity, "log-v", 0, "verbosity; 5 shows every reconcile")
	flag.Parse()
	return s
}

func main() {
	if err := run(parseFlags()); err != nil {
		fmt.Fprintln(os.Stderr, "database-operator:", err)
		os.Exit(1)
	}
}

func run(s settings) error {
	logger, err := newLogger(s.logging)
	if err != nil {
		return err
	}
	ctrl.SetLogger(logger)
	for _, names := range []struct {
		flag, text string
		into       **regexp.Regexp
	}{
		{"--fail-names", s.failNames, &s.faults.FailNames},
		{"--terminal-names", s.terminalNames, &s.faults.TerminalNames},
		{"--panic-names", s.panicNames, &s.faults.PanicNames},
		{"--requeue-names", s.requeueNames, &s.faults.RequeueNames},
	} {
		if names.text == "" {
			continue
		}
		if *names.into, err = regexp.Compile(names.text); err != nil {
			return fmt.Errorf("%s: %w", names.flag, err)
		}
	}

	scheme := runtime.NewScheme()
	utilruntime.Must(clientgoscheme.AddToScheme(scheme))
	utilruntime.Must(v1.AddToScheme(scheme))

	config, err := ctrl.GetConfig()
	if err != nil {
		return err
	}
	renewDeadline, retryPeriod := s.leaseDuration*2/3, s.leaseDuration*2/15
	manager, err := ctrl.NewManager(config, ctrl.Options{
		Scheme:                        scheme,
		Metrics:                       metricsserver.Options{BindAddress: s.metricsAddress},
		HealthProbeBindAddress:        s.probeAddress,
		LeaderElection:                s.leaderElect,
		LeaderElectionID:              "database-operator.db.example.com",
		LeaderElectionNamespace:       s.leaderElectionNamespace,
		LeaderElectionReleaseOnCancel: true,
		LeaseDuration:                 &s.leaseDuration,
		RenewDeadline:                 &renewDeadline,
		RetryPeriod:                   &retryPeriod,
		Cache:                         cacheOptions(s.watchNamespaces),
	})
	if err != nil {
		return err
	}

	if err := addControllers(manager, s); err != nil {
		return err
	}
	if err := manager.AddHealthzCheck("healthz", healthz.Ping); err != nil {
		return err
	}
	if err := manager.AddReadyzCheck("readyz", healthz.Ping); err != nil {
		return err
	}
	ctx := ctrl.SetupSignalHandler()
	if s.exitWithParent {
		go followParent(os.Getppid())
	}
	return manager.Start(ctx)
}

func addControllers(manager ctrl.Manager, s settings) error {
	kube := manager.GetClient()
	wrap := controller.Wrap(func(r reconcile.Reconciler) reconcile.Reconciler { return r })
	if s.probe {
		kube = probe.Client(kube)
		wrap = probe.Reconciler
	}
	options := ctrlcontroller.Options{
		MaxConcurrentReconciles: s.maxConcurrent,
		UsePriorityQueue:        &s.priorityQueue,
		ReconciliationTimeout:   s.reconcileTimeout,
	}
	if s.backupController {
		if err := (&controller.BackupReconciler{Client: kube, Wrap: wrap}).SetupWithManager(manager, options); err != nil {
			return err
		}
	}
	if s.tierController {
		owned := kube
		if s.tierOwner != "" {
			owned = client.WithFieldOwner(kube, s.tierOwner)
		}
		if err := (&controller.TierReconciler{Client: owned, Wrap: wrap}).SetupWithManager(manager, options); err != nil {
			return err
		}
	}
	if s.limiterBase > 0 {
		options.RateLimiter = controller.NewExponentialLimiter[reconcile.Request](s.limiterBase, s.limiterFactor, s.limiterMax)
	}
	reconciler := &controller.DatabaseReconciler{
		Client:            kube,
		Recorder:          manager.GetEventRecorder("database-operator"),
		Faults:            s.faults,
		CreateBackups:     s.createBackups,
		ResyncAfter:       s.resyncAfter,
		GenerationChanged: s.generationChanged,
		Wrap:              wrap,
	}
	return reconciler.SetupWithManager(manager, options)
}

func followParent(parent int) {
	for os.Getppid() == parent {
		time.Sleep(time.Second)
	}
	fmt.Fprintln(os.Stderr, "the process that started this one is gone")
	os.Exit(0)
}

func cacheOptions(namespaces string) cache.Options {
	if namespaces == "" {
		return cache.Options{}
	}
	selected := map[string]cache.Config{}
	for _, namespace := range strings.Split(namespaces, ",") {
		selected[strings.TrimSpace(namespace)] = cache.Config{}
	}
	return cache.Options{DefaultNamespaces: selected}
}
