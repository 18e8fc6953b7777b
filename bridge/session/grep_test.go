package session_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/copilot-bridge/copilot-bridge/bridge/tools"
)

const envLeftOut = "[1 file was left out because reading it asks the user first; name a file to the view tool, which asks]"

func TestGrepFindsWhatTheEditorShows(t *testing.T) {
	t.Parallel()
	r := newRig(t, map[string]string{
		"a.go": "package a\nfunc needle() {}\n", "sub/b.txt": "needle\n", "ignored.log": "needle\n", ".gitignore": "*.log\n",
		".env": "needle=1\n", "bin": "needle\x00", "dirty.txt": "no such word\n", "gone.txt": "needle\n", "crlf.txt": "x\r\nneedle\r\n",
	}, toolTurn).open()
	r.buffer("dirty.txt", "first\na needle, unsaved\n")
	r.buffer("gone.txt", "nothing here any more\n")
	r.buffer("new.txt", "needle in a new file\n")
	outside := filepath.Join(t.TempDir(), "o.txt")
	if err := os.WriteFile(outside, []byte("needle outside\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	r.inTurn(func(l *link) {
		grep := func(a tools.GrepArgs) string {
			if a.Pattern == "" {
				a.Pattern = "needle"
			}
			if a.Mode == "" {
				a.Mode = tools.GrepFiles
			}
			text, err := l.Grep(r.ctx, caller(), a)
			if err != nil {
				return "error: " + err.Error()
			}
			return text
		}
		for name, c := range map[string]struct {
			args tools.GrepArgs
			want string
		}{
			"names":          {tools.GrepArgs{}, "./a.go\n./crlf.txt\n./dirty.txt\n./new.txt\n./sub/b.txt\n" + envLeftOut},
			"a glob":         {tools.GrepArgs{Glob: "*.go"}, "./a.go"},
			"two globs":      {tools.GrepArgs{Glob: "*.{go,txt}", Paths: []string{"sub"}}, "sub/b.txt"},
			"not a glob":     {tools.GrepArgs{Glob: "!*.txt"}, "./a.go\n" + envLeftOut},
			"a type":         {tools.GrepArgs{Type: "go"}, "./a.go"},
			"content":        {tools.GrepArgs{Mode: tools.GrepContent, LineNumbers: true, Paths: []string{"dirty.txt"}}, "dirty.txt:2:a needle, unsaved"},
			"count":          {tools.GrepArgs{Mode: tools.GrepCount, Glob: "a.go"}, "./a.go:1"},
			"ignored, named": {tools.GrepArgs{Paths: []string{"ignored.log"}}, "ignored.log"},
			"case":           {tools.GrepArgs{Pattern: "NEEDLE", Glob: "a.go"}, "No matches found."},
			"no case":        {tools.GrepArgs{Pattern: "NEEDLE", IgnoreCase: true, Glob: "a.go"}, "./a.go"},
			"lines":          {tools.GrepArgs{Pattern: "(?s)first.a needle", Multiline: true}, "./dirty.txt\n" + envLeftOut},
		} {
			if got := grep(c.args); got != c.want {
				t.Errorf("%s: %q, want %q", name, got, c.want)
			}
		}
		for name, a := range map[string]tools.GrepArgs{"a bad pattern": {Pattern: "("}, "a type nobody knows": {Type: "nonsense"}, "a path that is not there": {Paths: []string{"none"}}} {
			if got := grep(a); !strings.HasPrefix(got, "error: ") {
				t.Errorf("%s: %q", name, got)
			}
		}
		if q := r.screen.questions(); len(q) > 0 {
			t.Errorf("asked %q", q[0].Title)
		}
		// Outside and in secrets it searches with a yes, file or folder.
		for _, path := range []string{outside, filepath.Dir(outside), ".env"} {
			if got := grep(tools.GrepArgs{Paths: []string{path}}); !strings.Contains(got, filepath.Base(outside)) && !strings.Contains(got, ".env") {
				t.Errorf("%s: %q", path, got)
			}
		}
		if n := len(r.screen.questions()); n != 3 {
			t.Errorf("asked %d times", n)
		}
		r.screen.ask = no
		if got := grep(tools.GrepArgs{Paths: []string{outside}}); !strings.HasPrefix(got, "error: ") {
			t.Errorf("after a no: %q", got)
		}
		r.buffer("big.txt", strings.Repeat("needle "+strings.Repeat("x", 90)+"\n", 5000))
		if got := grep(tools.GrepArgs{Mode: tools.GrepContent, LineNumbers: true}); len(got) > tools.MaxResult || !strings.Contains(got, "dirty.txt") {
			t.Errorf("a long answer has %d bytes: %s", len(got), fmt.Sprintf("%.200s", got))
		}
	})
}

// TestASearchDoesNotShowASecretUnderAnotherName: reading it there is asked about, and a search cannot ask.
func TestASearchDoesNotShowASecretUnderAnotherName(t *testing.T) {
	t.Parallel()
	r := newRigWith(t, map[string]string{
		"conf/.env": "S3CRET=1\n", "notes.txt": "S3CRET=2\n", "src/plain.txt": "S3CRET is a word\n", "src/twin.txt": "S3CRET twice\n",
	}, func(c *Config) { c.Rules = everythingAllowed }, toolTurn).open()
	for to, from := range map[string]string{"src/linked.txt": "conf/.env", "src/other.txt": "src/twin.txt"} {
		if err := os.Link(r.path(from), r.path(to)); err != nil {
			t.Fatal(err)
		}
	}
	symlink(t, "notes.txt", r.path(".env.local"))
	r.screen.ask = no
	r.inTurn(func(l *link) {
		got, err := l.Grep(r.ctx, caller(), tools.GrepArgs{Pattern: "S3CRET"})
		if want := "./src/other.txt\n./src/plain.txt\n./src/twin.txt\n" + envLeftOut; err != nil || got != want {
			t.Errorf("%v, found\n%s\nwant\n%s", err, got, want)
		}
		if _, err := l.Grep(r.ctx, caller(), tools.GrepArgs{Pattern: "S3CRET", Paths: []string{"notes.txt"}}); err == nil || len(r.screen.questions()) != 1 {
			t.Errorf("one that is named was not asked about: %v, %d questions", err, len(r.screen.questions()))
		}
	})
}
