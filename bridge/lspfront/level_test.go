package lspfront

import (
	"encoding/json"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/copilot-bridge/copilot-bridge/bridge"
)

// TestALevelIsOneSwitch guards the wire of the level: it is offered with its words, comes with a session, is set by method and command,
// and is told wherever it was changed.
func TestALevelIsOneSwitch(t *testing.T) {
	r := newRig(t, setup{files: before, rich: []string{"updates", "status"}, options: obj{"permission": obj{"level": "edits"}}, script: "session s2\n"})
	var levels []string
	for _, l := range wireLevels() {
		levels = append(levels, string(l.ID))
	}
	caps := string((&server{config: newConfig(bridge.Config{})}).capabilities().Capabilities.Experimental)
	if !slices.Equal(levels, []string{"read-only", "ask", "edits", "all"}) || !strings.Contains(caps, `"levels":[{"id":"read-only","name":"Read only"`) {
		t.Errorf("levels %q, initialize answers %s", levels, caps)
	}
	var s sessionInfo
	r.call(prefix+"session/new", obj{}, &s)
	if s.Level != "edits" {
		t.Errorf("session/new answers the level %q", s.Level)
	}
	told := func(method, want string) {
		t.Helper()
		r.wait(method+" with the level "+want, func() bool {
			return slices.ContainsFunc(r.seen, func(m message) bool {
				var p struct{ SessionID, Level string }
				return m.Method == prefix+method && json.Unmarshal(m.Params, &p) == nil && p.SessionID == s.SessionID && p.Level == want
			})
		})
	}
	var set setLevelResult
	r.call(prefix+"session/setLevel", obj{"sessionId": s.SessionID, "level": "all"}, &set)
	if set.Level != "all" {
		t.Errorf("setLevel answers %q", set.Level)
	}
	told("session/didChange", "all")
	var byCommand setLevelParams
	r.command("setLevel", obj{"level": "read-only"}, &byCommand)
	if byCommand.Level != "read-only" || byCommand.SessionID != s.SessionID {
		t.Errorf("the command answers %+v", byCommand)
	}
	told("session/didChange", "read-only")
	for _, params := range []obj{{"sessionId": s.SessionID, "level": "everything"}, {"sessionId": s.SessionID}} {
		if text := r.fails(-32602, prefix+"session/setLevel", params); !strings.Contains(text, "read-only, ask, edits, all") {
			t.Errorf("%v: %s", params, text)
		}
	}
	r.fails(-32052, prefix+"session/setLevel", obj{"sessionId": "s-x", "level": "ask"})
	r.notify("workspace/didChangeConfiguration", obj{"settings": obj{"copilot-bridge": obj{"permission": obj{"level": "ask"}}}})
	r.wait("the settings to be read", func() bool { // the relaxed modes are told when they are
		return slices.ContainsFunc(r.seen, func(m message) bool {
			return m.Method == prefix+"session/didChange" && strings.Contains(string(m.Params), `"relaxed"`)
		})
	})
	r.call(prefix+"session/new", obj{}, &s)
	if s.Level != "ask" {
		t.Errorf("the next session has the level %q", s.Level)
	}
}

// TestALevelInPlainLSP: an edit lands without a question at the level edits, is refused at read-only, and code actions switch.
func TestALevelInPlainLSP(t *testing.T) {
	r := newRig(t, setup{files: before, script: writes + strings.Replace(writes, "\nanswer\n", "\nrefused\n", 1)})
	u := r.open(r.dir + "/a.txt")
	r.command("setLevel", obj{"level": "edits"}, nil)
	r.turn("change it")
	r.awaitDiagnostics(u, "pending-edit", "pending-edit")
	if asked := r.of("window/showMessageRequest"); len(asked) > 0 {
		t.Errorf("asked %s", asked)
	}
	var names []string
	for _, title := range titles(r.actions(u, at(3, 4), obj{"diagnostics": []any{}})) {
		if name, ok := strings.CutPrefix(title, "Copilot permissions: "); ok {
			names = append(names, name)
		}
	}
	if !slices.Equal(names, []string{"Read only", "Ask", "Allow all"}) {
		t.Errorf("the actions switch to %q", names)
	}
	r.run(r.actions(u, at(3, 4), obj{"diagnostics": []any{}}), "Copilot permissions: Read only")
	r.turn("again") // the script hears a no
	if b, _ := os.ReadFile(r.dir + "/a.txt"); strings.Contains(string(b), "TWO") || len(r.of("window/showMessageRequest")) > 0 {
		t.Errorf("%q, asked %s", b, r.of("window/showMessageRequest"))
	}
}
