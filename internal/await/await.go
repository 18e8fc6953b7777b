// Package await is how tests wait: for a value, for a condition, and never for ever without saying for what. It is for
// tests only.
//
// Whatever a test waits for with the functions here fails the test after [Limit] with the words it was given. [Watch] sees
// to all other waits: a bare receive, a lock, a read. Every TestMain of the module runs its tests under it.
package await

import (
	"testing"
	"time"
)

// Promptly tells what is promised at once, or within a second or two, from what waits for something that does not come, on
// a machine that is busy with other things. How long it took is logged where the promise is about that.
const Promptly = 10 * time.Second

// poll is how often Until looks at its condition.
const poll = time.Millisecond

// Receive takes the next value from a channel; the zero value if it is closed. what is what the test waits for. It is
// called on the test's goroutine.
func Receive[T any](t testing.TB, what string, from <-chan T) T {
	t.Helper()
	late := time.NewTimer(Limit)
	defer late.Stop()
	select {
	case v := <-from:
		return v
	case <-late.C:
		t.Fatalf("waited %v for %s", Limit, what)
		panic("unreachable")
	}
}

// Until waits for a condition that may be looked at at any time. what is what the test waits for. It is called on the
// test's goroutine.
func Until(t testing.TB, what string, cond func() bool) {
	t.Helper()
	tick := time.NewTicker(poll)
	defer tick.Stop()
	for end := time.Now().Add(Limit); !cond(); <-tick.C {
		if time.Now().After(end) {
			t.Fatalf("waited %v for %s", Limit, what)
		}
	}
}
