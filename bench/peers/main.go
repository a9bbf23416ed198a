// Command informer-peer is the yardstick for a first sync: client-go's dynamic informer, as it comes, fills its
// store with the objects of one resource. It prints one JSON line and ends:
//
//	{"ms":3120.4,"objects":15000,"baselineRssBytes":31457280,"peakRssBytes":272629760}
//
// ms runs from starting the informer to HasSynced; baselineRssBytes is the peak before that. No handler is
// registered, so nothing but LIST/WATCH, decoding and the store is counted.
package main

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"runtime"
	"syscall"
	"time"

	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/dynamic/dynamicinformer"
	"k8s.io/client-go/tools/cache"
	"k8s.io/client-go/tools/clientcmd"
)

type measurement struct {
	Ms               float64 `json:"ms"`
	Objects          int     `json:"objects"`
	BaselineRssBytes int64   `json:"baselineRssBytes"`
	PeakRssBytes     int64   `json:"peakRssBytes"`
}

func main() {
	kubeconfig := flag.String("kubeconfig", "", "path of the kubeconfig")
	group := flag.String("group", "", "API group; empty for the core group")
	version := flag.String("version", "v1", "API version")
	resource := flag.String("resource", "", "plural, such as databases")
	namespace := flag.String("namespace", "", "one namespace; all when empty")
	compression := flag.Bool("compression", true, "ask for gzip, as client-go does by default")
	timeout := flag.Duration("timeout", 2*time.Minute, "give up after this long")
	flag.Parse()

	gvr := schema.GroupVersionResource{Group: *group, Version: *version, Resource: *resource}
	result, err := measure(*kubeconfig, gvr, *namespace, *compression, *timeout)
	if err != nil {
		fmt.Fprintln(os.Stderr, "informer-peer:", err)
		os.Exit(1)
	}
	if err := json.NewEncoder(os.Stdout).Encode(result); err != nil {
		fmt.Fprintln(os.Stderr, "informer-peer:", err)
		os.Exit(1)
	}
}

func measure(
	kubeconfig string, gvr schema.GroupVersionResource, namespace string, compression bool, timeout time.Duration,
) (measurement, error) {
	if gvr.Resource == "" {
		return measurement{}, fmt.Errorf("--resource is needed")
	}
	config, err := clientcmd.BuildConfigFromFlags("", kubeconfig)
	if err != nil {
		return measurement{}, err
	}
	config.DisableCompression = !compression
	client, err := dynamic.NewForConfig(config)
	if err != nil {
		return measurement{}, err
	}
	indexers := cache.Indexers{cache.NamespaceIndex: cache.MetaNamespaceIndexFunc}
	informer := dynamicinformer.NewFilteredDynamicInformer(client, gvr, namespace, 0, indexers, nil).Informer()

	ctx, cancel := context.WithTimeout(context.Background(), timeout)
	defer cancel()
	baseline := peakRss()
	started := time.Now()
	go informer.RunWithContext(ctx)
	for !informer.HasSynced() {
		if ctx.Err() != nil {
			return measurement{}, fmt.Errorf("not synced after %s", timeout)
		}
		time.Sleep(time.Millisecond)
	}
	elapsed := time.Since(started)
	return measurement{
		Ms:               float64(elapsed.Microseconds()) / 1000,
		Objects:          len(informer.GetStore().ListKeys()),
		BaselineRssBytes: baseline,
		PeakRssBytes:     peakRss(),
	}, nil
}

// peakRss is the largest resident set of this process so far, in bytes.
func peakRss() int64 {
	var usage syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &usage); err != nil {
		return 0
	}
	if runtime.GOOS == "darwin" {
		return usage.Maxrss // bytes there
	}
	return usage.Maxrss * 1024 // kibibytes elsewhere
}
