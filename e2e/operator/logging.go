package main

import (
	"flag"
	"fmt"
	stdlog "log"
	"log/slog"
	"os"
	"strconv"

	"github.com/go-logr/logr"
	"github.com/go-logr/logr/funcr"
	"go.uber.org/zap/zapcore"
	"k8s.io/klog/v2"
	"sigs.k8s.io/controller-runtime/pkg/log/zap"
)

type logSettings struct {
	format    string // json, console, klog, slog-json, slog-text or logr
	times     string // of json and console
	verbosity int
}

var timeEncoders = map[string]zapcore.TimeEncoder{
	"rfc3339":     zapcore.RFC3339TimeEncoder,
	"rfc3339nano": zapcore.RFC3339NanoTimeEncoder,
	"iso8601":     zapcore.ISO8601TimeEncoder,
	"epoch":       zapcore.EpochTimeEncoder,
	"millis":      zapcore.EpochMillisTimeEncoder,
	"nanos":       zapcore.EpochNanosTimeEncoder,
}

// newLogger writes to standard output; client-go's own klog lines go to standard error, as in most operators.
func newLogger(s logSettings) (logr.Logger, error) {
	encoder, known := timeEncoders[s.times]
	if !known {
		return logr.Logger{}, fmt.Errorf("--log-time: %q is none of rfc3339, rfc3339nano, iso8601, epoch, millis, nanos", s.times)
	}
	zapOptions := func(o *zap.Options) { o.TimeEncoder = encoder }
	level := zap.Level(zapcore.Level(-s.verbosity))
	slogOptions := &slog.HandlerOptions{Level: slog.Level(-s.verbosity)}
	switch s.format {
	case "json":
		return zap.New(zap.WriteTo(os.Stdout), zapOptions, level), nil
	case "console":
		return zap.New(zap.WriteTo(os.Stdout), zap.UseDevMode(true), zapOptions, level), nil
	case "klog":
		klogFlags := flag.NewFlagSet("klog", flag.ContinueOnError)
		klog.InitFlags(klogFlags)
		if err := klogFlags.Set("v", strconv.Itoa(s.verbosity)); err != nil {
			return logr.Logger{}, err
		}
		return klog.NewKlogr(), nil
	case "slog-json":
		return logr.FromSlogHandler(slog.NewJSONHandler(os.Stdout, slogOptions)), nil
	case "slog-text":
		return logr.FromSlogHandler(slog.NewTextHandler(os.Stdout, slogOptions)), nil
	case "logr":
		return newStdLogger(s.verbosity), nil
	default:
		return logr.Logger{}, fmt.Errorf("--log-format: %q is none of json, console, klog, slog-json, slog-text, logr", s.format)
	}
}

// newStdLogger is what go-logr/stdr makes of the standard library's logger.
func newStdLogger(verbosity int) logr.Logger {
	std := stdlog.New(os.Stdout, "", stdlog.LstdFlags|stdlog.Lmicroseconds|stdlog.LUTC)
	return funcr.New(func(prefix, args string) {
		if prefix != "" {
			args = prefix + ": " + args
		}
		std.Println(args)
	}, funcr.Options{Verbosity: verbosity})
}
