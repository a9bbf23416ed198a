package main

import (
	"flag"
	"fmt"
	"net/url"
	"os"
	"os/signal"
	"syscall"
	"time"

	"go.etcd.io/etcd/server/v3/embed"
)

// runEtcd serves one single-member etcd until SIGINT or SIGTERM. Flags carry the names of the upstream binary.
func runEtcd(args []string) error {
	flags := flag.NewFlagSet("etcd", flag.ContinueOnError)
	dataDir := flags.String("data-dir", "", "directory of the data")
	clientURL := flags.String("listen-client-urls", "http://127.0.0.1:2379", "URL to serve clients on")
	advertiseClientURL := flags.String("advertise-client-urls", "", "URL told to clients; default is the one served on")
	peerURL := flags.String("listen-peer-urls", "http://127.0.0.1:2380", "URL of the peer listener")
	unsafeNoFsync := flags.Bool("unsafe-no-fsync", false, "do not fsync; fine for data that dies with the test")
	logLevel := flags.String("log-level", "warn", "debug, info, warn or error")
	if err := flags.Parse(args); err != nil {
		return err
	}
	if *dataDir == "" {
		return fmt.Errorf("--data-dir is needed")
	}
	if *advertiseClientURL == "" {
		*advertiseClientURL = *clientURL
	}
	client, err := url.Parse(*clientURL)
	if err != nil {
		return err
	}
	advertised, err := url.Parse(*advertiseClientURL)
	if err != nil {
		return err
	}
	peer, err := url.Parse(*peerURL)
	if err != nil {
		return err
	}

	config := embed.NewConfig()
	config.Dir = *dataDir
	config.ListenClientUrls = []url.URL{*client}
	config.AdvertiseClientUrls = []url.URL{*advertised}
	config.ListenPeerUrls = []url.URL{*peer}
	config.AdvertisePeerUrls = []url.URL{*peer}
	config.InitialCluster = config.InitialClusterFromName(config.Name)
	config.UnsafeNoFsync = *unsafeNoFsync
	config.LogLevel = *logLevel
	config.LogOutputs = []string{"stderr"}

	server, err := embed.StartEtcd(config)
	if err != nil {
		return err
	}
	defer server.Close()
	select {
	case <-server.Server.ReadyNotify():
	case err := <-server.Err():
		return err
	case <-time.After(60 * time.Second):
		return fmt.Errorf("not ready after 60 s")
	}

	signals := make(chan os.Signal, 1)
	signal.Notify(signals, syscall.SIGINT, syscall.SIGTERM)
	select {
	case <-signals:
		return nil
	case err := <-server.Err():
		return err
	}
}
