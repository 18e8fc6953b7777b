package bridge

import (
	"testing"
	"testing/synctest"
	"time"
)

// TestEveryTrialThatWaitsHearsOfTheEndOfATurn: two agents may be waiting to be tried.
func TestEveryTrialThatWaitsHearsOfTheEndOfATurn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := &Bridge{watching: t.Context()}
		b.tryout = b.newTryout()
		b.tryout.off, b.tryout.quiet = false, time.Minute
		began := time.Now()
		done := make(chan time.Duration, 3)
		for range 2 {
			settled := b.tryout.next()
			go func() {
				if b.awaitQuiet(&link{gone: make(chan struct{})}, settled) {
					done <- time.Since(began)
				}
			}()
		}
		for range 2 {
			b.tryout.turn(true)
			time.Sleep(time.Second)
			b.tryout.turn(false)
			time.Sleep(30 * time.Second) // the second turn comes before it was quiet for long enough
		}
		for range 2 {
			if after := <-done; after != time.Second+30*time.Second+time.Second+time.Minute {
				t.Errorf("it began after %v", after)
			}
		}
	})
}
