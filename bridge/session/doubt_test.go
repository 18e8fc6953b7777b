package session_test

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/copilot-bridge/copilot-bridge/bridge/review"
	"github.com/copilot-bridge/copilot-bridge/bridge/tools"
)

// gated is a command that does first, waits at a gate, and then does the rest.
func gated(first, rest string) string {
	return first + "; touch at-gate; until [ -e gate ]; do sleep 0.01; done; " + rest
}

// atGate waits until the command is at its gate, and has the bridge told of the files as the watcher does.
func (r *rig) atGate(names ...string) {
	r.t.Helper()
	r.eventually("the command waits", func() bool { return there(r.path("at-gate")) })
	for _, name := range names {
		r.b.ChangedOnDisk(r.path(name))
	}
}

// openGate lets the command in a shell go on to its end.
func (r *rig) openGate(shells ...string) {
	r.t.Helper()
	r.put("gate", "")
	for _, shell := range shells {
		if _, err := r.link().ReadBash(r.ctx, caller(), tools.ReadBashArgs{ShellID: shell, Delay: patience}); err != nil {
			r.t.Fatal(err)
		}
	}
}

// pendingOf is what is in review of a file.
func (r *rig) pendingOf(name string) []string {
	return slices.DeleteFunc(r.review(), func(s string) bool { return !strings.Contains(s, " "+name) })
}

func (r *rig) undo(name string) {
	r.t.Helper()
	if _, conflicts := r.b.Undo(r.ctx, review.Selector{Path: r.path(name)}); len(conflicts) > 0 {
		r.t.Fatalf("undo %s: %+v", name, conflicts)
	}
}

// TestWhatIsSeenOfACommandHalfWayIsTheCommands: a file with a pending change is closed, a command rewrites it, and the watcher tells
// of it before the command has ended. Nothing of that is the user's, so an undo has the text from before.
func TestWhatIsSeenOfACommandHalfWayIsTheCommands(t *testing.T) {
	const base = "one\ntwo\nthree\n"
	for name, c := range map[string]struct {
		first, rest string
		want        []string // in review of a.txt
	}{
		"emptied":          {": >a.txt", "true", []string{`edit a.txt: "one\ntwo\nthree\n" → ""`}},
		"rewritten":        {": >a.txt", "printf 'one\\nTWO\\nthree\\nfour\\n' >a.txt", []string{`edit a.txt: "two\n" → "TWO\n": "" → "four\n"`}},
		"emptied and back": {": >a.txt", "printf 'one\\nTWO\\nthree\\n' >a.txt", []string{`edit a.txt: "two\n" → "TWO\n"`}},
		"renamed over":     {"printf '' >n; mv n a.txt", "printf 'x\\n' >n; mv n a.txt", []string{`edit a.txt: "one\ntwo\nthree\n" → "x\n"`}},
		"removed and back": {"rm a.txt", "printf 'x\\n' >a.txt", []string{`edit a.txt: "one\ntwo\nthree\n" → "x\n"`}},
		"removed":          {": >a.txt", "rm a.txt", []string{`delete a.txt: "one\ntwo\nthree\n" → ""`}},
		"moved":            {"mv a.txt m.txt", "true", []string{`move m.txt from a.txt: "two\n" → "TWO\n"`}},
		"moved and back":   {"mv a.txt m.txt", "mv m.txt a.txt", []string{`edit a.txt: "two\n" → "TWO\n"`}},
	} {
		t.Run(name, func(t *testing.T) {
			r, turn := atWork(t, map[string]string{"a.txt": base}, plain)
			if _, err := r.edit(r.link(), "a.txt", "two", "TWO"); err != nil {
				t.Fatal(err)
			}
			r.async("w", gated(c.first, c.rest))
			r.atGate("a.txt")
			r.openGate("w")
			if got := r.pendingOf("a.txt"); !slices.Equal(got, c.want) {
				t.Errorf("in review: %q, want %q", got, c.want)
			}
			r.finish(turn)
			r.undoAll()
			if got := r.disk("a.txt"); got != base {
				t.Errorf("undone, the disk has %q", got)
			}
		})
	}
}

// TestABufferDuringACommandShowsNothingOfTheUsers: an editor that opens, reloads or closes a file while a command rewrites it shows
// what the command has done by then.
func TestABufferDuringACommandShowsNothingOfTheUsers(t *testing.T) {
	const base = "one\ntwo\nthree\n"
	empty := func(r *rig) {
		text, _ := r.editor.Text(r.path("a.txt"))
		r.editor.Replace(r.path("a.txt"), 0, len(text), "")
	}
	for name, c := range map[string]struct{ before, atGate func(r *rig) }{
		"reloaded":            {func(r *rig) { r.buffer("a.txt") }, empty},
		"opened":              {func(*rig) {}, func(r *rig) { r.buffer("a.txt") }},
		"opened and closed":   {func(*rig) {}, func(r *rig) { r.buffer("a.txt"); r.editor.Close(r.path("a.txt")) }},
		"closed":              {func(r *rig) { r.buffer("a.txt") }, func(r *rig) { r.editor.Close(r.path("a.txt")) }},
		"reloaded and closed": {func(r *rig) { r.buffer("a.txt") }, func(r *rig) { empty(r); r.editor.Close(r.path("a.txt")) }},
	} {
		for _, reviewed := range []bool{true, false} {
			t.Run(fmt.Sprintf("%s/reviewed=%v", name, reviewed), func(t *testing.T) {
				r, turn := atWork(t, map[string]string{"a.txt": base}, plain)
				c.before(r)
				if reviewed {
					if _, err := r.edit(r.link(), "a.txt", "two", "TWO"); err != nil {
						t.Fatal(err)
					}
				}
				r.async("w", gated(": >a.txt", "printf 'x\\n' >a.txt"))
				r.atGate("a.txt")
				c.atGate(r)
				r.openGate("w")
				if got, want := r.pendingOf("a.txt"), []string{`edit a.txt: "one\ntwo\nthree\n" → "x\n"`}; !slices.Equal(got, want) {
					t.Errorf("in review: %q, want %q", got, want)
				}
				r.finish(turn)
				r.undoAll()
				if text, open := r.editor.Text(r.path("a.txt")); open && text != base {
					t.Errorf("undone, the buffer has %q", text)
				} else if got := r.disk("a.txt"); got != base && !open {
					t.Errorf("undone, the disk has %q", got)
				}
			})
		}
	}
}

// TestUndoWhileACommandRuns: an undo does not take for the user's what the command has done by then.
func TestUndoWhileACommandRuns(t *testing.T) {
	r, turn := atWork(t, map[string]string{"a.txt": "one\ntwo\nthree\n"}, plain)
	if _, err := r.edit(r.link(), "a.txt", "two", "TWO"); err != nil {
		t.Fatal(err)
	}
	r.async("w", gated(": >a.txt", "true"))
	r.atGate("a.txt")
	r.undo("a.txt")
	if got := r.disk("a.txt"); got != "one\ntwo\nthree\n" {
		t.Errorf("undone, the disk has %q", got)
	}
	r.openGate("w")
	r.finish(turn)
	if got := r.pendingOf("a.txt"); len(got) > 0 {
		t.Errorf("in review: %q", got)
	}
}

// TestTwoCommandsAtOnceAreBothTheAgents: the end of one says nothing of what the other has half done.
func TestTwoCommandsAtOnceAreBothTheAgents(t *testing.T) {
	r, turn := atWork(t, map[string]string{"a.txt": "one\ntwo\n", "b.txt": "bee\n"}, plain)
	for _, name := range []string{"a.txt", "b.txt"} {
		if _, err := r.link().Bash(r.ctx, caller(), tools.BashArgs{Command: "echo more >>" + name, Mode: tools.BashSync}, nil); err != nil {
			t.Fatal(err)
		}
	}
	r.async("w", gated(": >a.txt", "echo done >>a.txt"))
	r.atGate("a.txt")
	r.bash(": >b.txt")
	r.atGate("a.txt", "b.txt")
	r.openGate("w")
	r.finish(turn)
	r.undoAll()
	if a, b := r.disk("a.txt"), r.disk("b.txt"); a != "one\ntwo\n" || b != "bee\n" {
		t.Errorf("undone, the disk has %q and %q", a, b)
	}
}

// TestACommandThatOutlivesItsTurn goes on to be the agent's, and what it does is in review though no turn ends any more.
func TestACommandThatOutlivesItsTurn(t *testing.T) {
	r, turn := atWork(t, map[string]string{"a.txt": "one\ntwo\n"}, plain)
	if _, err := r.edit(r.link(), "a.txt", "two", "TWO"); err != nil {
		t.Fatal(err)
	}
	r.async("w", gated("true", ": >a.txt; touch emptied; until [ -e end ]; do sleep 0.01; done"))
	r.atGate()
	r.finish(turn)
	r.put("gate", "")
	r.eventually("the file is empty", func() bool { return there(r.path("emptied")) })
	r.b.ChangedOnDisk(r.path("a.txt"))
	if got, want := r.pendingOf("a.txt"), []string{`edit a.txt: "one\ntwo\n" → ""`}; !slices.Equal(got, want) {
		t.Errorf("in review: %q, want %q", got, want)
	}
	r.put("end", "")
	r.undo("a.txt")
	if got := r.disk("a.txt"); got != "one\ntwo\n" {
		t.Errorf("undone, the disk has %q", got)
	}
}

// TestWhatACommandLeavesRunningIsTheAgents: the process that a command left behind changes a file when the command has ended.
func TestWhatACommandLeavesRunningIsTheAgents(t *testing.T) {
	r, turn := atWork(t, map[string]string{"a.txt": "one\ntwo\n"}, plain)
	if _, err := r.edit(r.link(), "a.txt", "two", "TWO"); err != nil {
		t.Fatal(err)
	}
	r.bash("{ until [ -e gate ]; do sleep 0.01; done; : >a.txt; touch emptied; } >/dev/null 2>&1 &")
	r.put("gate", "")
	r.eventually("the file is empty", func() bool { return there(r.path("emptied")) })
	r.b.ChangedOnDisk(r.path("a.txt"))
	r.finish(turn)
	if got, want := r.pendingOf("a.txt"), []string{`edit a.txt: "one\ntwo\n" → ""`}; !slices.Equal(got, want) {
		t.Errorf("in review: %q, want %q", got, want)
	}
	r.undo("a.txt")
	if got := r.disk("a.txt"); got != "one\ntwo\n" {
		t.Errorf("undone, the disk has %q", got)
	}
}

// TestTheAgentWritesWhatItsCommandHasChanged: the text that a write of the agent starts from is not the user's where a command
// that still runs has made it.
func TestTheAgentWritesWhatItsCommandHasChanged(t *testing.T) {
	for name, c := range map[string]struct {
		first string
		files map[string]string
	}{
		"changed": {"echo new >a.txt", map[string]string{"a.txt": "mine\n"}},
		"made":    {"echo new >a.txt", map[string]string{}},
	} {
		t.Run(name, func(t *testing.T) {
			r, turn := atWork(t, c.files, plain)
			r.async("w", gated(c.first, "true"))
			r.atGate("a.txt")
			if _, err := r.edit(r.link(), "a.txt", "new", "newer"); err != nil {
				t.Fatal(err)
			}
			r.openGate("w")
			r.finish(turn)
			r.undo("a.txt")
			switch was, had := c.files["a.txt"]; {
			case had && r.disk("a.txt") != was:
				t.Errorf("undone, the disk has %q", r.disk("a.txt"))
			case !had && there(r.path("a.txt")):
				t.Errorf("undone, there is still %q", r.disk("a.txt"))
			}
		})
	}
}

// TestWhatTheEditorSavesWhileACommandRunsIsTheUsers, also where the command writes to the same file after that.
func TestWhatTheEditorSavesWhileACommandRunsIsTheUsers(t *testing.T) {
	r, turn := atWork(t, map[string]string{"a.txt": "one\ntwo\n", "b.txt": "one\ntwo\n"}, plain)
	r.buffer("a.txt")
	r.buffer("b.txt")
	r.async("w", gated("true", "echo command >>a.txt"))
	r.atGate()
	for _, name := range []string{"a.txt", "b.txt"} {
		r.editor.Replace(r.path(name), 0, 3, "mine")
		if err := r.editor.SaveFile(r.path(name)); err != nil {
			t.Fatal(err)
		}
		r.editor.Close(r.path(name))
	}
	r.openGate("w")
	if got, want := r.pendingOf("a.txt"), []string{`edit a.txt: "" → "command\n"`}; !slices.Equal(got, want) {
		t.Errorf("in review: %q, want %q", got, want)
	}
	if got := r.pendingOf("b.txt"); len(got) > 0 {
		t.Errorf("in review: %q", got)
	}
	r.finish(turn)
	r.undo("a.txt")
	if a, b := r.disk("a.txt"), r.disk("b.txt"); a != "mine\ntwo\n" || b != a {
		t.Errorf("undone, the disk has %q and %q", a, b)
	}
}

// TestAnotherProgramsChangeWhileACommandRunsIsReviewed: it cannot be told from the command's, so it is shown and not lost.
func TestAnotherProgramsChangeWhileACommandRunsIsReviewed(t *testing.T) {
	r, turn := atWork(t, map[string]string{"a.txt": "one\ntwo\n"}, plain)
	if _, err := r.edit(r.link(), "a.txt", "two", "TWO"); err != nil {
		t.Fatal(err)
	}
	r.async("w", gated("true", "true"))
	r.atGate()
	r.put("a.txt", "one\nTWO\nby another program\n")
	r.b.ChangedOnDisk(r.path("a.txt"))
	r.openGate("w")
	if got, want := r.pendingOf("a.txt"), []string{`edit a.txt: "two\n" → "TWO\nby another program\n"`}; !slices.Equal(got, want) {
		t.Errorf("in review: %q, want %q", got, want)
	}
	r.finish(turn)
	if got := r.disk("a.txt"); got != "one\nTWO\nby another program\n" {
		t.Errorf("the disk has %q", got)
	}
	// Once no command runs it is the user's again.
	r.put("a.txt", "mine\none\nTWO\nby another program\n")
	r.b.ChangedOnDisk(r.path("a.txt"))
	r.undo("a.txt")
	if got := r.disk("a.txt"); got != "mine\none\ntwo\n" {
		t.Errorf("undone, the disk has %q", got)
	}
}

// TestACommandThatChangesWhatNoIndexCovers: a file under review may be in another folder than the command's session.
func TestACommandThatChangesWhatNoIndexCovers(t *testing.T) {
	other := realDir(t.TempDir())
	r, turn := atWork(t, nil, func(c *Config) { c.Folders = append(c.Folders, other) })
	path := filepath.Join(other, "a.txt")
	r.put("x", "")
	r.bash("true")
	p, err := r.b.Config().Book.Begin(review.Change{Session: r.session, Turn: turn, Path: path, Kind: review.KindEdit, BeforeExists: true, Before: "one\ntwo\n", After: "one\nTWO\n", Mode: 0o644})
	if err != nil {
		t.Fatal(err)
	}
	r.bash("printf 'one\\nTWO\\n' >" + path)
	p.Commit("one\nTWO\n")
	r.async("w", gated(": >"+path, "true"))
	r.eventually("the command waits", func() bool { return there(r.path("at-gate")) })
	r.b.ChangedOnDisk(path)
	r.openGate("w")
	r.finish(turn)
	if text, _ := r.b.CurrentText(path); text != "" {
		t.Errorf("the book has %q", text)
	}
	if base, ok := r.b.Base(path); !ok || base != "one\ntwo\n" {
		t.Errorf("the base is %q, %v", base, ok)
	}
}
