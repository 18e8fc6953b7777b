//go:build unix

package acpfront

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/copilot-bridge/copilot-bridge/bridge"
)

// TestAProgramWithoutACPTalksToAnEditorThatSpeaksIt: a prompt goes through, and a later run loads what was said; also
// where nobody said that the program has no ACP.
func TestAProgramWithoutACPTalksToAnEditorThatSpeaksIt(t *testing.T) {
	for _, kind := range []bridge.AgentKind{bridge.KindTranscript, bridge.KindAuto} {
		t.Run(string(kind), func(t *testing.T) { testProgramWithoutACP(t, kind) })
	}
}

func testProgramWithoutACP(t *testing.T, kind bridge.AgentKind) {
	exe := filepath.Join(t.TempDir(), "copilot")
	script := "#!/bin/sh\ncase \"$1\" in --version) echo 0.0.300; exit;; --help) echo 'Usage: copilot -p TEXT -s --stream on'; exit;; esac\necho an answer\n"
	if err := os.WriteFile(exe, []byte(script), 0o700); err != nil {
		t.Fatal(err)
	}
	o := setup{config: func(c *bridge.Config) { c.Start, c.Command, c.Kind = nil, []string{exe}, kind }}
	begin := func(o setup) *rig {
		r := newRig(t, o)
		id := r.editor.request("initialize", obj{"protocolVersion": 1, "clientCapabilities": obj{}})
		var hello struct {
			AgentInfo         struct{ Name, Title string }
			AgentCapabilities struct{ LoadSession bool }
		}
		m := r.editor.response(id)
		if err := json.Unmarshal(m.Result, &hello); err != nil || hello.AgentInfo.Title != "copilot -p" || !hello.AgentCapabilities.LoadSession {
			t.Fatalf("%s %+v", m.Result, m.Error)
		}
		return r
	}
	r := begin(o)
	var s struct{ SessionID string }
	m := r.editor.response(r.editor.request("session/new", obj{"cwd": r.dir, "mcpServers": []any{}}))
	if err := json.Unmarshal(m.Result, &s); err != nil || s.SessionID == "" {
		t.Fatalf("%s %+v", m.Result, m.Error)
	}
	m = r.editor.response(r.editor.request("session/prompt", obj{"sessionId": s.SessionID, "prompt": []any{obj{"type": "text", "text": "hello"}}}))
	if !strings.Contains(string(m.Result), "end_turn") || !strings.Contains(r.editor.said(), "an answer") {
		t.Errorf("%s %+v, said %q", m.Result, m.Error, r.editor.said())
	}
	r.editor.close()

	o.state = r.state
	r = begin(o)
	m = r.editor.response(r.editor.request("session/load", obj{"sessionId": s.SessionID, "cwd": r.dir, "mcpServers": []any{}}))
	if m.Error != nil || !strings.Contains(r.editor.said(), "an answer") {
		t.Errorf("%+v, shown %q", m.Error, r.editor.said())
	}
	if f := r.editor.refused("session/new_kind", obj{}); f.Code != -32601 {
		t.Errorf("an unknown method: %+v", f)
	}
}
