package lspfront

import "time"

// clock is the time, for parts that wait. Tests have one of their own.
type clock interface {
	Now() time.Time
	// After calls f on a goroutine of its own when d has passed, unless it is stopped before.
	After(d time.Duration, f func()) (stop func())
}

type systemClock struct{}

func (systemClock) Now() time.Time { return time.Now() }

func (systemClock) After(d time.Duration, f func()) (stop func()) {
	t := time.AfterFunc(d, f)
	return func() { t.Stop() }
}
