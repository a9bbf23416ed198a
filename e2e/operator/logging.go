package main

import (
	"flag"
	"fmt"
	"os"
	"strconv"

	"github.com/go-logr/logr"
	"go.uber.org/zap/zapcore"
	"k8s.io/klog/v2"
	"sigs.k8s.io/controller-runtime/pkg/log/zap"
)

type logSettings struct {
	format    string // json, console or klog
	verbosity int
}

// newLogger writes to standard output; client-go's own klog lines go to standard error, as in most operators.
func newLogger(s logSettings) (logr.Logger, error) {
	level := zap.Level(zapcore.Level(-s.verbosity))
	switch s.format {
	case "json":
		return zap.New(zap.WriteTo(os.Stdout), level), nil
	case "console":
		return zap.New(zap.WriteTo(os.Stdout), zap.UseDevMode(true), level), nil
	case "klog":
		klogFlags := flag.NewFlagSet("klog", flag.ContinueOnError)
		klog.InitFlags(klogFlags)
		if err := klogFlags.Set("v", strconv.Itoa(s.verbosity)); err != nil {
			return logr.Logger{}, err
		}
		return klog.NewKlogr(), nil
	default:
		return logr.Logger{}, fmt.Errorf("--log-format: %q is none of json, console, klog", s.format)
	}
}
