package controller

import (
	"context"
	"errors"
	"fmt"
	"os"
	"regexp"
	"time"

	"sigs.k8s.io/controller-runtime/pkg/reconcile"
)

// errQuota is what a failing provisioner would say; the injected fault returns it on every reconcile of its keys.
var errQuota = errors.New("provisioning storage: backend quota exceeded")

// errUnsupported is what no retry can mend.
var errUnsupported = errors.New("provisioning storage: engine is not supported")

// Faults are the ways in which the operator can be told to misbehave.
type Faults struct {
	// FailAll makes every reconcile fail.
	FailAll bool
	// FailNames makes the reconciles of matching object names fail; nil matches nothing. So do the other names.
	FailNames *regexp.Regexp
	// TerminalNames fail with an error that is not retried.
	TerminalNames *regexp.Regexp
	// PanicNames panic.
	PanicNames *regexp.Regexp
	// RequeueNames ask to be requeued (rate limited) as long as they are not Ready.
	RequeueNames *regexp.Regexp
	// HealFile switches failures and panics off as long as a file of this path exists.
	HealFile string
	// Delay is slept in every reconcile, so that a worker is visibly busy.
	Delay time.Duration
	// HotLoop writes a new timestamp into the status on every reconcile.
	HotLoop bool
	// DefaultingDiff writes the Service on every reconcile without the fields that the API server fills in.
	DefaultingDiff bool
	// StaleWrite writes the Database a second time in a pass, from what the cache held at its start.
	StaleWrite bool
}

func matches(names *regexp.Regexp, name string) bool { return names != nil && names.MatchString(name) }

func (f Faults) failureFor(name string) error {
	if f.HealFile != "" {
		if _, err := os.Stat(f.HealFile); err == nil {
			return nil
		}
	}
	switch {
	case matches(f.PanicNames, name):
		panic(fmt.Sprintf("provisioning %s: index out of range", name))
	case matches(f.TerminalNames, name):
		return reconcile.TerminalError(errUnsupported)
	case f.FailAll || matches(f.FailNames, name):
		return errQuota
	}
	return nil
}

func (f Faults) wait(ctx context.Context) error {
	if f.Delay <= 0 {
		return nil
	}
	timer := time.NewTimer(f.Delay)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
