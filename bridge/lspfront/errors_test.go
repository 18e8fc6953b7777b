package lspfront

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/copilot-bridge/copilot-bridge/bridge"
)

// TestASessionThatIsHeldSaysByWhom guards the member that clients act on: they wait for the process that has a session open,
// and must not have to find that out from a sentence.
func TestASessionThatIsHeldSaysByWhom(t *testing.T) {
	one := newRig(t, setup{script: quiet})
	session := one.turn("hello").SessionID
	two := newRig(t, setup{scripts: []string{"handshake\n"}, dir: one.dir, config: func(c *bridge.Config) { c.StateDir = one.state }})
	for _, method := range []string{"session/load", "session/delete"} {
		_, err := two.try(prefix+method, obj{"sessionId": session})
		var e *rpcError
		if !errors.As(err, &e) {
			t.Fatalf("%s: %v", method, err)
		}
		var data errorData
		if err := json.Unmarshal(e.Data, &data); err != nil || e.Code != bridge.CodeAgentUnavailable || !strings.HasPrefix(data.HeldBy, "process ") {
			t.Errorf("%s: %d %s %v, want who holds the session", method, e.Code, e.Data, err)
		}
	}
	_, err := two.try(prefix+"session/load", obj{"sessionId": "s-nothing"})
	e, ok := err.(*rpcError)
	if !ok || strings.Contains(string(e.Data), "heldBy") {
		t.Fatalf("a session that is not there: %v", err)
	}
	var data errorData
	if err := json.Unmarshal(e.Data, &data); err != nil || data.Reason == "" || data.Hint == "" || e.Message != data.Reason+"; "+data.Hint {
		t.Errorf("%q has the data %s: want the reason and the hint apart", e.Message, e.Data)
	}
}
