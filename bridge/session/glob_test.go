package session_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/copilot-bridge/copilot-bridge/bridge/policy"
	"github.com/copilot-bridge/copilot-bridge/bridge/tools"
	"github.com/copilot-bridge/copilot-bridge/fsproxy/disk"
)

func TestGlobNamesWhatIsInTheFolders(t *testing.T) {
	t.Parallel()
	outside := t.TempDir()
	if err := os.WriteFile(filepath.Join(outside, "o.go"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	r := newRigWith(t, map[string]string{
		"a.go": "", "b.txt": "", "sub/c.go": "", "sub/d/e.go": "", ".dot.go": "", "ignored/x.go": "", ".gitignore": "ignored/\n", ".env": "A=1", "private/p.go": "", ".git/config": "",
	}, func(c *Config) {
		c.Rules = []policy.Rule{{Tool: policy.ToolRead, Path: "private/**", Decision: policy.Deny}}
	}, toolTurn).open()
	r.buffer("new.go", "not on disk\n")
	if err := os.Symlink(outside, r.path("away")); err != nil {
		t.Fatal(err)
	}
	r.screen.ask = no
	r.inTurn(func(l *link) {
		glob := func(pattern string, paths ...string) string {
			text, err := l.Glob(r.ctx, caller(), tools.GlobArgs{Pattern: pattern, Paths: paths})
			if err != nil {
				return "error: " + err.Error()
			}
			return text
		}
		for _, c := range []struct {
			pattern string
			paths   []string
			want    string
		}{
			{"*.go", nil, "./.dot.go\n./a.go\n./new.go\n./sub/c.go\n./sub/d/e.go"},
			{"**/*.go", []string{"sub"}, "sub/c.go\nsub/d/e.go"},
			{"sub/*.go", nil, "./sub/c.go"},
			{"*.{txt,env}", nil, "./.env\n./b.txt"},
			{"", []string{"sub", r.path("sub/d"), "sub"}, "sub/c.go\nsub/d/e.go"}, // each by the way in which it is come upon first
			{"*.go", []string{"a.go"}, "a.go"},
			{"*.go", []string{"ignored"}, "ignored/x.go"},
			{"../*", nil, "No files matched the pattern."},
			{"away/*", nil, "No files matched the pattern."},
			{"config", nil, "No files matched the pattern."},
			{outside + "/*", nil, "No files matched the pattern."},
			{"private/*", nil, "No files matched the pattern."},
		} {
			got := glob(c.pattern, c.paths...)
			if got != c.want {
				t.Errorf("%q in %q: %q, want %q", c.pattern, c.paths, got, c.want)
			}
		}
		if n := len(r.screen.questions()); n != 0 {
			t.Errorf("asked %d times", n)
		}
		for _, path := range []string{"..", outside, "away", "/"} {
			if got := glob("*", path); !strings.HasPrefix(got, "error: ") || strings.Contains(got, "o.go") {
				t.Errorf("in %s: %q", path, got)
			}
		}
		if n := len(r.screen.questions()); n != 4 {
			t.Errorf("asked %d times about what is outside", n)
		}
		for _, path := range []string{"none", "private/p.go"} {
			if got := glob("*", path); !strings.HasPrefix(got, "error: ") {
				t.Errorf("in %s: %q", path, got)
			}
		}
		for _, pattern := range []string{strings.Repeat("{a,b}", 30), strings.Repeat("x", disk.MaxPath+1)} {
			if got := glob(pattern); !strings.Contains(got, "the glob has more than") && !strings.Contains(got, "is too long") {
				t.Errorf("%.20s…: %q", pattern, got)
			}
		}
		r.screen.ask = yes
		if got := glob("*.go", outside); got != outside+"/o.go" {
			t.Errorf("allowed, outside: %q", got)
		}
	})
}

func TestGlobOfManyFilesIsBounded(t *testing.T) {
	t.Parallel()
	files := map[string]string{"one.txt": ""}
	for i := range 1500 {
		files[fmt.Sprintf("many/%04d.md", i)] = ""
	}
	r := newRig(t, files, toolTurn).open()
	r.inTurn(func(l *link) {
		text, err := l.Glob(r.ctx, caller(), tools.GlobArgs{Pattern: "*"})
		if err != nil || !strings.HasPrefix(text, "[glob: 1501 path(s); grouped by directory]\n\n./many/ (1500 path(s))\n  0000.md\n") || !strings.HasSuffix(text, "\n\n./ (1 path(s))\n  one.txt") {
			t.Errorf("%v: %.200s", err, text)
		}
	})
}

func TestAFoldersListLeavesOutWhatIsDenied(t *testing.T) {
	t.Parallel()
	r := newRigWith(t, map[string]string{"a.txt": "", "d/plans-1.txt": "", "d/plans-2.txt": "", "d/open.txt": "", "d/.env": "A=1"}, func(c *Config) {
		c.Rules = []policy.Rule{{Tool: policy.ToolRead, Path: "d/plans*", Decision: policy.Deny}}
	}, toolTurn).open()
	r.inTurn(func(l *link) {
		if text, err := l.View(r.ctx, caller(), tools.ViewArgs{Path: r.path("d")}); err != nil || text != ".env\nopen.txt" {
			t.Errorf("%q, %v", text, err)
		}
	})
}
