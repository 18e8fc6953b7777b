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
		began := time.Now()
		sent := make(chan string)
		p := newProgress(func(text string, n int) { sent <- text })
		for i := range 20 {
			text := <-sent
			if at := time.Since(began); text != "" || at != time.Duration(i+1)*StillEvery {
				t.Errorf("told %q after %s", text, at)
			}
		}
		p.report("news")
		for range 2 { // as news, and that there are no others
			if text := <-sent; text != "news" {
				t.Errorf("told %q", text)
			}
		}
		p.stop()
	})
}

func TestNoProgressWithoutAToken(t *testing.T) {
	var p *progress
	p.report("nobody asked")
	p.stop()
}
