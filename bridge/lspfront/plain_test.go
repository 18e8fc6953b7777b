package lspfront

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
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

// TestFlushQuestion guards questions with options of their own: their names, and the first of a kind for the command.
func TestFlushQuestion(t *testing.T) {
	r := newRig(t, setup{files: before, config: func(cfg *bridge.Config) { cfg.Flush = bridge.FlushAsk }, script: `
expect@turn session/prompt
request fs/write_text_file {"sessionId":"$session","path":"$dir/a.txt","content":"ONE\ntwo\nthree\nfour\nfive\n"}
answer
request terminal/create {"sessionId":"$session","command":"cat","args":["a.txt"],"cwd":"$cwd"}
answer
request terminal/wait_for_exit {"sessionId":"$session","terminalId":"$terminal"}
answer
reply@turn {"stopReason":"end_turn"}
`})
	var asked []string
	r.on("window/showMessageRequest", func(params json.RawMessage, _ <-chan struct{}) (any, *rpcError) {
		var p struct{ Actions []struct{ Title string } }
		json.Unmarshal(params, &p)
		for _, a := range p.Actions {
			if a.Title == "Save and run" || a.Title == "Allow once" {
				r.mu.Lock()
				defer r.mu.Unlock()
				for _, b := range p.Actions {
					asked = append(asked, b.Title)
				}
				return obj{"title": a.Title}, nil
			}
		}
		return nil, nil
	})
	u := r.open(r.dir + "/a.txt")
	r.type_(u, "one\ntwo\nthree\nfour\nfive, typed\n")
	r.hover(u)
	r.turn("change and run")
	r.mu.Lock()
	defer r.mu.Unlock()
	if !slices.Contains(asked, "Run as it is") || !slices.Contains(asked, "Cancel") {
		t.Errorf("asked %q", asked)
	}
}
