package acpfront

import (
	"encoding/json"
	"strings"
	"sync"
	"testing"

	"github.com/copilot-bridge/copilot-bridge/bridge"
	"github.com/copilot-bridge/copilot-bridge/bridge/policy"
)

// TestAnEditorIsShownThePlanModeThatHolds: what the agent says of its mode reaches an editor that speaks ACP as it is here,
// in updates, in answers, and for a session that is loaded again by another run.
func TestAnEditorIsShownThePlanModeThatHolds(t *testing.T) {
	modes := func(now string) obj {
		return obj{"currentModeId": now, "availableModes": []any{obj{"id": "plan", "name": "Plan"}, obj{"id": "agent", "name": "Agent"}}}
	}
	options := func(now string) []any {
		return []any{obj{"id": "mode", "name": "Mode", "category": "mode", "type": "select", "currentValue": now, "options": []any{obj{"value": "plan", "name": "Plan"}, obj{"value": "agent", "name": "Agent"}}},
			obj{"id": "model", "name": "Model", "type": "select", "currentValue": "agent", "options": []any{obj{"value": "agent", "name": "a model of that name"}}}}
	}
	allowed := func(c *bridge.Config) {
		c.Rules = []policy.Rule{{Tool: policy.ToolEdit, Path: "**", Decision: policy.Allow}}
	}
	r := newRig(t, setup{files: map[string]string{"a.txt": "one\n"}, config: allowed})
	content := "one\n" // of a.txt, in both editors
	var mu sync.Mutex
	reads := func(message) any {
		mu.Lock()
		defer mu.Unlock()
		return obj{"content": content}
	}
	writes := func(m message) any {
		mu.Lock()
		defer mu.Unlock()
		var p struct{ Content string }
		if err := json.Unmarshal(m.Params, &p); err != nil {
			t.Error(err)
		}
		content = p.Content
		return obj{}
	}
	r.editor.auto["fs/read_text_file"] = reads
	a, _ := r.connect(setup{})
	ask := func(r *rig, a *peer, method string, params, answer obj) string {
		t.Helper()
		id := r.editor.request(method, params)
		a.answer(a.expect(method), answer)
		return string(r.editor.response(id).Result)
	}
	plan := func(text string) {
		t.Helper()
		if !strings.Contains(text, `"plan"`) || strings.Contains(text, `"currentModeId":"agent"`) || strings.Count(text, `"currentValue":"agent"`) > 1 {
			t.Errorf("the editor is told %s", text)
		}
	}
	refused := func(r *rig, a *peer) {
		t.Helper()
		id, m := r.prompt(a, "s1", "go")
		if e := a.refused("fs/write_text_file", obj{"sessionId": "s1", "path": r.path("a.txt"), "content": "evil\n"}); !strings.Contains(e.Message, "plan mode") {
			t.Errorf("a write: %+v", e)
		}
		r.end(a, id, m)
	}
	ask(r, a, "session/new", obj{"cwd": r.dir, "mcpServers": []any{}}, obj{"sessionId": "s1", "modes": modes("agent"), "configOptions": options("agent")})
	ask(r, a, "session/set_mode", obj{"sessionId": "s1", "modeId": "plan"}, obj{})
	for _, update := range []obj{
		{"sessionUpdate": "current_mode_update", "currentModeId": "agent"},
		{"sessionUpdate": "config_option_update", "configOptions": options("agent"), "_meta": obj{"n": json.RawMessage("12345678901234567890")}},
	} {
		a.notify("session/update", obj{"sessionId": "s1", "update": update})
		for {
			m := r.editor.expect("session/update")
			if strings.Contains(m.line, "nobody left it here") {
				continue // that it holds
			}
			plan(string(m.Params))
			if _, ok := update["_meta"]; ok && !strings.Contains(m.line, "12345678901234567890") {
				t.Errorf("changed elsewhere too: %s", m.line)
			}
			break
		}
	}
	plan(ask(r, a, "session/set_config_option", obj{"sessionId": "s1", "configId": "model", "value": "m"}, obj{"configOptions": options("agent")}))
	refused(r, a)
	id := r.editor.request("session/load", obj{"sessionId": "s1", "cwd": r.dir, "mcpServers": []any{}})
	a.answer(a.expect("session/load"), obj{"modes": modes("agent"), "configOptions": options("agent")})
	a.answer(a.expect("session/set_mode"), failure{-32603, "no"})
	plan(string(r.editor.response(id).Result))
	refused(r, a)
	fork := r.editor.request("session/fork", obj{"sessionId": "s1", "cwd": r.dir, "mcpServers": []any{}})
	a.answer(a.expect("session/fork"), obj{"sessionId": "s2", "modes": modes("agent"), "configOptions": options("agent")})
	a.answer(a.expect("session/set_mode"), failure{-32603, "no"})
	plan(string(r.editor.response(fork).Result))
	prompt2, m2 := r.prompt(a, "s2", "go")
	if e := a.refused("fs/write_text_file", obj{"sessionId": "s2", "path": r.path("a.txt"), "content": "evil\n"}); !strings.Contains(e.Message, "plan mode") {
		t.Errorf("a write of the fork: %+v", e)
	}
	r.end(a, prompt2, m2)
	r.editor.out.Close()
	<-r.editor.gone

	next := newRig(t, setup{state: r.state, files: map[string]string{"a.txt": "one\n"}, config: allowed})
	next.editor.auto["fs/read_text_file"], next.editor.auto["fs/write_text_file"] = reads, writes
	b, _ := next.connect(setup{})
	id = next.editor.request("session/load", obj{"sessionId": "s1", "cwd": next.dir, "mcpServers": []any{}})
	b.answer(b.expect("session/load"), obj{"modes": modes("agent"), "configOptions": options("agent")})
	b.answer(b.expect("session/set_mode"), obj{})
	plan(string(next.editor.response(id).Result))
	refused(next, b)

	if got := ask(next, b, "session/set_config_option", obj{"sessionId": "s1", "configId": "mode", "value": "agent"}, obj{"configOptions": options("agent")}); strings.Contains(got, `"currentValue":"plan"`) {
		t.Errorf("after it was left: %s", got)
	}
	prompt, m := next.prompt(b, "s1", "go")
	if got := b.response(b.request("fs/write_text_file", obj{"sessionId": "s1", "path": next.path("a.txt"), "content": "good\n"})); got.Error != nil {
		t.Errorf("a write after plan mode was left: %s", got.Error)
	}
	next.end(b, prompt, m)
}
