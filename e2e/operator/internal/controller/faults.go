package controller

import (
	"context"
	"errors"
	"os"
	"regexp"
	"time"
)

// errQuota is what a failing provisioner would say; the injected fault returns it on every reconcile of its keys.
var errQuota = errors.New("provisioning storage: backend quota exceeded")

// Faults are the ways in which the operator can be told to misbehave.
type Faults struct {
	// FailAll makes every reconcile fail.
	FailAll bool
	// FailNames makes the reconciles of matching object names fail; nil matches nothing.
	FailNames *regexp.Regexp
	// HealFile switches FailAll and FailNames off as long as a file of this path exists.
	HealFile string
	// Delay is slept in every reconcile, so that a worker is visibly busy.
	Delay time.Duration
	// HotLoop writes a new timestamp into the status on every reconcile.
	HotLoop bool
}

func (f Faults) failureFor(name string) error {
	if !f.FailAll && (f.FailNames == nil || !f.FailNames.MatchString(name)) {
		return nil
	}
	if f.HealFile != "" {
		if _, err := os.Stat(f.HealFile); err == nil {
			return nil
		}
	}
	return errQuota
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
