package agent

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"
)

// fakeClock moves only when somebody waits for it.
type fakeClock struct {
	now    time.Time
	pauses []time.Duration
	stuck  bool // waiting never ends
}

func (c *fakeClock) Now() time.Time { return c.now }

func (c *fakeClock) After(d time.Duration) <-chan time.Time {
	c.pauses = append(c.pauses, d)
	ch := make(chan time.Time, 1)
	if !c.stuck {
		c.now = c.now.Add(d)
		ch <- c.now
	}
	return ch
}

const ms = time.Millisecond

var allPauses = []time.Duration{200 * ms, 500 * ms, 1000 * ms, 2000 * ms, 5000 * ms}

func TestACrashLoopEndsAfterFiveRestarts(t *testing.T) {
	clock := &fakeClock{now: time.Unix(1e9, 0)}
	s := &Supervisor{Clock: clock}
	crash := &ExitError{Code: 7}
	starts := 0
	var err error
	for err == nil { // the handshake succeeds, then it crashes again
		err = s.Restart(context.Background(), crash, func(context.Context) error { starts++; return nil })
	}
	var gaveUp *GaveUpError
	if !errors.As(err, &gaveUp) || !errors.Is(err, error(crash)) || starts != 5 || !slices.Equal(clock.pauses, allPauses) {
		t.Fatalf("%d starts after %v: %v", starts, clock.pauses, err)
	}
	if !strings.Contains(err.Error(), "exit status 7") {
		t.Errorf("the message hides the cause: %v", err)
	}
	s.Reset() // by hand
	if err := s.Restart(context.Background(), crash, func(context.Context) error { return nil }); err != nil {
		t.Error(err)
	}
}

func TestFailuresToStartCountAlike(t *testing.T) {
	clock := &fakeClock{now: time.Unix(1e9, 0)}
	s := &Supervisor{Clock: clock}
	starts := 0
	err := s.Restart(context.Background(), errors.New("crash"), func(context.Context) error {
		starts++
		return &StartError{Kind: ExitedAtOnce}
	})
	var gaveUp *GaveUpError
	if !errors.As(err, &gaveUp) || starts != 5 || !slices.Equal(clock.pauses, allPauses) {
		t.Fatalf("%d starts after %v: %v", starts, clock.pauses, err)
	}
}

func TestWhatCannotPassIsNotTriedAgain(t *testing.T) {
	for _, kind := range []StartKind{NotFound, NotExecutable, BadDir, NotACP, Version, Rejected, NotOurs} {
		s := &Supervisor{Clock: &fakeClock{}}
		starts := 0
		err := s.Restart(context.Background(), errors.New("crash"), func(context.Context) error {
			starts++
			return &StartError{Kind: kind}
		})
		var failure *StartError
		if !errors.As(err, &failure) || failure.Kind != kind || starts != 1 {
			t.Errorf("%s: %d starts, %v", kind, starts, err)
		}
	}
}

func TestAnAgentThatRunsForAMinuteIsForgiven(t *testing.T) {
	clock := &fakeClock{now: time.Unix(1e9, 0)}
	s := &Supervisor{Clock: clock}
	for range 12 {
		if err := s.Restart(context.Background(), errors.New("crash"), func(context.Context) error { return nil }); err != nil {
			t.Fatal(err)
		}
		clock.now = clock.now.Add(restartWindow)
	}
	if want := slices.Repeat(allPauses[:1], 12); !slices.Equal(clock.pauses, want) {
		t.Errorf("pauses %v", clock.pauses)
	}
}

func TestRestartEndsWithItsContext(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	s := &Supervisor{Clock: &fakeClock{stuck: true}}
	err := s.Restart(ctx, errors.New("crash"), func(context.Context) error { t.Error("started"); return nil })
	if !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	s = &Supervisor{Clock: &fakeClock{}}
	ctx, cancel = context.WithCancel(context.Background())
	starts := 0
	err = s.Restart(ctx, errors.New("crash"), func(context.Context) error { starts++; cancel(); return errors.New("no") })
	if starts != 1 || err == nil {
		t.Errorf("%d starts, %v", starts, err)
	}
}
