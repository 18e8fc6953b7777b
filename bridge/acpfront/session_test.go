package acpfront

import (
	"encoding/json"
	"strings"
	"testing"
)

func TestPromptsQueue(t *testing.T) {
	r := newRig(t, setup{})
	a, _ := r.connect(setup{})
	r.session(a, "s1")
	one, m := r.prompt(a, "s1", "one")
	two := r.editor.request("session/prompt", obj{"sessionId": "s1", "prompt": []any{obj{"type": "text", "text": "two"}}})
	three := r.editor.request("session/prompt", obj{"sessionId": "s1", "prompt": []any{obj{"type": "text", "text": "three"}}})
	r.editor.raw(`{"jsonrpc":"2.0","method":"$/cancel_request","params":{"requestId":` + two + `}}`)
	if got := string(r.editor.response(two).Error); !strings.Contains(got, "-32800") {
		t.Errorf("a prompt taken back: %s", got)
	}
	r.end(a, one, m)
	m = a.expect("session/prompt")
	if !strings.Contains(string(m.Params), "three") {
		t.Errorf("next is %s", m.line)
	}
	r.end(a, three, m)
}

func TestCancel(t *testing.T) {
	r := newRig(t, setup{})
	a, _ := r.connect(setup{})
	r.session(a, "s1")
	id, m := r.prompt(a, "s1", "go")
	waits := r.editor.request("session/prompt", obj{"sessionId": "s1", "prompt": []any{}})
	a.raw(`{"jsonrpc":"2.0","id":"q","method":"session/request_permission","params":{"sessionId":"s1","toolCall":{"toolCallId":"c","kind":"edit","title":"x"},"options":[{"optionId":"y","name":"Y","kind":"allow_once"},{"optionId":"n","name":"N","kind":"reject_once"}]}}`)
	q := r.editor.expect("session/request_permission")
	r.editor.raw(`{"jsonrpc":"2.0","method":"session/cancel","params":{"sessionId":"s1","_meta":{"why":1.0}}}`)
	r.editor.raw(`{"jsonrpc":"2.0","method":"session/cancel","params":{"sessionId":"s1"}}`) // an impatient key
	if got := string(a.expect("session/cancel").Params); got != `{"sessionId":"s1","_meta":{"why":1.0}}` {
		t.Errorf("the agent was sent %s", got)
	}
	if got := string(a.response(`"q"`).Result); got != `{"outcome":{"outcome":"cancelled"}}` {
		t.Errorf("the question was answered %s", got)
	}
	r.editor.answer(q, obj{"outcome": obj{"outcome": "cancelled"}}) // as an editor must
	a.answer(m, failure{-32603, "aborted"})
	for _, id := range []string{id, waits} {
		if got := string(r.editor.response(id).Result); got != `{"stopReason":"cancelled"}` {
			t.Errorf("a cancelled prompt was answered %s", got)
		}
	}
	id, m = r.prompt(a, "s1", "again")
	r.end(a, id, m)
}

// TestASecondCancelEndsWhatCameBetween: the agent takes its time over the first cancel, and hears of it once; a prompt
// that was sent meanwhile never reaches it.
func TestASecondCancelEndsWhatCameBetween(t *testing.T) {
	r := newRig(t, setup{})
	a, _ := r.connect(setup{})
	r.session(a, "s1")
	one, m := r.prompt(a, "s1", "one")
	r.editor.notify("session/cancel", obj{"sessionId": "s1"})
	a.expect("session/cancel")
	two := r.editor.request("session/prompt", obj{"sessionId": "s1", "prompt": []any{obj{"type": "text", "text": "two"}}})
	r.editor.notify("session/cancel", obj{"sessionId": "s1"})
	if got := string(r.editor.response(two).Result); got != `{"stopReason":"cancelled"}` {
		t.Errorf("the second prompt was answered %s", got)
	}
	a.answer(m, obj{"stopReason": "cancelled"})
	r.editor.response(one)
	three, m := r.prompt(a, "s1", "three")
	if !strings.Contains(string(m.Params), "three") {
		t.Errorf("next is %s", m.line)
	}
	r.end(a, three, m)
}

// TestCancelThatComesTooLate: the agent's own answer stands.
func TestCancelThatComesTooLate(t *testing.T) {
	r := newRig(t, setup{})
	a, _ := r.connect(setup{})
	r.session(a, "s1")
	id, m := r.prompt(a, "s1", "go")
	a.raw(`{"jsonrpc":"2.0","id":` + string(m.ID) + `,"result":{"stopReason":"end_turn","_meta":{"n":1.0}}}`)
	r.editor.notify("session/cancel", obj{"sessionId": "s1"})
	if got := string(r.editor.response(id).Result); got != `{"stopReason":"end_turn","_meta":{"n":1.0}}` {
		t.Errorf("answered %s", got)
	}
}

func TestResumeOfAnAgentThatOnlyLoads(t *testing.T) {
	r := newRig(t, setup{})
	a, _ := r.connect(setup{})
	id := r.editor.request("session/resume", obj{"sessionId": "s7", "cwd": r.dir, "mcpServers": []any{}})
	m := a.expect("session/load")
	a.raw(`{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"s7","update":{"sessionUpdate":"agent_message_chunk","content":{"type":"text","text":"old"}}}}`)
	a.raw(`{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"s7","update":{"sessionUpdate":"tool_call","toolCallId":"t","title":"old"}}}`)
	a.raw(`{"jsonrpc":"2.0","id":` + string(m.ID) + `,"result":{"configOptions":[],"x":1.0}}`)
	if got := string(withoutOurs(r.editor.response(id).Result, []byte(`"configOptions"`))); got != `{"configOptions":[],"x":1.0}` {
		t.Errorf("answered %s", got)
	}
	if got := r.editor.updates(); len(got) > 0 {
		t.Errorf("a resume shows %q", got)
	}
	id, m = r.prompt(a, "s7", "go")
	r.end(a, id, m)
}

func TestLoadShowsTheHistory(t *testing.T) {
	r := newRig(t, setup{})
	a, _ := r.connect(setup{})
	id := r.editor.request("session/load", obj{"sessionId": "s7", "cwd": r.dir, "mcpServers": []any{}, "_meta": obj{"a": 1}})
	m := a.expect("session/load")
	if !strings.Contains(string(m.Params), `"_meta":{"a":1}`) {
		t.Errorf("the agent was sent %s", m.Params)
	}
	a.raw(`{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"s7","update":{"sessionUpdate":"agent_message_chunk","content":{"type":"text","text":"old"}}}}`)
	a.raw(`{"jsonrpc":"2.0","id":` + string(m.ID) + `,"result":null}`)
	if got := string(withoutOurs(r.editor.response(id).Result, nil)); got != "{}" || r.editor.said() != "old" { // null, with the bridge's options
		t.Errorf("answered %s after %q", got, r.editor.said())
	}
}

// die ends an agent as a crash does.
func (r *rig) die(a *peer) {
	a.out.Close()
	<-a.gone
}

func TestACrashBetweenTurns(t *testing.T) {
	r := newRig(t, setup{})
	a, _ := r.connect(setup{})
	r.session(a, "s1")
	id, m := r.prompt(a, "s1", "one")
	a.raw(`{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"s1","update":{"sessionUpdate":"agent_message_chunk","content":{"type":"text","text":"noted"}}}}`)
	r.end(a, id, m)
	r.die(a)
	id = r.editor.request("session/prompt", obj{"sessionId": "s1", "prompt": []any{obj{"type": "text", "text": "two"}}})
	b := r.agent(agentInfo)
	load := b.expect("session/load")
	if str(load.Params, "sessionId") != "s1" || str(load.Params, "cwd") != r.dir {
		t.Errorf("loaded with %s", load.Params)
	}
	b.raw(`{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"s1","update":{"sessionUpdate":"agent_message_chunk","content":{"type":"text","text":"noted"}}}}`)
	b.answer(load, obj{})
	r.end(b, id, b.expect("session/prompt"))
	if got := r.editor.said(); got != "noted" {
		t.Errorf("said %q", got)
	}
}

func TestACrashInTheMidstOfATurn(t *testing.T) {
	r := newRig(t, setup{})
	a, _ := r.connect(setup{})
	r.session(a, "s1")
	id, _ := r.prompt(a, "s1", "one")
	a.raw(`{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"s1","update":{"sessionUpdate":"tool_call","toolCallId":"c","title":"t","status":"in_progress"}}}`)
	r.editor.expect("session/update")
	r.die(a)
	var f failure
	if err := json.Unmarshal(r.editor.response(id).Error, &f); err != nil || f.Code != -32051 || !strings.HasPrefix(f.Message, "Interrupted. Send again? The ") || !strings.Contains(f.Message, "send the prompt again") {
		t.Errorf("the prompt was answered %+v: %v", f, err)
	}
	if last := r.editor.updates(); !strings.Contains(last[len(last)-1], `"toolCallId":"c","status":"failed"`) {
		t.Errorf("the open tool call was not closed: %s", last[len(last)-1])
	}
	id = r.editor.request("session/prompt", obj{"sessionId": "s1", "prompt": []any{}})
	b := r.agent(agentInfo)
	b.answer(b.expect("session/load"), obj{})
	r.end(b, id, b.expect("session/prompt"))
}

// lost has an agent die after a prompt in session s1, and another say that it has no such session. It returns the other and the
// prompt that waits for it.
func (r *rig) lost(said string) (b *peer, id string) {
	a, _ := r.connect(setup{})
	r.session(a, "s1")
	id, m := r.prompt(a, "s1", said)
	r.end(a, id, m)
	r.die(a)
	id = r.editor.request("session/prompt", obj{"sessionId": "s1", "prompt": []any{obj{"type": "text", "text": "two"}}})
	b = r.agent(agentInfo)
	b.answer(b.expect("session/load"), failure{-32002, "no such session"})
	return b, id
}

// TestASessionThatTheAgentHasLost: a new one stands in for it, under the id that the editor knows, in both directions
// and for methods that nobody here has heard of.
func TestASessionThatTheAgentHasLost(t *testing.T) {
	r := newRig(t, setup{})
	b, id := r.lost("remember BLUE")
	fresh := b.expect("session/new")
	b.raw(`{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"n1","update":{"sessionUpdate":"available_commands_update","availableCommands":[],"z":1.0}}}`)
	b.answer(fresh, obj{"sessionId": "n1"})
	p := b.expect("session/prompt")
	if str(p.Params, "sessionId") != "n1" || !strings.Contains(string(p.Params), "BLUE") {
		t.Errorf("the agent was sent %s", p.Params)
	}
	b.raw(`{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"n1","update":{"sessionUpdate":"agent_message_chunk","content":{"type":"text","text":"hi"}}}}`)
	b.raw(`{"jsonrpc":"2.0","id":"x","method":"craft/ask","params":{"a":1.0,"sessionId":"n1"}}`)
	q := r.editor.expect("craft/ask")
	if string(q.Params) != `{"a":1.0,"sessionId":"s1"}` {
		t.Errorf("the editor was asked %s", q.Params)
	}
	r.editor.answer(q, obj{})
	r.end(b, id, p)
	if strings.Contains(strings.Join(r.editor.updates(), ""), "n1") {
		t.Errorf("the editor was told of the agent's new id: %s", r.editor.updates())
	}
	if !strings.Contains(r.editor.said(), "lost the history") || !strings.HasSuffix(r.editor.said(), "hi") {
		t.Errorf("said %q", r.editor.said())
	}
	r.editor.notify("_tell", obj{"sessionId": "s1"})
	if got := str(b.expect("_tell").Params, "sessionId"); got != "n1" {
		t.Errorf("the agent was told of %q", got)
	}
	// And in the next run of the bridge.
	r.editor.close()
	next := newRig(t, setup{state: r.state})
	next.dir = r.dir
	c, _ := next.connect(setup{})
	id = next.editor.request("session/load", obj{"sessionId": "s1", "cwd": r.dir, "mcpServers": []any{}})
	load := c.expect("session/load")
	if got := str(load.Params, "sessionId"); got != "n1" {
		t.Errorf("the next run loads %q", got)
	}
	c.answer(load, obj{})
	next.editor.response(id)
}

// TestASessionThatAnotherBridgeIsStillClosing: the store knows what the agent calls the session now, and is asked when that bridge
// lets go of it. Until then the agent would be asked for a session that it does not have.
func TestASessionThatAnotherBridgeIsStillClosing(t *testing.T) {
	r := newRig(t, setup{})
	b, id := r.lost("one")
	b.answer(b.expect("session/new"), obj{"sessionId": "n1"})
	r.end(b, id, b.expect("session/prompt"))
	next := newRig(t, setup{state: r.state})
	next.dir = r.dir
	c, _ := next.connect(setup{})
	id = next.editor.request("session/load", obj{"sessionId": "s1", "cwd": r.dir, "mcpServers": []any{}})
	r.editor.close()
	load := c.expect("session/load")
	if got := str(load.Params, "sessionId"); got != "n1" {
		t.Errorf("the next run loads %q", got)
	}
	c.answer(load, obj{})
	next.editor.response(id)
}

func TestTwoSessions(t *testing.T) {
	r := newRig(t, setup{})
	a, _ := r.connect(setup{})
	r.session(a, "s1")
	r.session(a, "s2")
	one, m1 := r.prompt(a, "s1", "one")
	two, m2 := r.prompt(a, "s2", "two")
	r.editor.notify("session/cancel", obj{"sessionId": "s2"})
	if got := str(a.expect("session/cancel").Params, "sessionId"); got != "s2" {
		t.Errorf("cancelled %q", got)
	}
	a.answer(m2, obj{"stopReason": "cancelled"})
	r.editor.response(two)
	r.end(a, one, m1)
	id := r.editor.request("session/close", obj{"sessionId": "s1"})
	a.answer(a.expect("session/close"), obj{})
	r.editor.response(id)
	id, m := r.prompt(a, "s2", "on")
	r.end(a, id, m)
}
