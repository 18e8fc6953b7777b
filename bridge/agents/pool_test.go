package agents

import (
	"context"
	"errors"
	"sync"
	"testing"

	"github.com/copilot-bridge/copilot-bridge/acp"
	"github.com/copilot-bridge/copilot-bridge/acp/agent"
	"github.com/copilot-bridge/copilot-bridge/internal/await"
)

// TestSetsOfServersRestartApart: the restart of one set of servers neither waits for that of another nor counts for it.
func TestSetsOfServersRestartApart(t *testing.T) {
	r := newRig(t, func(*Config) {})
	held := &heldClock{waiting: make(chan struct{}, 2)}
	r.Clock = held
	for _, name := range []string{"one", "two"} {
		r.get(server(name))
	}
	for _, a := range r.started() {
		a.crash()
	}
	var both sync.WaitGroup
	ctx, cancel := context.WithCancel(r.ctx)
	for _, name := range []string{"one", "two"} {
		both.Go(func() {
			if _, err := r.For(ctx, []acp.MCPServer{server(name)}); !errors.Is(err, context.Canceled) {
				t.Errorf("%s: %v", name, err)
			}
		})
	}
	for range 2 {
		await.Receive(t, "both in their pause at the same time", held.waiting)
	}
	cancel()
	both.Wait()
	if r.get(server("three")) == nil || len(held.waiting) > 0 {
		t.Error("a crash counts for a set that did not crash")
	}
}

// TestEachSetOfServersHasOneProcess: those who need it at the same time get the same one, and one without servers that
// nobody uses ends when it is known which ones are needed.
func TestEachSetOfServersHasOneProcess(t *testing.T) {
	r := newRig(t, func(*Config) {})
	idle := r.get()
	got := make(chan *Process, 10)
	var all sync.WaitGroup
	for range cap(got) {
		all.Go(func() {
			a, err := r.For(r.ctx, []acp.MCPServer{server("one")})
			if err != nil {
				t.Error(err)
			}
			got <- a
		})
	}
	all.Wait()
	first := <-got
	for range cap(got) - 1 {
		if a := <-got; a != first {
			t.Fatal("two processes with the same servers")
		}
	}
	if n := len(r.started()); n != 2 {
		t.Errorf("%d agents were started", n)
	}
	await.Receive(t, "the end of the one that nobody uses", idle.Gone())
	if first.IsGone() || first.LastWords() == "" || !first.Held() || idle.Held() {
		t.Error("the wrong one ended")
	}
	first.Bind("s", newSession())
	first.Retire()
	if !first.Held() {
		t.Fatal("ended although a session uses it")
	}
	first.Unbind("s")
	over := first.Opening(false)
	first.Retire()
	if !first.Held() {
		t.Fatal("ended although a session is being opened in it")
	}
	over()
	first.Retire()
	await.Receive(t, "the end of the retired one", first.Gone())
}

// TestADeadAgentIsNotUsedWhileItsProcessesEnd: between the end of its connection and the end of its processes, which may
// take a second, an agent serves nobody: those who need one wait for the next, no longer than their context.
func TestADeadAgentIsNotUsedWhileItsProcessesEnd(t *testing.T) {
	r := newRig(t, func(*Config) {})
	dead := r.get()
	r.started()[0].disconnect()
	if r.Running() != nil {
		t.Error("it is taken for one that runs")
	}
	got := make(chan *Process, 1)
	go func() {
		a, err := r.Any(r.ctx)
		if err != nil {
			t.Error(err)
		}
		got <- a
	}()
	ctx, cancel := context.WithCancel(r.ctx)
	cancel()
	if _, err := r.For(ctx, nil); !errors.Is(err, context.Canceled) {
		t.Errorf("a dead agent, or no wait: %v", err)
	}
	r.started()[0].exit(&agent.ExitError{Asked: true}) // an end without a pause before the next start
	if a := await.Receive(t, "an agent", got); a == dead || a == nil {
		t.Error("the dead agent is used")
	}
}

// TestTheEndOfAProcessIsToldOnce: to the user and to each session, under however many names; an end that was asked for only
// to the sessions.
func TestTheEndOfAProcessIsToldOnce(t *testing.T) {
	for _, asked := range []bool{false, true} {
		r := newRig(t, func(*Config) {})
		a := r.get()
		one, two := newSession(), newSession()
		a.Bind("1", one)
		a.Alias("1", "also 1")
		a.Bind("2", two)
		if asked {
			a.Drop("it was asked to")
		} else {
			r.started()[0].crash()
		}
		await.Receive(t, "news of the end", one.gone)
		await.Receive(t, "news of the end", two.gone)
		told := 0
		for _, s := range r.told {
			if s.State == Gone {
				told++
			}
		}
		if want := map[bool]int{false: 1, true: 0}[asked]; told != want {
			t.Errorf("asked %v: told %d times, want %d", asked, told, want)
		}
	}
}

// TestNothingIsStartedOnceThePoolIsShut, and a start under way comes to nothing.
func TestNothingIsStartedOnceThePoolIsShut(t *testing.T) {
	begun, goOn := make(chan struct{}), make(chan struct{})
	var r *rig
	r = newRig(t, func(c *Config) {
		c.Start = func(ctx context.Context, h agent.Handler) (Agent, error) {
			close(begun)
			<-goOn
			return r.start(ctx, h)
		}
	})
	late := make(chan error, 1)
	go func() {
		_, err := r.Any(r.ctx)
		late <- err
	}()
	await.Receive(t, "a start", begun)
	r.Shut()
	if _, err := r.For(r.ctx, nil); !errors.Is(err, ErrClosed) {
		t.Errorf("after Shut: %v", err)
	}
	close(goOn)
	if err := await.Receive(t, "the end of the start", late); !errors.As(err, new(*UnavailableError)) {
		t.Errorf("the start under way: %v", err)
	}
	await.Receive(t, "the end of what was started", r.started()[0].Done())
}

// TestTheSignInOutlivesTheProcess that told of it.
func TestTheSignInOutlivesTheProcess(t *testing.T) {
	r := newRig(t, func(*Config) {})
	if state, _ := r.Auth(); state != AuthUnknown {
		t.Errorf("before anything is known: %s", state)
	}
	a := r.get()
	a.SetAuth(AuthSignedOut)
	a.Drop("signed out")
	if state, methods := r.Auth(); state != AuthSignedOut || methods == nil {
		t.Errorf("%s, %v", state, methods)
	}
	if _, ok := r.Info(); ok {
		t.Error("an agent is described that does not run")
	}
}
