package session_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/copilot-bridge/copilot-bridge/bridge/review"
	"github.com/copilot-bridge/copilot-bridge/bridge/tools"
)

// What commands change in files that are not open: each line of the table runs alone, in a folder without git, and is
// undone.
func TestWhatACommandChangesIsReviewedAndUndone(t *testing.T) {
	t.Parallel()
	files := map[string]string{"a.txt": "one\ntwo\n", "b/b.txt": "bee\n", "crlf.txt": "x\r\ny\r\n", "bom.txt": "\uFEFFm\n", "mark.txt": "\uFEFF", "bin": "\x00\xff\x01"}
	for _, c := range []struct {
		command string
		want    []string
		stays   []string // what an undo leaves, because nothing can be done
	}{
		{"sed -i s/two/TWO/ a.txt", []string{`edit a.txt: "two\n" → "TWO\n"`}, nil},
		{"cat >c.txt <<X\nnew\nX", []string{`create c.txt: "" → "new\n"`}, nil},
		{"mkdir -p d/e; echo deep >d/e/f.txt", []string{`create d/e/f.txt: "" → "deep\n"`}, nil},
		{"rm a.txt", []string{`delete a.txt: "one\ntwo\n" → ""`}, nil},
		{"mv a.txt b/moved.txt", []string{`move b/moved.txt from a.txt`}, nil},
		{"rm a.txt; printf 'one\\ntwo\\n' >a.txt", nil, nil},
		{"chmod +x a.txt", nil, nil},
		{"touch a.txt", nil, nil},
		{"echo Z >>crlf.txt", []string{`edit crlf.txt: "" → "Z\n"`}, nil},
		{"echo m2 >>bom.txt", []string{`edit bom.txt: "" → "m2\n"`}, nil},
		{": >bom.txt", []string{`edit bom.txt: "m\n" → ""`}, nil},
		{"echo k >bom.txt", []string{`edit bom.txt: "m\n" → "k\n"`}, nil},
		{"printf '\\357\\273\\277k\\n' >a.txt", []string{`edit a.txt: "one\ntwo\n" → "k\n"`}, nil},
		{"mv bom.txt b/moved.txt; echo k >b/moved.txt", []string{`move b/moved.txt from bom.txt: "m\n" → "k\n"`}, nil},
		{": >mark.txt", []string{`edit mark.txt`}, nil},
		{"printf 'm\\n' >bom.txt", []string{`edit bom.txt`}, nil},
		{"mv mark.txt b/moved.txt; : >b/moved.txt", []string{`move b/moved.txt from mark.txt`}, nil},
		{"rm mark.txt; : >mark.txt", []string{`edit mark.txt`}, nil},
		{"echo more >>bin", []string{`edit bin: it is not text`}, []string{"bin"}},
		{"head -c 5000000 /dev/zero | tr '\\0' z >big.txt", []string{`create big.txt: it is too large to show, or no file any more`}, []string{"big.txt"}},
		{"sed -i s/o/0/ a.txt b/b.txt; rm crlf.txt; echo n >n", []string{`edit a.txt: "one\ntwo\n" → "0ne\ntw0\n"`, `delete crlf.txt: "x\r\ny\r\n" → ""`, `create n: "" → "n\n"`}, nil},
		{"ln -sf b/b.txt a.txt", []string{`edit a.txt: it is too large to show, or no file any more`}, []string{"a.txt"}},
	} {
		t.Run(c.command, func(t *testing.T) {
			r, turn := atWork(t, files, plain)
			r.bash(c.command)
			if got := r.review(); !slices.Equal(got, c.want) {
				t.Errorf("in review:\n%s\nwant:\n%s", strings.Join(got, "\n"), strings.Join(c.want, "\n"))
			}
			end := func() { r.finish(turn) }
			end()
			r.b.Undo(r.ctx, review.Selector{All: true})
			for name, text := range files {
				if r.disk(name) != text && !slices.Contains(c.stays, name) {
					t.Errorf("after the undo %s is %q", name, r.disk(name))
				}
			}
			for _, name := range []string{"c.txt", "n", "d", "b/moved.txt"} {
				if _, err := os.Lstat(r.path(name)); err == nil {
					t.Errorf("after the undo %s is still there", name)
				}
			}
		})
	}
}

func TestAnOpenBufferGetsWhatACommandWrote(t *testing.T) {
	t.Parallel()
	r, turn := atWork(t, map[string]string{"a.txt": "one\ntwo\nthree\n"}, plain)
	r.buffer("a.txt")
	r.bash("sed -i s/two/TWO/ a.txt")
	if got := r.bufferText("a.txt"); got != "one\nTWO\nthree\n" {
		t.Errorf("the buffer has %q", got)
	}
	if got := r.review(); !slices.Equal(got, []string{`edit a.txt: "two\n" → "TWO\n"`}) {
		t.Errorf("in review: %q", got)
	}
	r.finish(turn)
	r.undoAll()
	if got := r.bufferText("a.txt"); got != "one\ntwo\nthree\n" || r.disk("a.txt") != got {
		t.Errorf("after the undo %q, on disk %q", got, r.disk("a.txt"))
	}
}

// The user's unsaved text is merged with what the command wrote, and stays unsaved.
func TestUnsavedTextIsMergedWithWhatACommandWrote(t *testing.T) {
	t.Parallel()
	r, turn := atWork(t, map[string]string{"a.txt": "one\ntwo\nthree\nfour\n"}, plain)
	r.buffer("a.txt", "mine\ntwo\nthree\nfour\n")
	r.bash("sed -i s/four/FOUR/ a.txt")
	if got := r.bufferText("a.txt"); got != "mine\ntwo\nthree\nFOUR\n" {
		t.Errorf("the buffer has %q", got)
	}
	if got := r.disk("a.txt"); got != "one\ntwo\nthree\nFOUR\n" {
		t.Errorf("the disk has %q: the user's text was saved without consent", got)
	}
	r.finish(turn)
}

// An editor may show the new text before the command has ended (VS Code follows the disk): it is the command's all the
// same. What the user saves while a command runs is not.
func TestWhoWroteWhileACommandRan(t *testing.T) {
	t.Parallel()
	r, turn := atWork(t, map[string]string{"a.txt": "one\n", "mine.txt": "one\n"}, plain)
	r.buffer("a.txt")
	r.buffer("mine.txt")
	r.async("w", "echo two >a.txt; touch written; until [ -e stop ]; do sleep 0.01; done")
	r.pids("written", 0)
	r.eventually("the command writes", func() bool { return r.disk("a.txt") == "two\n" })
	r.editor.Replace(r.path("a.txt"), 0, 3, "two") // the editor's own reload
	r.editor.Replace(r.path("mine.txt"), 0, 3, "my own")
	if err := r.editor.SaveFile(r.path("mine.txt")); err != nil {
		t.Fatal(err)
	}
	r.put("stop", "")
	if _, err := r.link().ReadBash(r.ctx, caller(), tools.ReadBashArgs{ShellID: "w", Delay: patience}); err != nil {
		t.Fatal(err)
	}
	got := slices.DeleteFunc(r.review(), func(s string) bool { return strings.HasPrefix(s, "create ") })
	if want := []string{`edit a.txt: "one\n" → "two\n"`}; !slices.Equal(got, want) {
		t.Errorf("in review: %q, want %q", got, want)
	}
	r.finish(turn)
}

// A command that runs meanwhile keeps its changes, and a second one does not take them for the state before it.
func TestCommandsThatOverlapKeepTheirChanges(t *testing.T) {
	t.Parallel()
	r, turn := atWork(t, map[string]string{"a.txt": "one\n", "b.txt": "one\n"}, plain)
	r.async("w", "echo two >a.txt; touch written; until [ -e stop ]; do sleep 0.01; done; echo three >a.txt")
	r.eventually("the command writes", func() bool { return r.disk("a.txt") == "two\n" })
	r.bash("echo two >b.txt")
	got := strings.Join(r.review(), "\n")
	for _, want := range []string{`edit a.txt: "one\n" → "two\n"`, `edit b.txt: "one\n" → "two\n"`} {
		if !strings.Contains(got, want) {
			t.Errorf("in review:\n%s\nwant %s", got, want)
		}
	}
	r.put("stop", "")
	if _, err := r.link().ReadBash(r.ctx, caller(), tools.ReadBashArgs{ShellID: "w", Delay: patience}); err != nil {
		t.Fatal(err)
	}
	if got := strings.Join(r.review(), "\n"); !strings.Contains(got, `edit a.txt: "one\n" → "three\n"`) {
		t.Errorf("at the end:\n%s", got)
	}
	r.finish(turn)
}

// What a command of ACP's terminal/create changed is in the buffer before the agent hears of its exit.
func TestTheExitIsToldAfterTheBufferHasTheText(t *testing.T) {
	t.Parallel()
	r := newRig(t, map[string]string{"a.txt": "one\n"}, hello+`
expect@p session/prompt
request@c terminal/create {"sessionId":"s1","command":"echo two >a.txt"}
answer@c
request@w terminal/wait_for_exit {"sessionId":"s1","terminalId":"$terminal"}
answer@w {"exitCode":0}
request@f fs/read_text_file {"sessionId":"s1","path":"$cwd/a.txt"}
answer@f {"content":"two\n"}
reply@p {"stopReason":"end_turn"}`).open()
	r.buffer("a.txt")
	r.run("go")
	if got := r.review(); !slices.Equal(got, []string{`edit a.txt: "one\n" → "two\n"`}) {
		t.Errorf("in review: %q", got)
	}
}

// What the user changes between two turns is theirs, also if a command ran in the turn before.
func TestWhatThePersonChangesBetweenTurnsIsTheirs(t *testing.T) {
	t.Parallel()
	r := newRig(t, map[string]string{"a.txt": "one\n"}, hello+`
expect@p session/prompt
mark working
wait done
reply@p {"stopReason":"end_turn"}
expect@q session/prompt
reply@q {"stopReason":"end_turn"}`).open()
	turn := r.prompt("one")
	r.await("working")
	r.bash("true")
	r.finish(turn)
	r.put("a.txt", "mine\n")
	r.run("two")
	if got := r.review(); len(got) > 0 {
		t.Errorf("in review: %q", got)
	}
}

// An image that the budget did not allow is said to be missing; nothing pretends to undo it.
func TestAChangeWithoutAnImageIsListedWithoutUndo(t *testing.T) {
	t.Parallel()
	r, turn := atWork(t, map[string]string{"a.txt": strings.Repeat("x\n", 3<<20)}, plain)
	r.bash("echo y >>a.txt; truncate -s 3M a.txt")
	if got, want := r.review(), []string{`edit a.txt: its text before the command is not known`}; !slices.Equal(got, want) {
		t.Fatalf("in review: %q, want %q", got, want)
	}
	f := r.b.Review(r.ctx, review.Filter{})[0]
	if f.Undoable {
		t.Error("it can be undone")
	}
	if _, conflicts := r.b.Undo(r.ctx, review.Selector{All: true}); len(conflicts) != 1 {
		t.Errorf("undo: %+v", conflicts)
	}
	r.finish(turn)
	if n, _ := r.b.Keep(review.Selector{All: true}); n != 1 {
		t.Errorf("%d kept", n)
	}
}

func TestACheckoutOfManyFiles(t *testing.T) {
	const files = 300
	r, turn := atWork(t, nil, func(c *Config) { c.StateDir = t.TempDir() })
	git := func(args ...string) {
		cmd := exec.Command("git", append([]string{"-c", "user.name=a", "-c", "user.email=a@b", "-C", r.dir}, args...)...)
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("git %v: %v %s", args, err, out)
		}
	}
	git("init", "-q", "-b", "main")
	for _, branch := range []string{"main", "other"} {
		for i := range files {
			r.put(filepath.Join(fmt.Sprint("d", i%10), fmt.Sprintf("f%03d.txt", i)), fmt.Sprintf("%s %d\n", branch, i))
		}
		r.put(".gitignore", "ignored/\n")
		git("add", ".")
		git("commit", "-q", "-m", branch)
		if branch == "main" {
			git("checkout", "-q", "-b", "other")
		}
	}
	r.put("ignored/x", "x")
	r.bash("git checkout -q main; cd ignored; echo y >x")
	got := r.review()
	if len(got) != files || got[7] != `edit d0/f070.txt: "other 70\n" → "main 70\n"` {
		t.Errorf("%d files in review, %q", len(got), got[:min(8, len(got))])
	}
	r.finish(turn)
	r.undoAll()
	if got := r.disk("d3/f003.txt"); got != "other 3\n" {
		t.Errorf("after the undo %q", got)
	}
}

// A command that takes an open file away leaves the editor's buffer alone, and an undo brings the file back under it.
func TestAnOpenFileThatACommandTakesAway(t *testing.T) {
	t.Parallel()
	for command, want := range map[string][]string{
		"rm a.txt":       {`delete a.txt: "one\n" → ""`},
		"mv a.txt b.txt": {`delete a.txt: "one\n" → ""`, `create b.txt: "" → "one\n"`},
	} {
		t.Run(command, func(t *testing.T) {
			r, turn := atWork(t, map[string]string{"a.txt": "one\n"}, plain)
			r.buffer("a.txt")
			r.bash(command)
			if got := r.review(); !slices.Equal(got, want) {
				t.Errorf("in review: %q, want %q", got, want)
			}
			if got := r.bufferText("a.txt"); got != "one\n" {
				t.Errorf("the buffer has %q", got)
			}
			r.finish(turn)
			r.undoAll()
			if got := r.disk("a.txt"); got != "one\n" || r.bufferText("a.txt") != got {
				t.Errorf("after the undo %q on disk, %q in the buffer", got, r.bufferText("a.txt"))
			}
			if _, err := os.Stat(r.path("b.txt")); err == nil {
				t.Error("after the undo b.txt is still there")
			}
		})
	}
}

// A file that moved and is open at its new place gets the new text like any other.
func TestAFileThatIsMovedOntoAnOpenOne(t *testing.T) {
	t.Parallel()
	r, turn := atWork(t, map[string]string{"a.txt": "one\n", "b.txt": "two\n"}, plain)
	r.buffer("b.txt")
	r.bash("mv a.txt b.txt")
	if got := r.bufferText("b.txt"); got != "one\n" {
		t.Errorf("the buffer has %q", got)
	}
	r.finish(turn)
	r.undoAll()
	if r.disk("a.txt") != "one\n" || r.disk("b.txt") != "two\n" || r.bufferText("b.txt") != "two\n" {
		t.Errorf("after the undo %q, %q, %q", r.disk("a.txt"), r.disk("b.txt"), r.bufferText("b.txt"))
	}
}
