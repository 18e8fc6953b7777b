package agents

import (
	"context"
	"fmt"
	"slices"
	"testing"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/copilot-bridge/copilot-bridge/acp"
	"github.com/copilot-bridge/copilot-bridge/internal/await"
)

// TestAnAgentThatTalksOfSessionsNobodyKnowsIsBounded: the newest ones are those that somebody may be opening.
func TestAnAgentThatTalksOfSessionsNobodyKnowsIsBounded(t *testing.T) {
	a := newRig(t, func(*Config) {}).get()
	d, s := &a.sessions, newSession()
	for i := range 10 * maxEarlySessions {
		for n := range 2 * maxEarly / maxEarlySessions {
			a.Deliver(acp.SessionID(fmt.Sprint("s", i)), s.take(n))
		}
	}
	for n := range 2 * maxEarly {
		a.Deliver("last", s.take(n))
	}
	if len(d.early) != maxEarlySessions || len(d.waits) != maxEarlySessions || len(d.early["last"]) != maxEarly {
		t.Fatalf("%d sessions, %d in order, %d updates of the last", len(d.early), len(d.waits), len(d.early["last"]))
	}
	if d.early["s0"] != nil {
		t.Error("the oldest is kept")
	}
	a.Bind("last", s)
	a.Deliver("last", s.take(maxEarly))
	if len(s.taken) != maxEarly+1 || !slices.IsSorted(s.taken) || len(d.waits) != maxEarlySessions-1 {
		t.Errorf("%d updates arrived, %d sessions wait", len(s.taken), len(d.waits))
	}
}

// TestACallWaitsForItsSession: the editor tools are there before session/new is answered, and may call it by another name.
func TestACallWaitsForItsSession(t *testing.T) {
	r := newRig(t, func(*Config) {})
	a, s := r.get(), newSession()
	got := make(chan Receiver, 1)
	go func() {
		found, err := a.Await(r.ctx, "ticket")
		if err != nil {
			t.Error(err)
		}
		got <- found
	}()
	a.Alias("s1", "ticket") // of nothing yet
	a.Bind("s1", s)
	a.Alias("s1", "ticket")
	if await.Receive(t, "the session", got) != s {
		t.Error("another session")
	}
	for raw, want := range map[string]Receiver{`"s1"`: s, `"\u0073\u0031"`: s, `"s2"`: nil, `s1`: nil, ``: nil, `"`: nil} {
		if found := a.SessionByRaw(jsontext.Value(raw)); found != want {
			t.Errorf("%s is %v", raw, found)
		}
	}
	a.Unbind("s1")
	if a.Session("ticket") != nil {
		t.Error("a closed session has a name left")
	}
	ctx, cancel := context.WithCancel(r.ctx)
	cancel()
	if _, err := a.Await(ctx, "s1"); err == nil {
		t.Error("found a closed session")
	}
	r.started()[0].crash()
	if _, err := a.Await(r.ctx, "s1"); err == nil {
		t.Error("found a session of an agent that has ended")
	}
}
