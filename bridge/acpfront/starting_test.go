package acpfront

import (
	"strings"
	"testing"
)

const atOnce = `{"jsonrpc":"2.0","id":"i","method":"initialize","params":{"protocolVersion":1,"clientCapabilities":` + fsCaps + `,"clientInfo":{"name":"agentic.nvim","version":"1"}}}` + "\n" +
	`{"jsonrpc":"2.0","id":"n","method":"session/new","params":{"cwd":"/w","mcpServers":[]}}` + "\n" +
	`{"jsonrpc":"2.0","id":"p","method":"session/prompt","params":{"sessionId":"s1","prompt":[]}}`

// TestWhatComesBeforeTheAnswerToInitializeWaitsForIt: as agentic.nvim does, in the order in which it came.
func TestWhatComesBeforeTheAnswerToInitializeWaitsForIt(t *testing.T) {
	r := newRig(t, setup{})
	r.editor.raw(strings.ReplaceAll(atOnce, "/w", r.dir))
	a := r.agent(agentInfo)
	if m := r.editor.response(`"i"`); m.Error != nil {
		t.Fatalf("initialize: %s", m.Error)
	}
	a.answer(a.expect("session/new"), obj{"sessionId": "s1"})
	if m := r.editor.response(`"n"`); m.Error != nil {
		t.Fatalf("session/new: %s", m.Error)
	}
	a.answer(a.expect("session/prompt"), obj{"stopReason": "end_turn"})
	if m := r.editor.response(`"p"`); m.Error != nil {
		t.Errorf("session/prompt: %s", m.Error)
	}
}

// TestTooMuchBeforeTheAnswerToInitializeIsRefused guards that an editor that never waits costs no memory, and that a second initialize
// is refused at once.
func TestTooMuchBeforeTheAnswerToInitializeIsRefused(t *testing.T) {
	r := newRig(t, setup{})
	r.editor.raw(strings.SplitN(atOnce, "\n", 2)[0])
	var came *peer
	select {
	case came = <-r.came:
	case <-t.Context().Done():
	}
	hello := came.expect("initialize")
	r.editor.raw(`{"jsonrpc":"2.0","id":"again","method":"initialize","params":{"protocolVersion":1}}`)
	if m := r.editor.response(`"again"`); m.Error == nil {
		t.Error("a second initialize was answered")
	}
	for range heldLimit {
		r.editor.request("session/list", obj{})
	}
	if f := r.editor.refused("session/list", obj{}); !strings.Contains(f.Message, "wait for it") {
		t.Errorf("refused with %q", f.Message)
	}
	came.raw(`{"jsonrpc":"2.0","id":` + string(hello.ID) + `,"result":` + agentInfo + `}`)
	for range heldLimit {
		came.answer(came.expect("session/list"), obj{"sessions": []any{}})
	}
}
