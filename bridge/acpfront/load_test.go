package acpfront

import (
	"strings"
	"testing"
)

// TestAnEditorMayTryInitializeAgain: an agent that could not be started may be there the next time. What is under way or has
// been done is not done twice.
func TestAnEditorMayTryInitializeAgain(t *testing.T) {
	r := newRig(t, setup{})
	const params = `{"protocolVersion":1,"clientCapabilities":` + fsCaps + `}`
	begin := func(id string) {
		r.editor.raw(`{"jsonrpc":"2.0","id":"` + id + `","method":"initialize","params":` + params + `}`)
	}
	begin("one")
	a := <-r.came
	a.expect("initialize")
	begin("beside")
	if got := string(r.editor.response(`"beside"`).Error); !strings.Contains(got, "second time") {
		t.Errorf("beside another one: %s", got)
	}
	a.out.Close() // it dies in its start
	if got := string(r.editor.response(`"one"`).Error); !strings.Contains(got, "-32051") {
		t.Errorf("an agent that does not start: %s", got)
	}
	if got := r.editor.refused("session/new", obj{"cwd": r.dir, "mcpServers": []any{}}); !strings.Contains(got.Message, "initialize") {
		t.Errorf("a session of no agent: %+v", got)
	}
	a, m := r.connect(setup{})
	if m.Error != nil {
		t.Fatalf("again: %s", m.Error)
	}
	r.session(a, "s1")
	begin("three")
	if got := string(r.editor.response(`"three"`).Error); !strings.Contains(got, "second time") {
		t.Errorf("a third one: %s", got)
	}
}

// TestALoadHoldsNothingElseUp: while the agent takes its time over one session, others are loaded and used, the same one is
// spoken of, and a second load of it is answered after the first.
func TestALoadHoldsNothingElseUp(t *testing.T) {
	r := newRig(t, setup{})
	a, _ := r.connect(setup{})
	r.session(a, "open")
	load := func(id string) string {
		return r.editor.request("session/load", obj{"sessionId": id, "cwd": r.dir, "mcpServers": []any{}})
	}
	slow := load("slow")
	first := a.expect("session/load")
	mode := r.editor.request("session/set_mode", obj{"sessionId": "slow", "modeId": "m"})
	a.answer(a.expect("session/set_mode"), obj{})
	r.editor.response(mode)
	other := load("other")
	a.answer(a.expect("session/load"), obj{})
	if m := r.editor.response(other); m.Error != nil {
		t.Errorf("the other one: %s", m.Error)
	}
	id, m := r.prompt(a, "open", "go")
	r.end(a, id, m)

	again := load("slow")
	r.editor.raw(`{"jsonrpc":"2.0","method":"$/cancel_request","params":{"requestId":` + slow + `}}`)
	if got := string(a.expect("$/cancel_request").Params); !strings.Contains(got, string(first.ID)) {
		t.Errorf("the agent is told to cancel %s, not %s", got, first.ID)
	}
	a.answer(first, failure{-32800, "cancelled"})
	if got := string(r.editor.response(slow).Error); !strings.Contains(got, "-32800") {
		t.Errorf("the one that was cancelled: %s", got)
	}
	a.answer(a.expect("session/load"), obj{})
	if m := r.editor.response(again); m.Error != nil {
		t.Errorf("the second load: %s", m.Error)
	}
	id, m = r.prompt(a, "slow", "go")
	r.end(a, id, m)
}
