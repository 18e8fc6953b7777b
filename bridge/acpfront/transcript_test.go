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
	script := "#!/bin/sh\ncase \"$1\" in --version) echo 0.0.300; exit;; --help) echo 'Usage: copilot -p TEXT -s --stream on'; exit;; esac\necho \"$@\" >> \"$0.calls\"\necho an answer\n"
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
	m = r.editor.response(r.editor.request("session/prompt", obj{"sessionId": s.SessionID, "prompt": []any{obj{"type": "text", "text": "and now?"}}}))
	if sent, _ := os.ReadFile(exe + ".calls"); m.Error != nil || !strings.HasSuffix(string(sent), "Previous conversation:\nUser: hello\nAssistant: an answer\n\nUser: and now?\n") {
		t.Errorf("%+v, sent %q", m.Error, sent)
	}
	if f := r.editor.refused("session/load", obj{"sessionId": "nobody's", "cwd": r.dir, "mcpServers": []any{}}); !strings.Contains(f.Message, "no session") {
		t.Errorf("a session that nobody has: %+v", f)
	}
	if f := r.editor.refused("session/new_kind", obj{}); f.Code != -32601 {
		t.Errorf("an unknown method: %+v", f)
	}
}

// TestASessionOfCopilotsIsLoadedOnceAndKept: an editor that loads what only Copilot has is shown it, and so it is in another
// run; Copilot is told all of it once it has lost the session.
func TestASessionOfCopilotsIsLoadedOnceAndKept(t *testing.T) {
	const id = "9153846f-55c6-4007-8aa3-2fe3302391a5"
	home, ws := t.TempDir(), ""
	folder := filepath.Join(home, "session-state", id)
	if err := os.MkdirAll(folder, 0o700); err != nil {
		t.Fatal(err)
	}
	exe := filepath.Join(home, "copilot")
	var o setup
	for name, text := range map[string]string{
		filepath.Join(folder, "events.jsonl"): `{"type":"user.message","id":"1","data":{"content":"remember BLUE"}}` + "\n" + `{"type":"assistant.message","id":"2","data":{"content":"noted"}}` + "\n",
		exe: "#!/bin/sh\ncase \"$1\" in --version) echo 1.0.102; exit;; --help) echo 'Usage: copilot -p TEXT -s --stream on --resume ID --session-id ID'; exit;; esac\necho \"$@\" >> \"$0.calls\"\n" +
			"case \"$*\" in *--resume*three*) echo \"Error: No session, task, or name matched 'x'.\" >&2; exit 1;; esac\necho an answer\n",
	} {
		if err := os.WriteFile(name, []byte(text), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	o.config = func(c *bridge.Config) {
		c.Start, c.Command, c.Kind, c.Env = nil, []string{exe}, bridge.KindTranscript, append(c.Env, "COPILOT_HOME="+home)
	}
	for _, run := range [][]string{{"one"}, {"two", "three"}} {
		r := newRig(t, o)
		if o.state == "" {
			o.state = r.state
			if err := os.WriteFile(filepath.Join(folder, "workspace.yaml"), []byte("cwd: "+r.dir+"\n"), 0o600); err != nil {
				t.Fatal(err)
			}
			ws = r.dir
		}
		r.editor.response(r.editor.request("initialize", obj{"protocolVersion": 1, "clientCapabilities": obj{}}))
		if m := r.editor.response(r.editor.request("session/load", obj{"sessionId": id, "cwd": ws, "mcpServers": []any{}})); m.Error != nil {
			t.Fatalf("%+v", m.Error)
		}
		if said := r.editor.said(); strings.Count(said, "noted") != 1 {
			t.Errorf("shown %q", said)
		}
		for _, text := range run {
			if m := r.editor.response(r.editor.request("session/prompt", obj{"sessionId": id, "prompt": []any{obj{"type": "text", "text": text}}})); m.Error != nil {
				t.Errorf("%s: %+v", text, m.Error)
			}
		}
		r.editor.close()
	}
	sent, err := os.ReadFile(exe + ".calls")
	if err != nil || strings.Count(string(sent), "--resume "+id) != 3 || strings.Count(string(sent), "BLUE") != 1 ||
		!strings.HasSuffix(string(sent), "Previous conversation:\nUser: remember BLUE\nAssistant: noted\nUser: one\nAssistant: an answer\nUser: two\nAssistant: an answer\n\nUser: three\n") {
		t.Errorf("%v, sent %q", err, sent)
	}
}
