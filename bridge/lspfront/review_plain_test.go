package lspfront

import (
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// writes is a turn that changes a file by fs/write_text_file, and waits so that the test can look.
const writes = `
expect@turn session/prompt
request fs/write_text_file {"sessionId":"$session","path":"$dir/a.txt","content":"one\nTWO\nthree\nfour\nFIVE\n"}
answer
reply@turn {"stopReason":"end_turn"}
`

var before = map[string]string{"a.txt": "one\ntwo\nthree\nfour\nfive\n"}

// allowing answers every question with one of the titles.
func (r *rig) allowing(title string) {
	r.on("window/showMessageRequest", picks(title))
}

// TestPendingHunksAreDiagnostics guards the plain tier's review: what is pending is seen, and what is decided goes.
func TestPendingHunksAreDiagnostics(t *testing.T) {
	r := newRig(t, setup{files: before, script: writes})
	r.allowing("Allow once")
	u := r.open(r.dir + "/a.txt")
	r.turn("change it")
	got := r.awaitDiagnostics(u, "pending-edit", "pending-edit")
	want := diag{Range: extent{pos{1, 0}, pos{1, 3}}, Severity: 3, Code: "pending-edit", Source: "copilot", Message: "Copilot changed 1 line (+1 -1): keep or undo it"}
	if got[0] != want {
		t.Errorf("the diagnostic is %+v, want %+v", got[0], want)
	}
	list := r.actions(u, got[0].Range, nil)
	for _, title := range []string{"Keep", "Undo", "Keep all in file", "Undo all in file"} {
		if !slices.Contains(titles(list), title) {
			t.Errorf("no action %q, only %q", title, titles(list))
		}
	}
	r.run(list, "Undo")
	r.awaitText(u, "one\ntwo\nthree\nfour\nFIVE\n")
	got = r.awaitDiagnostics(u, "pending-edit")
	r.run(r.actions(u, got[0].Range, nil), "Keep")
	r.awaitDiagnostics(u)
	if r.text(u) != "one\ntwo\nthree\nfour\nFIVE\n" {
		t.Errorf("keep changed the text: %q", r.text(u))
	}
}

// TestUndoWithoutTheEdit guards clients that run a code action's command only.
func TestUndoWithoutTheEdit(t *testing.T) {
	r := newRig(t, setup{files: before, script: writes})
	r.allowing("Allow once")
	u := r.open(r.dir + "/a.txt")
	r.turn("change it")
	r.awaitDiagnostics(u, "pending-edit", "pending-edit")
	r.command("undo", obj{}, nil)
	r.awaitText(u, "one\ntwo\nthree\nfour\nFIVE\n")
	r.awaitDiagnostics(u, "pending-edit")
	r.command("undoAll", obj{"uri": u}, nil)
	r.awaitText(u, before["a.txt"])
	r.awaitDiagnostics(u)
}

// TestUndoTellsTheAgent guards that a hunk undone by the editor's own edit counts as undone by the user.
func TestUndoTellsTheAgent(t *testing.T) {
	r := newRig(t, setup{files: before, script: writes + `
expect@turn session/prompt {"prompt":[{"type":"text","text":"re:(?s)undone.*TWO"},{"type":"text","text":"go on"}]}
reply@turn {"stopReason":"end_turn"}
mark told
`})
	r.allowing("Allow once")
	u := r.open(r.dir + "/a.txt")
	r.turn("change it")
	got := r.awaitDiagnostics(u, "pending-edit", "pending-edit")
	r.run(r.actions(u, got[0].Range, nil), "Undo")
	r.awaitDiagnostics(u, "pending-edit")
	r.turn("go on")
	if err := r.agent(0).Await(t.Context(), "told"); err != nil {
		t.Fatal(err)
	}
	if n := len(r.sent("window/showMessage")); n > 0 {
		t.Errorf("%d messages were shown", n)
	}
}

// TestManyHunksInOneSelection guards that each of them can be told apart.
func TestManyHunksInOneSelection(t *testing.T) {
	r := newRig(t, setup{files: before, script: writes})
	r.allowing("Allow once")
	u := r.open(r.dir + "/a.txt")
	r.turn("change it")
	r.awaitDiagnostics(u, "pending-edit", "pending-edit")
	list := r.actions(u, at(0, 5), obj{"diagnostics": []any{}, "only": []string{"quickfix"}})
	want := []string{"Keep line 2", "Undo line 2", "Keep line 5", "Undo line 5", "Keep all in file", "Undo all in file"}
	if !slices.Equal(titles(list), want) {
		t.Errorf("actions %q, want %q", titles(list), want)
	}
	r.run(list, "Undo all in file")
	r.awaitText(u, before["a.txt"])
	r.awaitDiagnostics(u)
}

// TestSelectedLinesAreDecidedAlone guards a selection that holds a part of a hunk: the rest of it stays pending.
func TestSelectedLinesAreDecidedAlone(t *testing.T) {
	r := newRig(t, setup{files: before, script: strings.Replace(writes, `TWO\nthree\nfour`, `TWO\nTHREE\nFOUR`, 1)})
	r.allowing("Allow once")
	u := r.open(r.dir + "/a.txt")
	r.turn("change it")
	whole := r.awaitDiagnostics(u, "pending-edit")[0].Range
	for _, a := range r.actions(u, whole, nil) {
		if strings.Contains(a.Title, "selected") {
			t.Errorf("all of it is selected, and %q is offered", a.Title)
		}
	}
	r.run(r.actions(u, at(2, 3), nil), "Undo the selected lines")
	r.awaitText(u, "one\nTWO\nthree\nFOUR\nFIVE\n")
	r.awaitDiagnostics(u, "pending-edit", "pending-edit")
	r.run(r.actions(u, at(4, 5), nil), "Keep the selected lines")
	r.awaitDiagnostics(u, "pending-edit", "pending-edit")
	r.command("undoAll", obj{"uri": u}, nil)
	r.awaitText(u, "one\ntwo\nthree\nfour\nFIVE\n")
	r.awaitDiagnostics(u)
	for _, bad := range []obj{{"uri": u}, {"range": at(0, 1)}, {"uri": u, "range": at(0, 1), "hunk": "x"}} {
		r.fails(-32602, "workspace/executeCommand", obj{"command": "copilot-bridge.keep", "arguments": []any{bad}})
	}
}

// TestHoverShowsBeforeAndAfter guards the fence: the text of a file cannot end it.
func TestHoverShowsBeforeAndAfter(t *testing.T) {
	script := strings.Replace(writes, "TWO", "```\\u001b[31mTWO", 1)
	r := newRig(t, setup{files: before, script: script})
	r.allowing("Allow once")
	u := r.open(r.dir + "/a.txt")
	r.turn("change it")
	r.awaitDiagnostics(u, "pending-edit", "pending-edit")
	var h struct {
		Contents struct{ Kind, Value string }
		Range    extent
	}
	r.call("textDocument/hover", obj{"textDocument": obj{"uri": u}, "position": pos{1, 1}}, &h)
	want := "Copilot changed 1 line (+1 -1): keep or undo it\n\n````diff\n@@ -1 +1 @@\n-two\n+```<U+001B>[31mTWO\n````\n"
	if h.Contents.Kind != "markdown" || h.Contents.Value != want || h.Range.Start.Line != 1 {
		t.Errorf("hover %+v, want %q", h, want)
	}
	raw, err := r.try("textDocument/hover", obj{"textDocument": obj{"uri": u}, "position": pos{0, 1}})
	if err != nil || string(raw) != "null" {
		t.Errorf("hover where nothing is pending: %s %v", raw, err)
	}
}

// TestLenses guards Keep and Undo above a hunk, and that the editor is told when they have changed.
func TestLenses(t *testing.T) {
	r := newRig(t, setup{files: before, script: writes})
	r.allowing("Allow once")
	u := r.open(r.dir + "/a.txt")
	r.turn("change it")
	r.awaitDiagnostics(u, "pending-edit", "pending-edit")
	r.awaitSent("workspace/codeLens/refresh", 1)
	var got []struct {
		Range   extent
		Command cmd
	}
	r.call("textDocument/codeLens", obj{"textDocument": obj{"uri": u}}, &got)
	if len(got) != 4 || got[0].Command.Title != "Keep" || got[1].Command.Title != "Undo" || got[2].Range.Start.Line != 4 {
		t.Fatalf("lenses %+v", got)
	}
	r.call("workspace/executeCommand", obj{"command": got[0].Command.Command, "arguments": got[0].Command.Arguments}, nil)
	r.awaitDiagnostics(u, "pending-edit")
}

// TestReviewOfThePlugins guards that nothing is shown twice, and that a plugin that fails loses the review.
func TestReviewOfThePlugins(t *testing.T) {
	r := newRig(t, setup{files: before, script: writes, rich: []string{"review"}})
	r.allowing("Allow once")
	u := r.open(r.dir + "/a.txt")
	r.turn("change it")
	r.awaitSent("copilot-bridge/review/didChange", 1)
	if list := r.actions(u, at(1, 2), nil); !slices.Contains(titles(list), "Keep") {
		t.Errorf("code actions are answered all the same, got %q", titles(list))
	}
	if got := r.sent("textDocument/publishDiagnostics"); len(got) > 0 {
		t.Errorf("published %s", got)
	}
}

// TestCreatedFile guards that undoing a new file is the command's work alone: no edit can take a file away.
func TestCreatedFile(t *testing.T) {
	r := newRig(t, setup{script: `
expect@turn session/prompt
request fs/write_text_file {"sessionId":"$session","path":"$dir/new/b.txt","content":"new\n"}
answer
reply@turn {"stopReason":"end_turn"}
`})
	r.allowing("Allow once")
	r.turn("make it")
	path := r.dir + "/new/b.txt"
	u := uriOf(path)
	got := r.awaitDiagnostics(u, "pending-edit")
	list := r.actions(u, got[0].Range, nil)
	for _, a := range list {
		if a.Edit != nil {
			t.Errorf("%q has an edit", a.Title)
		}
	}
	r.run(list, "Undo")
	r.awaitDiagnostics(u)
	if _, err := os.Stat(path); !os.IsNotExist(err) {
		t.Errorf("the file is still there: %v", err)
	}
}

// BenchmarkCodeAction is what an editor waits for on every move of the cursor: 200 pending hunks in 20,000 lines.
func BenchmarkCodeAction(b *testing.B) {
	var old, changed strings.Builder
	for i := range 20_000 {
		line := "line " + strconv.Itoa(i) + "\n"
		old.WriteString(line)
		if i%100 == 50 {
			line = strings.ToUpper(line)
		}
		changed.WriteString(line)
	}
	r := newRig(b, setup{files: map[string]string{"a.txt": old.String()}, script: `
expect@turn session/prompt
request fs/write_text_file {"sessionId":"$session","path":"$dir/a.txt","content":` + strconv.Quote(changed.String()) + `}
answer
reply@turn {"stopReason":"end_turn"}
`})
	r.allowing("Allow once")
	u := r.open(r.dir + "/a.txt")
	r.turn("change it")
	r.wait("the diagnostics", func() bool { return len(r.diagnostics(u)) == 200 })
	for b.Loop() {
		r.actions(u, at(9950, 9951), obj{"diagnostics": []any{}, "triggerKind": 2})
	}
}

// TestATurnThatWasKeptCanBeUndone guards undoTurn: by its name, or after a question as the last one; what cannot be taken
// back is said.
func TestATurnThatWasKeptCanBeUndone(t *testing.T) {
	for _, how := range []string{"named", "last", "resolve"} {
		t.Run(how, func(t *testing.T) {
			r := newRig(t, setup{files: before, script: writes})
			r.fails(-32602, "workspace/executeCommand", obj{"command": "copilot-bridge.undoTurn"})
			r.allowing("Allow once")
			u := r.open(r.dir + "/a.txt")
			a := r.turn("change it")
			r.awaitDiagnostics(u, "pending-edit", "pending-edit")
			r.command("keepAll", obj{}, nil)
			r.awaitDiagnostics(u)
			r.allowing("Undo the turn")
			switch how {
			case "named":
				r.command("undoTurn", obj{"turnId": a.TurnID}, nil)
			case "last":
				r.command("undoTurn", obj{}, nil)
			case "resolve":
				r.call("copilot-bridge/review/resolve", obj{"action": "undo", "turnId": a.TurnID}, nil)
			}
			r.awaitText(u, before["a.txt"])
			r.command("undoTurn", obj{"turnId": a.TurnID}, nil)
			if m := string(r.awaitSent("window/showMessage", 1)); !strings.Contains(m, "nothing of this turn is left") {
				t.Errorf("told %s", m)
			}
		})
	}
}
