package session_test

import (
	"strings"
	"testing"
	"time"
)

// an agent that crashes at every start is left alone after five tries, and that is said.
func TestACrashLoopIsLeftAlone(t *testing.T) {
	t.Parallel()
	r := newRig(t, nil, hello+"expect session/prompt\nclose", "handshake\nexpect session/load\nclose")
	r.b.Config().Agents.Clock = fastClock{}
	r.open()
	var end *TurnEnded
	for n := 1; ; n++ {
		end = r.ended(r.prompt("again"))
		r.until("the end of the agent", func([]Event) bool { return r.link() == nil })
		if end.Err == nil || n > 7 {
			t.Fatalf("prompt %d ended with %v", n, end.Err)
		}
		if strings.Contains(end.Err.Message, "5 times") {
			break
		}
	}
	if n := len(r.agents); n != 6 {
		t.Errorf("%d agents were started, want 1 and 5 more", n)
	}
	if end.Err.Code != CodeAgentUnavailable {
		t.Errorf("code %d", end.Err.Code)
	}
}

// fastClock has all pauses over at once, within one minute.
type fastClock struct{}

func (fastClock) Now() time.Time { return time.Unix(0, 0) }

func (fastClock) After(time.Duration) <-chan time.Time {
	c := make(chan time.Time, 1)
	c <- time.Time{}
	return c
}

// an agent that dies while it loads the session gets no prompt; the prompt that failed is not sent by itself.
func TestACrashWhileLoadingSendsNothing(t *testing.T) {
	t.Parallel()
	r := lasting(t, hello+"expect session/prompt\nclose",
		"handshake\nexpect session/load\nclose",
		reloads+"reply@l {}\nexpect session/prompt {\"prompt\":[{\"text\":\"three\"}]}\nreply {\"stopReason\":\"end_turn\"}").open()
	r.b.Config().Agents.Clock = fastClock{}
	for _, text := range []string{"one", "two"} {
		end := r.ended(r.prompt(text))
		if end.Err == nil || end.Err.Code != CodeAgentUnavailable || !end.Err.Retryable {
			t.Fatalf("%s ended with %v", text, end.Err)
		}
		r.until("the end of the agent", func([]Event) bool { return r.link() == nil })
	}
	r.run("three")
	if n := len(happenings(r.events(), "history_lost")); n != 0 {
		t.Fatal("the session was taken for lost")
	}
}
