package plain

import "time"

// Clock is the time, for parts that wait. Tests have one of their own.
type Clock interface {
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
