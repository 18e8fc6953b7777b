package tools

import (
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

func TestProgressSendsTheNewestTextAndNotTooOften(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var sent []string
		var at []time.Time
		p := newProgress(func(text string, n int) {
			if n != len(sent)+1 {
				t.Errorf("progress %d after %d", n, len(sent))
			}
			sent, at = append(sent, text), append(at, time.Now())
		})
		p.report("first")
		synctest.Wait()
		p.report("lost")
		p.report(strings.Repeat("é", 4*MaxProgress) + "last")
		<-time.After(10 * ProgressEvery)
		synctest.Wait()
		p.report("when it is over")
		p.stop()
		p.report("too late")
		synctest.Wait()
		if len(sent) < 2 || sent[0] != "first" || !strings.HasSuffix(sent[1], "élast") || len(sent[1]) > MaxProgress {
			t.Fatalf("sent %d: %.20q", len(sent), sent)
		}
		if gap := at[1].Sub(at[0]); gap < ProgressEvery {
			t.Errorf("%s between two", gap)
		}
		for _, s := range sent {
			if s == "lost" || s == "too late" {
				t.Errorf("%q was sent", s)
			}
		}
	})
}

// TestACallThatStillRunsIsTold: Copilot 1.0.102 gives a call up that it has not heard of for three minutes, and with it the question
// that the user has not answered yet.
func TestACallThatStillRunsIsTold(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var sent []string
		p := newProgress(func(text string, n int) { sent = append(sent, text) })
		time.Sleep(10*time.Minute + time.Second)
		synctest.Wait()
		if want := int(10 * time.Minute / StillEvery); len(sent) != want || sent[0] != "" {
			t.Errorf("told %d times in ten minutes, want %d: %.20q", len(sent), want, sent)
		}
		p.report("news")
		time.Sleep(StillEvery)
		p.stop()
		if n := len(sent); sent[n-2] != "news" || sent[n-1] != "news" {
			t.Errorf("told %.20q at last", sent[n-2:])
		}
	})
}

func TestNoProgressWithoutAToken(t *testing.T) {
	var p *progress
	p.report("nobody asked")
	p.stop()
}
