package lspfront

import (
	"strings"
	"testing"
)

// TestTheUsersTitleStays guards that a session is called what the user called it, whatever the agent says afterwards.
func TestTheUsersTitleStays(t *testing.T) {
	r := newRig(t, setup{script: `
expect@turn session/prompt
update session_info_update {"title":"the agent's"}
reply@turn {"stopReason":"end_turn"}
expect@turn session/prompt
update session_info_update {"title":"the agent's again"}
reply@turn {"stopReason":"end_turn"}
`})
	title := func() string {
		var list struct {
			Sessions []struct{ SessionID, Title string }
		}
		r.call("copilot-bridge/session/list", obj{}, &list)
		if len(list.Sessions) != 1 {
			t.Fatalf("listed are %+v", list.Sessions)
		}
		return list.Sessions[0].Title
	}
	first := r.turn("one")
	if got := title(); got != "the agent's" {
		t.Errorf("before: %q", got)
	}
	r.call("copilot-bridge/session/setTitle", obj{"sessionId": first.SessionID, "title": " what I\n call it "}, nil)
	r.turn("two")
	if got := title(); got != "what I call it" {
		t.Errorf("after: %q", got)
	}
	r.command("setTitle", obj{"title": "by command"}, nil)
	if got := title(); got != "by command" {
		t.Errorf("by command: %q", got)
	}
	r.fails(-32602, "copilot-bridge/session/setTitle", obj{"sessionId": first.SessionID, "title": " \n"})
	r.fails(-32052, "copilot-bridge/session/setTitle", obj{"sessionId": "s-none", "title": "x"})
	r.call("copilot-bridge/session/close", obj{"sessionId": first.SessionID}, nil)
	for { // it is let go of behind the answer
		_, err := r.try("copilot-bridge/session/setTitle", obj{"sessionId": first.SessionID, "title": "of one that is closed"})
		if err == nil {
			break
		}
		if !strings.Contains(err.Error(), "in use") {
			t.Fatalf("closed: %v", err)
		}
	}
	if got := title(); got != "of one that is closed" {
		t.Errorf("closed: %q", got)
	}
}
