package main

import (
	"errors"
	"fmt"
	"os"
	"strconv"
	"syscall"
	"time"
)

// followParent ends this process within a second or two after process pid has ended; an empty pid does nothing.
func followParent(pid string) {
	if pid == "" {
		return
	}
	parent, err := strconv.Atoi(pid)
	if err != nil || parent <= 1 {
		fmt.Fprintf(os.Stderr, "LOOPSCOPE_TESTBED_PARENT: %q is no process id\n", pid)
		os.Exit(2)
	}
	go func() {
		for {
			time.Sleep(time.Second)
			if errors.Is(syscall.Kill(parent, 0), syscall.ESRCH) {
				fmt.Fprintln(os.Stderr, "the process that started this one is gone")
				os.Exit(0)
			}
		}
	}()
}
