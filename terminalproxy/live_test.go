//go:build linux

package terminalproxy

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"
	"unicode/utf8"
)

// recorder collects live output.
type recorder struct {
	mu     sync.Mutex
	events []OutputEvent
	hold   chan struct{} // if not nil, each event waits for it
}

func (r *recorder) take(e OutputEvent) {
	if r.hold != nil {
		<-r.hold
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.events = append(r.events, e)
}

func (r *recorder) of(id string) (events []OutputEvent, data string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, e := range r.events {
		if e.ID == id {
			events = append(events, e)
			data += e.Data
		}
	}
	return events, data
}

func (r *recorder) ended(id string) func() bool {
	return func() bool {
		events, _ := r.of(id)
		return len(events) > 0 && events[len(events)-1].Exit != nil
	}
}

func TestOutputIsShownAsItComesAndTheExitLast(t *testing.T) {
	var rec recorder
	r := runner(t, Config{OnOutput: rec.take})
	gate := filepath.Join(t.TempDir(), "gate")
	term := create(t, r, Spec{Session: "live", Command: self(t), Args: []string{"act", "gated", gate, "first", "second é"}})
	until(t, "the first output", func() bool { _, data := rec.of(term.ID()); return data == "first" })
	touch(t, gate)
	until(t, "the exit", rec.ended(term.ID()))
	events, data := rec.of(term.ID())
	if data != "firstsecond é" || len(events) < 2 {
		t.Errorf("%q in %d events", data, len(events))
	}
	for i, e := range events {
		if e.Session != "live" || e.Truncated || (e.Exit != nil) != (i == len(events)-1) || (e.Command != "") != (e.Exit != nil) {
			t.Errorf("event %d of %d: %+v", i, len(events), e)
		}
	}
	if e := events[len(events)-1]; !sameExit(*e.Exit, code(0)) {
		t.Errorf("exit %v", e.Exit)
	}
}

func TestEveryByteIsShownWhenTheConsumerKeepsUp(t *testing.T) {
	var rec recorder
	r := runner(t, Config{OnOutput: rec.take})
	var terms []*Terminal
	for i := range 4 {
		terms = append(terms, bash(t, r, fmt.Sprintf("for n in $(seq 1 2000); do echo %d:$n; done", i)))
	}
	for i, term := range terms {
		until(t, "the exit", rec.ended(term.ID()))
		_, data := rec.of(term.ID())
		var want strings.Builder
		for n := 1; n <= 2000; n++ {
			fmt.Fprintf(&want, "%d:%d\n", i, n)
		}
		if data != want.String() {
			t.Errorf("terminal %d: %d bytes of %d", i, len(data), want.Len())
		}
	}
}

// The consumer takes one event, sleeps through 20 MB, and wakes up: it gets the beginning, a gap that is marked, and
// the end, in events of bounded size.
func TestSlowConsumerLosesTheMiddleAndNothingElse(t *testing.T) {
	rec := recorder{hold: make(chan struct{})}
	r := runner(t, Config{OnOutput: rec.take})
	gate := filepath.Join(t.TempDir(), "gate")
	term := bash(t, r, "echo begin; until [ -e "+gate+" ]; do sleep 0.01; done; seq 1 3000000; echo fin")
	rec.hold <- struct{}{} // it has the first event, however late it was
	touch(t, gate)
	wait(t, term)
	close(rec.hold)
	until(t, "the exit", rec.ended(term.ID()))
	events, data := rec.of(term.ID())
	gaps := 0
	for i, e := range events {
		if e.Truncated {
			gaps++
		}
		if len(e.Data) > EventBytes || !utf8.ValidString(e.Data) || (e.Exit != nil) != (i == len(events)-1) {
			t.Errorf("event %d of %d: %d bytes, exit %v", i, len(events), len(e.Data), e.Exit)
		}
	}
	if !strings.HasPrefix(data, "begin\n") || !strings.HasSuffix(data, "3000000\nfin\n") || gaps == 0 || len(data) > DefaultOutputLimit+3*EventBytes {
		t.Errorf("%d bytes, %d gaps, %q … %q", len(data), gaps, data[:20], data[len(data)-20:])
	}
	prev := 0
	for _, e := range events {
		lines := strings.Split(e.Data, "\n")
		for _, line := range lines[1:max(1, len(lines)-1)] { // the first and the last may be cut
			if n, err := strconv.Atoi(line); err == nil {
				if n <= prev {
					t.Fatalf("from %d back to %d", prev, n)
				}
				prev = n
			}
		}
	}
}

func TestPersonSeesOutputThatTheAgentDoesNotWant(t *testing.T) {
	var rec recorder
	r := runner(t, Config{OnOutput: rec.take})
	term := create(t, r, Spec{Command: "echo", Args: []string{"seen"}, Limit: u64(0)})
	until(t, "the exit", rec.ended(term.ID()))
	if _, data := rec.of(term.ID()); data != "seen\n" || term.Output().Text != "" {
		t.Errorf("shown %q, kept %q", data, term.Output().Text)
	}
}

// manualClock stands still until it is told to go on.
type manualClock struct {
	mu      sync.Mutex
	now     time.Time
	waiting []chan time.Time
	asked   []time.Duration
}

func (c *manualClock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now
}

func (c *manualClock) After(d time.Duration) <-chan time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	ch := make(chan time.Time, 1)
	c.waiting, c.asked = append(c.waiting, ch), append(c.asked, d)
	return ch
}

func (c *manualClock) waits(d time.Duration) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	for i, a := range c.asked {
		if a == d && c.waiting[i] != nil {
			return true
		}
	}
	return false
}

// pass lets everybody go on who waits for d.
func (c *manualClock) pass(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = c.now.Add(d)
	for i, ch := range c.waiting {
		if ch != nil && c.asked[i] == d {
			ch <- c.now
			c.waiting[i] = nil
		}
	}
}

func TestEventsAreSpacedAndTheOutputBetweenThemIsJoined(t *testing.T) {
	var rec recorder
	clock := &manualClock{}
	r := runner(t, Config{OnOutput: rec.take, Clock: clock})
	dir := t.TempDir()
	gate := func(n string) string { return filepath.Join(dir, n) }
	term := bash(t, r, fmt.Sprintf("echo 1; until [ -e %s ]; do sleep 0.01; done; echo 2; echo 3; touch %s; until [ -e %s ]; do sleep 0.01; done; echo 4", gate("a"), gate("b"), gate("c")))
	until(t, "the first event", func() bool { _, data := rec.of(term.ID()); return data == "1\n" && clock.waits(EventEvery) })
	touch(t, gate("a"))
	until(t, "the command's next lines", func() bool { _, err := os.Stat(gate("b")); return err == nil && term.Output().Text == "1\n2\n3\n" })
	if events, _ := rec.of(term.ID()); len(events) != 1 {
		t.Errorf("%d events before the time", len(events))
	}
	clock.pass(EventEvery)
	until(t, "the second event", func() bool { events, _ := rec.of(term.ID()); return len(events) == 2 && events[1].Data == "2\n3\n" })
	touch(t, gate("c"))
	until(t, "the exit, which nothing delays", rec.ended(term.ID()))
	if events, data := rec.of(term.ID()); data != "1\n2\n3\n4\n" || len(events) != 3 {
		t.Errorf("%q in %d events", data, len(events))
	}
}
