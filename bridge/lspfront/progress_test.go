package lspfront

import (
	"encoding/json"
	"strings"
	"testing"
	"time"
)

// reports are the progress values under a token, as kind and message.
func (r *rig) reports(token string) (out []string) {
	for _, raw := range r.of("$/progress") {
		var p struct {
			Token json.RawMessage
			Value struct{ Kind, Message string }
		}
		if json.Unmarshal(raw, &p) == nil && string(p.Token) == token {
			out = append(out, strings.TrimSpace(p.Value.Kind+" "+p.Value.Message))
		}
	}
	return out
}

func (r *rig) awaitReports(token string, want ...string) {
	r.t.Helper()
	var got []string
	r.wait("progress "+strings.Join(want, ", "), func() bool {
		got = r.reports(token)
		return len(got) >= len(want)
	})
	if strings.Join(got, "|") != strings.Join(want, "|") {
		r.t.Fatalf("progress %q, want %q", got, want)
	}
}

const toolTurn = `
expect@turn session/prompt
mark begun
wait go
update tool_call {"toolCallId":"1","title":"Read \u001b[31ma.txt","status":"in_progress"}
update tool_call {"toolCallId":"2","title":"Run tests","status":"in_progress"}
mark running
wait stop
update tool_call_update {"toolCallId":"2","status":"completed"}
reply@turn {"stopReason":"end_turn"}
`

// TestProgressOfATurn guards begin after the editor's yes, at most four reports a second, and the end.
func TestProgressOfATurn(t *testing.T) {
	clock := newFakeClock(false)
	r := newRig(t, setup{script: toolTurn, clock: clock})
	agreed := make(chan struct{})
	r.on("window/workDoneProgress/create", func(json.RawMessage, <-chan struct{}) (any, *rpcError) {
		<-agreed
		return nil, nil
	})
	a := r.prompt("go")
	token := `"copilot-bridge/` + a.TurnID + `"`
	if err := r.agent(0).Await(t.Context(), "begun"); err != nil {
		t.Fatal(err)
	}
	r.awaitSent("window/workDoneProgress/create", 1)
	if n := len(r.sent("$/progress")); n > 0 {
		t.Fatalf("%d reports before the editor has made the token", n)
	}
	close(agreed)
	r.awaitReports(token, "begin")
	clock.advance(time.Second)
	r.agent(0).Set("go")
	if err := r.agent(0).Await(t.Context(), "running"); err != nil {
		t.Fatal(err)
	}
	r.awaitReports(token, "begin", "report Read <U+001B>[31ma.txt")
	r.awaitTimer(clock)
	clock.advance(250 * time.Millisecond)
	r.awaitReports(token, "begin", "report Read <U+001B>[31ma.txt", "report Run tests")
	r.agent(0).Set("stop")
	r.ends(a.TurnID)
	r.awaitReports(token, "begin", "report Read <U+001B>[31ma.txt", "report Run tests", "end done")
}

// awaitTimer waits until somebody waits for the clock.
func (r *rig) awaitTimer(c *fakeClock) {
	r.t.Helper()
	for c.waiting() == 0 {
		select {
		case <-c.set:
		case <-r.t.Context().Done():
			r.t.Fatal("nobody set a timer")
		}
	}
}

// TestProgressUnderTheClientsToken guards that it is used instead of one of ours, also with a plugin that shows updates.
func TestProgressUnderTheClientsToken(t *testing.T) {
	r := newRig(t, setup{script: toolTurn, rich: []string{"updates"}})
	var s sessionParams
	r.command("newSession", obj{}, &s)
	var p promptResult
	r.call("copilot-bridge/session/prompt", obj{"sessionId": s.SessionID, "prompt": []obj{{"type": "text", "text": "go"}}, "workDoneToken": 7}, &p)
	r.wait("the beginning", func() bool { return len(r.reports("7")) > 0 })
	r.agent(0).Set("go")
	r.agent(0).Set("stop")
	r.wait("the end", func() bool { got := r.reports("7"); return len(got) > 0 && strings.HasPrefix(got[len(got)-1], "end") })
	if n := len(r.sent("window/workDoneProgress/create")); n > 0 {
		t.Errorf("%d tokens were made beside the client's", n)
	}
}

// TestProgressIsCancelled guards the button: the turn of the token ends, and so does the progress.
func TestProgressIsCancelled(t *testing.T) {
	r := newRig(t, setup{scripts: []string{"handshake\nstub session/close\nsession s1\nexpect@turn session/prompt\nmark begun\nexpect session/cancel\nreply@turn {\"stopReason\":\"cancelled\"}\n"}})
	a := r.prompt("go")
	r.awaitReports(`"copilot-bridge/`+a.TurnID+`"`, "begin")
	if err := r.agent(0).Await(t.Context(), "begun"); err != nil {
		t.Fatal(err)
	}
	r.notify("window/workDoneProgress/cancel", obj{"token": "copilot-bridge/" + a.TurnID})
	r.ends(a.TurnID)
	r.awaitReports(`"copilot-bridge/`+a.TurnID+`"`, "begin", "end cancelled")
}

// TestNoProgressForEditorsWithout guards editors that have none, and those that refuse a token.
func TestNoProgressForEditorsWithout(t *testing.T) {
	script := "expect@turn session/prompt\nreply@turn {\"stopReason\":\"end_turn\"}\nmark over\n"
	refuses := newRig(t, setup{script: script})
	refuses.on("window/workDoneProgress/create", mute)
	without := newRig(t, setup{script: script, without: []string{"window.workDoneProgress"}})
	for name, r := range map[string]*rig{"refuses": refuses, "without": without} {
		r.prompt("go")
		if err := r.agent(0).Await(t.Context(), "over"); err != nil {
			t.Fatal(err)
		}
		r.command("status", obj{}, nil)
		if n := len(r.sent("$/progress")); n > 0 {
			t.Errorf("%s: %d reports", name, n)
		}
	}
	if n := len(without.sent("window/workDoneProgress/create")); n > 0 {
		t.Errorf("%d tokens for an editor without progress", n)
	}
}
