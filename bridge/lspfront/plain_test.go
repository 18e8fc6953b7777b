package lspfront

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/copilot-bridge/copilot-bridge/bridge"
)

// TestUndoBeforeTheChangeIsTold guards Neovim, which makes an action's edit, runs its command, and tells of the edit
// 150 ms later: the hunk must not be undone twice.
func TestUndoBeforeTheChangeIsTold(t *testing.T) {
	r := newRig(t, setup{files: before, script: writes})
	r.lies = true
	r.allowing("Allow once")
	u := r.open(r.dir + "/a.txt")
	r.turn("change it")
	got := r.awaitDiagnostics(u, "pending-edit", "pending-edit")
	edits := len(r.sent("workspace/applyEdit"))
	list := r.actions(u, got[0].Range, nil)
	r.hold()
	r.run(list, "Undo")
	r.awaitSent("workspace/applyEdit", edits+1) // for a version that is no more
	r.release()
	r.awaitDiagnostics(u, "pending-edit")
	r.awaitText(u, "one\ntwo\nthree\nfour\nFIVE\n")
	if got := r.sent("window/showMessage"); len(got) > 0 {
		t.Errorf("the user was told %s", got)
	}
}

// TestTypingMovesDiagnostics guards that what is published lies where the hunk is.
func TestTypingMovesDiagnostics(t *testing.T) {
	r := newRig(t, setup{files: before, script: writes})
	r.allowing("Allow once")
	u := r.open(r.dir + "/a.txt")
	r.turn("change it")
	r.awaitDiagnostics(u, "pending-edit", "pending-edit")
	r.type_(u, "typed above\n"+r.text(u))
	r.wait("the diagnostics one line further down", func() bool {
		d := r.diagnostics(u)
		return len(d) == 2 && d[0].Range.Start.Line == 2 && d[1].Range.Start.Line == 5
	})
}

// TestAnotherSpellingOfAFile guards that a set published under one URI is taken back when the editor has another.
func TestAnotherSpellingOfAFile(t *testing.T) {
	r := newRig(t, setup{files: before, script: writes})
	r.allowing("Allow once")
	path := r.dir + "/a.txt"
	r.turn("change it, closed")
	r.awaitDiagnostics(uriOf(path), "pending-edit", "pending-edit")
	other := strings.Replace(uriOf(path), "file:///", "file://localhost/", 1)
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	r.notify("textDocument/didOpen", obj{"textDocument": obj{"uri": other, "languageId": "text", "version": 1, "text": string(data)}})
	r.awaitDiagnostics(other, "pending-edit", "pending-edit")
	r.awaitDiagnostics(uriOf(path))
}

// TestPendingFromBefore guards that what a bridge left to review is shown by the next one, without a prompt.
func TestPendingFromBefore(t *testing.T) {
	state := t.TempDir()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	same := func(cfg *bridge.Config) { cfg.StateDir = state }
	t.Run("first", func(t *testing.T) {
		r := newRig(t, setup{dir: dir, files: before, script: writes, config: same})
		r.allowing("Allow once")
		r.turn("change it")
		r.awaitDiagnostics(uriOf(dir+"/a.txt"), "pending-edit", "pending-edit")
	})
	t.Run("second", func(t *testing.T) {
		r := newRig(t, setup{dir: dir, script: quiet, config: same})
		r.awaitDiagnostics(uriOf(dir+"/a.txt"), "pending-edit", "pending-edit")
		r.command("undoAll", obj{}, nil)
		r.awaitDiagnostics(uriOf(dir + "/a.txt"))
		if data, err := os.ReadFile(dir + "/a.txt"); err != nil || string(data) != before["a.txt"] {
			t.Errorf("the file is %q %v", data, err)
		}
	})
}

// TestEditorThatAnswersNonsense guards that an answer of another form is no yes.
func TestEditorThatAnswersNonsense(t *testing.T) {
	for _, answer := range []any{"Allow once", []any{obj{"title": "Allow once"}}, 1, true} {
		r := newRig(t, setup{files: before, script: heardNo})
		r.on("window/showMessageRequest", func(json.RawMessage, <-chan struct{}) (any, *rpcError) { return answer, nil })
		u := r.open(r.dir + "/a.txt")
		a := r.prompt("change it")
		r.awaitDiagnostics(u, "permission") // the question is left for the commands
		r.command("reject", obj{}, nil)
		r.ends(a.TurnID)
		if r.text(u) != before["a.txt"] {
			t.Errorf("%v was a yes", answer)
		}
	}
}

// TestDeletedSessionTakesItsTranscript guards what the user has deleted.
func TestDeletedSessionTakesItsTranscript(t *testing.T) {
	r := newRig(t, setup{script: quiet})
	a := r.turn("a secret")
	path := filepath.Join(r.state, "transcripts", a.SessionID, "transcript.md")
	if _, err := os.Stat(path); err != nil {
		t.Fatal(err)
	}
	r.call("copilot-bridge/session/delete", obj{"sessionId": a.SessionID}, nil)
	if _, err := os.Stat(path); !os.IsNotExist(err) {
		t.Errorf("the transcript is still there: %v", err)
	}
}

// What is saved before a command is part of the one question about it, in either tier.
func TestFlushQuestion(t *testing.T) {
	for name, c := range map[string]struct {
		rich []string
		pick string
		disk string
	}{
		"plain, saved":     {nil, "Save and run", "ONE\ntwo\nthree\nfour\nfive, typed\n"},
		"plain, not saved": {nil, "Run without saving", "one\ntwo\nthree\nfour\nfive\n"},
		"rich, saved":      {[]string{"permission"}, "allow_once", "ONE\ntwo\nthree\nfour\nfive, typed\n"},
		"rich, not saved":  {[]string{"permission"}, "run_unsaved", "one\ntwo\nthree\nfour\nfive\n"},
	} {
		t.Run(name, func(t *testing.T) {
			r := newRig(t, setup{files: before, rich: c.rich, config: func(cfg *bridge.Config) { cfg.Flush = bridge.FlushAsk }, script: `
expect@turn session/prompt
request fs/write_text_file {"sessionId":"$session","path":"$dir/a.txt","content":"ONE\ntwo\nthree\nfour\nfive\n"}
answer
request terminal/create {"sessionId":"$session","command":"cat","args":["a.txt"],"cwd":"$cwd"}
answer
request terminal/wait_for_exit {"sessionId":"$session","terminalId":"$terminal"}
answer
reply@turn {"stopReason":"end_turn"}
`})
			var messages []string
			r.on("window/showMessageRequest", func(params json.RawMessage, _ <-chan struct{}) (any, *rpcError) {
				r.mu.Lock()
				defer r.mu.Unlock()
				messages = append(messages, string(params))
				if len(messages) == 1 {
					return obj{"title": "Allow once"}, nil
				}
				return obj{"title": c.pick}, nil
			})
			var asked []wireQuestion
			r.on("copilot-bridge/permission/request", func(params json.RawMessage, _ <-chan struct{}) (any, *rpcError) {
				var q wireQuestion
				json.Unmarshal(params, &q)
				asked = append(asked, q)
				if len(asked) == 1 {
					return obj{"outcome": "selected", "optionId": "allow_once"}, nil
				}
				return obj{"outcome": "selected", "optionId": c.pick}, nil
			})
			u := r.open(r.dir + "/a.txt")
			r.type_(u, "one\ntwo\nthree\nfour\nfive, typed\n")
			r.hover(u)
			r.turn("change and run")
			if got, _ := os.ReadFile(r.dir + "/a.txt"); string(got) != c.disk {
				t.Errorf("on disk %q", got)
			}
			if c.rich != nil {
				if len(asked) != 2 || len(asked[1].Save) != 1 || asked[1].Save[0].URI != u || len(asked[1].Diff) != 0 || len(messages) != 0 {
					t.Errorf("asked %+v", asked)
				}
				return
			}
			r.mu.Lock()
			defer r.mu.Unlock()
			if len(messages) != 2 || !strings.Contains(messages[1], "saves "+r.dir+"/a.txt first") || !strings.Contains(messages[1], `"Reject"},{"title":"Save and run"},{"title":"Run without saving"}`) {
				t.Errorf("asked %q", messages)
			}
		})
	}
}
