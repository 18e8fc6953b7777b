package trust

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"github.com/rs/zerolog"
)

// TestEveryTrialThatWaitsHearsOfTheEndOfATurn: two agents may be waiting to be tried.
func TestEveryTrialThatWaitsHearsOfTheEndOfATurn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		began := time.Now()
		done := make(chan time.Duration, 3)
		j := New(Config{
			Trials: true, Quiet: time.Minute, Life: t.Context(), Now: time.Now, Log: zerolog.Nop(),
			Trial: func(v Version) func(context.Context) (Verdict, error) {
				return func(context.Context) (Verdict, error) {
					done <- time.Since(began)
					return Verdict{Agent: v.Agent, By: byTrial}, nil
				}
			},
			Go:   func(f func()) { go f() },
			Tell: func(s string) { t.Error(s) },
		})
		for _, agent := range []string{"copilot 1", "copilot 2", "copilot 1"} {
			j.Started(Version{Agent: agent}, make(chan struct{}))
		}
		for range 2 {
			over := j.Turn()
			time.Sleep(time.Second)
			over()
			time.Sleep(30 * time.Second) // the second turn comes before it was quiet for long enough
		}
		for range 2 {
			if after := <-done; after != time.Second+30*time.Second+time.Second+time.Minute {
				t.Errorf("it began after %v", after)
			}
		}
		synctest.Wait()
		if len(done) > 0 || !j.Proven(Version{Agent: "copilot 1"}) || !j.Proven(Version{Agent: "copilot 2"}) {
			t.Error("one of them is tried twice, or not known to ask")
		}
	})
}
