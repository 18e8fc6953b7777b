package acpfront

import (
	"encoding/json"
	"os"
	"strings"
	"testing"
)

// told are the options that a message tells: id=value, in their order.
func toldOptions(raw json.RawMessage) string {
	var p struct {
		ConfigOptions []struct {
			ID, CurrentValue, Category string
			Options                    []struct{ Value, Name, Description string }
		}
		Update json.RawMessage
	}
	if json.Unmarshal(raw, &p) != nil {
		return "unreadable"
	}
	if p.Update != nil {
		return toldOptions(p.Update)
	}
	var out []string
	for _, o := range p.ConfigOptions {
		out = append(out, o.ID+"="+o.CurrentValue)
		if o.ID == string(levelOption) && (len(o.Options) != 4 || o.Category != "_permissions" || o.Options[0].Name == "" || o.Options[3].Description == "") {
			out = append(out, "incomplete")
		}
	}
	return strings.Join(out, " ")
}

// update is the next session/update of a kind.
func (r *rig) update(kind string) message {
	r.t.Helper()
	for {
		if m := r.editor.expect("session/update"); strings.Contains(m.line, `"`+kind+`"`) {
			return m
		}
	}
}

const modelOption = `{"id":"model","name":"Model","type":"select","currentValue":"m1","options":[{"value":"m1","name":"One"},{"value":"m2","name":"Two"}],"_meta":{"n":1.0}}`

// TestTheLevelIsAnOptionOfTheSession: any editor shows it as a picker, beside the agent's own options as they came, and what it sets holds.
func TestTheLevelIsAnOptionOfTheSession(t *testing.T) {
	r := newRig(t, setup{files: map[string]string{"a.txt": "a\n"}})
	r.buffers(map[string]string{r.path("a.txt"): "a\n"})
	a, _ := r.connect(setup{})
	answered := func(method string, params obj, answer string) json.RawMessage {
		t.Helper()
		id := r.editor.request(method, params)
		if answer != "" {
			m := a.expect(method)
			a.raw(`{"jsonrpc":"2.0","id":` + string(m.ID) + `,"result":` + answer + `}`)
		}
		return r.editor.response(id).Result
	}
	got := answered("session/new", obj{"cwd": r.dir, "mcpServers": []any{}}, `{"sessionId":"s1","configOptions":[`+modelOption+`]}`)
	if toldOptions(got) != "model=m1 copilot-bridge.level=ask" || !strings.Contains(string(got), modelOption) {
		t.Errorf("session/new answers %s", got)
	}
	set := func(option, value, answer string) string {
		t.Helper()
		return toldOptions(answered("session/set_config_option", obj{"sessionId": "s1", "configId": option, "value": value}, answer))
	}
	if got := set("model", "m2", `{"configOptions":[`+strings.Replace(modelOption, `"currentValue":"m1"`, `"currentValue":"m2"`, 1)+`]}`); got != "model=m2 copilot-bridge.level=ask" {
		t.Errorf("another model: %s", got)
	}
	if got := set("copilot-bridge.level", "edits", ""); got != "model=m2 copilot-bridge.level=edits" {
		t.Errorf("another level: %s", got)
	}
	if m := r.update("config_option_update"); toldOptions(m.Params) != "model=m2 copilot-bridge.level=edits" {
		t.Errorf("told %s", m.line)
	}
	id := r.editor.request("session/set_config_option", obj{"sessionId": "s1", "configId": "copilot-bridge.level", "value": "everything"})
	if e := r.editor.response(id).Error; e == nil || !strings.Contains(string(e), "read-only, ask, edits, all") {
		t.Errorf("a level that there is not: %s", e)
	}
	a.raw(`{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"s1","update":{"sessionUpdate":"config_option_update","configOptions":[` + modelOption + `,{"id":"copilot-bridge.level","name":"Mine","type":"select","currentValue":"all","options":[]}]}}}`)
	if m := r.update("config_option_update"); toldOptions(m.Params) != "model=m1 copilot-bridge.level=edits" {
		t.Errorf("what the agent says of its options is told as %s", m.line)
	}
	turn, m := r.prompt(a, "s1", "go")
	write := func() message {
		return a.response(a.request("fs/write_text_file", obj{"sessionId": "s1", "path": r.path("a.txt"), "content": "b\n"}))
	}
	if got := write(); got.Error != nil {
		t.Errorf("at edits a write is answered %s", got)
	}
	set("copilot-bridge.level", "read-only", "")
	if got := write(); got.Error == nil || !strings.Contains(string(got.Error), "read-only") {
		t.Errorf("at read-only a write is answered %s", got)
	}
	r.end(a, turn, m)
	if b, _ := os.ReadFile(r.path("a.txt")); r.editor.was("session/request_permission") {
		t.Errorf("asked; the file is %q", b)
	}
}

// TestModesAreAnOptionWhereTheAgentHasNone: an editor that is told options takes no notice of modes.
func TestModesAreAnOptionWhereTheAgentHasNone(t *testing.T) {
	r := newRig(t, setup{})
	a, _ := r.connect(setup{})
	id := r.editor.request("session/new", obj{"cwd": r.dir, "mcpServers": []any{}})
	m := a.expect("session/new")
	a.raw(`{"jsonrpc":"2.0","id":` + string(m.ID) + `,"result":{"sessionId":"s1","modes":{"currentModeId":"agent","availableModes":[{"id":"agent","name":"Agent"},{"id":"plan","name":"Plan"}]}}}`)
	if got := r.editor.response(id).Result; toldOptions(got) != "mode=agent copilot-bridge.level=ask" || !strings.Contains(string(got), `"currentModeId":"agent"`) {
		t.Errorf("session/new answers %s", got)
	}
	id = r.editor.request("session/set_config_option", obj{"sessionId": "s1", "configId": "mode", "value": "plan"})
	m = a.expect("session/set_mode")
	if !strings.Contains(string(m.Params), `"plan"`) {
		t.Errorf("the agent is sent %s", m.Params)
	}
	a.answer(m, obj{})
	if got := toldOptions(r.editor.response(id).Result); got != "mode=plan copilot-bridge.level=ask" {
		t.Errorf("answered %s", got)
	}
}

// TestAForkAsksNoLess than the session that it comes of.
func TestAForkAsksNoLess(t *testing.T) {
	r := newRig(t, setup{})
	a, _ := r.connect(setup{})
	for _, c := range []struct{ method, params, answer, want string }{
		{"session/new", `{"cwd":"` + r.dir + `","mcpServers":[]}`, `{"sessionId":"s1"}`, "ask"},
		{"session/set_config_option", `{"sessionId":"s1","configId":"copilot-bridge.level","value":"read-only"}`, "", "read-only"},
		{"session/fork", `{"sessionId":"s1","cwd":"` + r.dir + `","mcpServers":[]}`, `{"sessionId":"s2"}`, "read-only"},
		{"session/new", `{"cwd":"` + r.dir + `","mcpServers":[]}`, `{"sessionId":"s3"}`, "ask"},
	} {
		id := r.editor.request(c.method, json.RawMessage(c.params))
		if c.answer != "" {
			m := a.expect(c.method)
			a.raw(`{"jsonrpc":"2.0","id":` + string(m.ID) + `,"result":` + c.answer + `}`)
		}
		if got := toldOptions(r.editor.response(id).Result); got != "copilot-bridge.level="+c.want {
			t.Errorf("%s: %s", c.method, got)
		}
	}
}
