package controller

import (
	"math"
	"sync"
	"time"
)

// ExponentialLimiter delays the n-th failure of an item (n from 0) by base·factorⁿ, at most max: what an operator
// writes when the doubling of client-go does not suit it.
type ExponentialLimiter[T comparable] struct {
	base   time.Duration
	factor float64
	max    time.Duration

	mu       sync.Mutex
	failures map[T]int
}

// NewExponentialLimiter returns a limiter without failures.
func NewExponentialLimiter[T comparable](base time.Duration, factor float64, max time.Duration) *ExponentialLimiter[T] {
	return &ExponentialLimiter[T]{base: base, factor: factor, max: max, failures: map[T]int{}}
}

// When counts a failure of item and returns how long to wait.
func (l *ExponentialLimiter[T]) When(item T) time.Duration {
	l.mu.Lock()
	defer l.mu.Unlock()
	failures := l.failures[item]
	l.failures[item] = failures + 1
	delay := float64(l.base) * math.Pow(l.factor, float64(failures))
	if delay > float64(l.max) {
		return l.max
	}
	return time.Duration(delay)
}

// NumRequeues returns the failures counted since the last Forget.
func (l *ExponentialLimiter[T]) NumRequeues(item T) int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.failures[item]
}

// Forget drops the failures of item.
func (l *ExponentialLimiter[T]) Forget(item T) {
	l.mu.Lock()
	defer l.mu.Unlock()
	delete(l.failures, item)
}
