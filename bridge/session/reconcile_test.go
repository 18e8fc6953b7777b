package session_test

import (
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/copilot-bridge/copilot-bridge/bridge/host"
	"github.com/copilot-bridge/copilot-bridge/bridge/review"
)

func TestWhatACommandChangesIsReviewed(t *testing.T) {
	t.Parallel()
	const bom = host.ByteOrderMark
	cases := map[string]struct {
		command    string
		kinds      map[string]review.Kind
		disk       map[string]string // afterwards; "-" is no file
		buffer     map[string]string
		diskUndone map[string]string // where undo does not bring back the disk as it was
	}{
		"sed -i, closed":        {"sed -i s/two/TWO/ closed.txt", map[string]review.Kind{"closed.txt": review.KindEdit}, map[string]string{"closed.txt": "one\nTWO\n"}, nil, nil},
		"sed -i, clean":         {"sed -i s/two/TWO/ clean.txt", map[string]review.Kind{"clean.txt": review.KindEdit}, map[string]string{"clean.txt": "one\nTWO\n"}, map[string]string{"clean.txt": "one\nTWO\n"}, nil},
		"sed -i, dirty":         {"sed -i s/two/TWO/ dirty.txt", map[string]review.Kind{"dirty.txt": review.KindEdit}, map[string]string{"dirty.txt": "one\nTWO\n"}, map[string]string{"dirty.txt": "mine\none\nTWO\n"}, map[string]string{"dirty.txt": "one\nTWO\n"}},
		"cat >, a new file":     {"mkdir -p d/e && cat > d/e/n.txt <<X\nnew\nX", map[string]review.Kind{"d/e/n.txt": review.KindCreate}, map[string]string{"d/e/n.txt": "new\n"}, nil, nil},
		"rm":                    {"rm closed.txt", map[string]review.Kind{"closed.txt": review.KindDelete}, map[string]string{"closed.txt": "-"}, nil, nil},
		"a formatter over all":  {"for f in closed.txt clean.txt; do sed -i 's/^/  /' $f; done", map[string]review.Kind{"closed.txt": review.KindEdit, "clean.txt": review.KindEdit}, map[string]string{"clean.txt": "  one\n  two\n"}, map[string]string{"clean.txt": "  one\n  two\n"}, nil},
		"a byte order mark":     {"printf '" + `\357\273\277` + "one\nTWO\n' > bom.txt", map[string]review.Kind{"bom.txt": review.KindEdit}, map[string]string{"bom.txt": bom + "one\nTWO\n"}, nil, nil},
		"nothing, and an error": {"touch closed.txt; false", nil, map[string]string{"closed.txt": "one\ntwo\n"}, nil, nil},
		"ignored files":         {"echo x > a.log", nil, nil, nil, nil},
	}
	files := map[string]string{
		"closed.txt": "one\ntwo\n", "clean.txt": "one\ntwo\n", "dirty.txt": "one\ntwo\n", "bom.txt": bom + "one\ntwo\n", ".gitignore": "*.log\n",
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			r := newRig(t, files, toolTurn).open()
			r.buffer("clean.txt")
			r.buffer("dirty.txt", "mine\none\ntwo\n")
			end := r.inTurn(func(*link) {
				r.bash(c.command)
				// Already when the result is there: the model goes on from what the user sees.
				for name, want := range c.buffer {
					if got := r.bufferText(name); got != want {
						t.Errorf("the buffer of %s holds %q, want %q", name, got, want)
					}
				}
			})
			got := map[string]review.Kind{}
			for _, f := range r.b.Review(r.ctx, review.Filter{Turn: end.Turn}) {
				got[strings.TrimPrefix(f.Path, r.dir+"/")] = f.Kind
			}
			if len(got) != len(c.kinds) {
				t.Errorf("in review: %v, want %v", got, c.kinds)
			}
			for name, kind := range c.kinds {
				if got[name] != kind {
					t.Errorf("%s is a %q, want %q", name, got[name], kind)
				}
			}
			for name, want := range c.disk {
				if got := r.disk(name); got != want && !(want == "-" && strings.Contains(got, "no such file")) {
					t.Errorf("%s holds %q, want %q", name, got, want)
				}
			}
			if len(c.kinds) == 0 {
				return
			}
			if _, bad := r.b.Undo(r.ctx, review.Selector{Turn: end.Turn}); len(bad) > 0 {
				t.Fatalf("undo: %v", bad)
			}
			for name, want := range files {
				if other, ok := c.diskUndone[name]; ok {
					want = other
				}
				if got := r.disk(name); got != want {
					t.Errorf("undone, %s holds %q, want %q", name, got, want)
				}
			}
			if got := r.bufferText("dirty.txt"); got != "mine\none\ntwo\n" {
				t.Errorf("undone, the dirty buffer holds %q", got)
			}
			if _, err := os.Stat(r.path("d")); !os.IsNotExist(err) {
				t.Error("undone, the new folder is still there")
			}
		})
	}
}

func TestAGitCheckoutIsReviewed(t *testing.T) {
	t.Parallel()
	r := newRig(t, map[string]string{"a.txt": "one\n"}, toolTurn)
	git := func(args ...string) {
		cmd := exec.Command("git", append([]string{"-C", r.dir, "-c", "user.name=x", "-c", "user.email=x@example.org"}, args...)...)
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("git %v: %v\n%s", args, err, out)
		}
	}
	git("init", "-q", "-b", "main")
	git("add", ".")
	git("commit", "-qm", "one")
	git("checkout", "-qb", "other")
	r.put("a.txt", "other\n")
	r.put("b.txt", "new there\n")
	git("add", ".")
	git("commit", "-qm", "two")
	git("checkout", "-q", "main")
	r.open()
	r.buffer("a.txt")
	end := r.inTurn(func(*link) { r.bash("git checkout -q other") })
	files := r.b.Review(r.ctx, review.Filter{Turn: end.Turn})
	if len(files) != 2 || files[0].Kind != review.KindEdit || files[1].Kind != review.KindCreate || r.bufferText("a.txt") != "other\n" {
		t.Errorf("in review: %+v, the buffer holds %q", files, r.bufferText("a.txt"))
	}
}

func TestWhatWasKeptDoesNotComeBackAtTheEndOfTheTurn(t *testing.T) {
	t.Parallel()
	r := newRig(t, map[string]string{"a.txt": "one\ntwo\n"}, toolTurn).open()
	end := r.inTurn(func(l *link) {
		r.bash("true")
		if _, err := r.edit(l, "a.txt", "two", "TWO"); err != nil {
			t.Fatal(err)
		}
		if n, bad := r.b.Keep(review.Selector{All: true}); n != 1 || len(bad) > 0 {
			t.Fatalf("kept %d, %v", n, bad)
		}
		r.bash("true")
	})
	if files := r.b.Review(r.ctx, review.Filter{}); len(files) > 0 {
		t.Errorf("in review after it was kept: %+v", files)
	}
	if len(end.Files) != 1 {
		t.Errorf("counted %v", end.Files)
	}
}

func TestASessionInALinkedFolder(t *testing.T) {
	t.Parallel()
	r := newRig(t, map[string]string{"real/a.txt": "one\n"}, toolTurn)
	symlink(t, "real", r.path("linked"))
	s, err := r.b.NewSession(r.ctx, NewSessionRequest{Cwd: r.path("linked")})
	if err != nil {
		t.Fatal(err)
	}
	r.session = s.ID
	r.buffer("real/a.txt")
	end := r.inTurn(func(*link) { r.bash("sed -i s/one/ONE/ a.txt") })
	files := r.b.Review(r.ctx, review.Filter{Turn: end.Turn})
	if len(files) != 1 || files[0].Path != r.path("real/a.txt") || r.bufferText("real/a.txt") != "ONE\n" {
		t.Errorf("in review: %+v, the buffer holds %q", files, r.bufferText("real/a.txt"))
	}
}
