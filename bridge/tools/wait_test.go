package tools

import (
	"testing"
	"time"
)

// patience is how long a test waits for something that is bound to happen.
const patience = 60 * time.Second

func waitFor[T any](t *testing.T, ch <-chan T, what string) (v T) {
	t.Helper()
	select {
	case v = <-ch:
	case <-time.After(patience):
		t.Fatalf("waited %s for %s", patience, what)
	}
	return v
}
