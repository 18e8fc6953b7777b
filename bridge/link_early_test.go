package bridge

import (
	"fmt"
	"testing"

	"github.com/rs/zerolog"

	"github.com/copilot-bridge/copilot-bridge/acp"
)

// TestAnAgentThatTalksOfSessionsNobodyKnowsIsBounded: the newest ones are those that somebody may be opening.
func TestAnAgentThatTalksOfSessionsNobodyKnowsIsBounded(t *testing.T) {
	l := newLink(&Bridge{cfg: Config{Log: zerolog.Nop()}})
	for i := range 10 * maxEarlySessions {
		for n := range 2 * maxEarly / maxEarlySessions {
			l.put(acp.SessionID(fmt.Sprint("s", i)), n)
		}
	}
	for n := range 2 * maxEarly {
		l.put("last", n)
	}
	if len(l.early) != maxEarlySessions || len(l.waits) != maxEarlySessions || len(l.early["last"]) != maxEarly {
		t.Fatalf("%d sessions, %d in order, %d updates of the last", len(l.early), len(l.waits), len(l.early["last"]))
	}
	if l.early["s0"] != nil {
		t.Error("the oldest is kept")
	}
	s := &Session{in: newInbox()}
	l.bind("last", s)
	if got := len(s.in.take()); got != maxEarly || len(l.waits) != maxEarlySessions-1 {
		t.Errorf("%d updates arrived, %d sessions wait", got, len(l.waits))
	}
}
