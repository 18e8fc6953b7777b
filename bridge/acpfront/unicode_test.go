package acpfront

import (
	"strings"
	"testing"

	"github.com/copilot-bridge/copilot-bridge/bridge"
	"github.com/copilot-bridge/copilot-bridge/bridge/policy"
)

// TestTextThatIsNotUnicodeIsRefused: a program, a file or the editor, which is passed some of it as it came, would get another
// text than the one that was judged.
func TestTextThatIsNotUnicodeIsRefused(t *testing.T) {
	r := newRig(t, setup{config: func(c *bridge.Config) {
		c.Rules = []policy.Rule{{Tool: policy.ToolAny, Decision: policy.Allow}, {Tool: policy.ToolShell, Argv: policy.AllCommands, Decision: policy.Allow}}
	}})
	r.buffers(map[string]string{})
	a, _ := r.connect(setup{})
	r.session(a, "s1")
	id, m := r.prompt(a, "s1", "go")
	path := r.path("a.txt")
	for i, c := range []struct {
		method, params string
		refused        bool
	}{
		{"fs/write_text_file", `"path":` + quoted(path) + `,"content":"x\ud800"`, true},
		{"fs/write_text_file", `"path":"` + r.path("") + `/\udc00.txt","content":"x"`, true},
		{"fs/read_text_file", `"path":"` + r.path("") + `/\udc00.txt"`, true},
		{"terminal/create", `"command":"touch","args":["\ud83d"]`, true},
		{"fs/write_text_file", `"path":` + quoted(path) + `,"content":"\ud83d\ude00"`, false},
	} {
		n := string(rune('a' + i))
		a.raw(`{"jsonrpc":"2.0","id":"` + n + `","method":"` + c.method + `","params":{"sessionId":"s1",` + c.params + `}}`)
		e := string(a.response(`"` + n + `"`).Error)
		if refused := strings.Contains(e, "-32602") && strings.Contains(e, "Unicode"); refused != c.refused {
			t.Errorf("%s %s: %s", c.method, c.params, e)
		}
	}
	r.end(a, id, m)
}

// TestWhatIsUnknownBesideAVariableAsks: the editor gets the command as it came, so what the bridge does not know of it is in
// the question, also where every command is allowed.
func TestWhatIsUnknownBesideAVariableAsks(t *testing.T) {
	r := newRig(t, setup{config: func(c *bridge.Config) {
		c.Rules = []policy.Rule{{Tool: policy.ToolShell, Argv: policy.AllCommands, Decision: policy.Allow}}
	}})
	a, _ := r.connect(setup{caps: `{"fs":{"readTextFile":true,"writeTextFile":true},"terminal":true}`})
	r.session(a, "s1")
	id, m := r.prompt(a, "s1", "go")
	for n, c := range map[string]struct {
		env  string
		asks bool
	}{
		"a": {`{"name":"A","value":"1"}`, false},
		"b": {`{"name":"A","value":"1","secret":"evil"}`, true},
		"c": {`{"name":"A","value":"1","_meta":{"x":"evil"}}`, true},
	} {
		a.raw(`{"jsonrpc":"2.0","id":"` + n + `","method":"terminal/create","params":{"sessionId":"s1","command":"true","env":[` + c.env + `]}}`)
		if !c.asks {
			q := r.editor.expect("terminal/create")
			r.editor.raw(`{"jsonrpc":"2.0","id":` + string(q.ID) + `,"result":{"terminalId":"t"}}`)
			a.response(`"` + n + `"`)
			continue
		}
		q := r.editor.expect("session/request_permission")
		if !strings.Contains(string(q.Params), "evil") {
			t.Errorf("%s: %s", n, q.Params)
		}
		r.editor.raw(`{"jsonrpc":"2.0","id":` + string(q.ID) + `,"result":{"outcome":{"outcome":"selected","optionId":"reject_once"}}}`)
		a.response(`"` + n + `"`)
	}
	r.end(a, id, m)
}
