package session_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/copilot-bridge/copilot-bridge/bridge/policy"
	"github.com/copilot-bridge/copilot-bridge/bridge/tools"
)

var readRules = []policy.Rule{
	{Tool: policy.ToolAny, Path: "**/*.pem.txt", Decision: policy.Deny},
	{Tool: policy.ToolRead, Path: "private/**", Decision: policy.Deny},
	{Tool: policy.ToolRead, Path: "customers/**", Decision: policy.Ask},
	{Tool: policy.ToolRead, Path: "team/**", Decision: policy.Deny},
}

var someAreKept = map[string]string{
	"a.txt": "needle here\n", "private/notes.txt": "needle in private\n", "Private2/ok.txt": "needle ok\n", "customers/list.csv": "needle of Ada\n",
	"customers/deep/more.csv": "needle of Bob\n", "deep/key.pem.txt": "needle key\n", ".env": "needle=1\n", "team/plan.txt": "needle of the team\n",
}

// TestRulesHoldForWhatASearchFinds: a rule that denies reading a file, or asks about it, holds for a search over its folder,
// by whatever name the folder was searched.
func TestRulesHoldForWhatASearchFinds(t *testing.T) {
	t.Parallel()
	r := newRigWith(t, someAreKept, func(c *Config) { c.Rules = readRules }, toolTurn).open()
	if err := os.Link(r.path("private/notes.txt"), r.path("twin.txt")); err != nil {
		t.Fatal(err)
	}
	r.buffer("private/new.txt", "needle, unsaved\n")
	symlink(t, r.dir, filepath.Join(r.dir, "..", "alias"))
	r.screen.ask = no
	r.inTurn(func(l *link) {
		grep := func(paths ...string) string {
			text, err := l.Grep(r.ctx, caller(), tools.GrepArgs{Pattern: "needle", Mode: tools.GrepContent, Paths: paths})
			if err != nil {
				return "error: " + err.Error()
			}
			return text
		}
		want := "./Private2/ok.txt:needle ok\n./a.txt:needle here\n[7 files were left out: 3 to ask the user about first (the view tool asks, for a file that is named), 4 not to be read by the user's rules]"
		if got := grep(); got != want {
			t.Errorf("found\n%s\nwant\n%s", got, want)
		}
		if n := len(r.screen.questions()); n != 0 {
			t.Errorf("asked %d times", n)
		}
		for _, path := range []string{r.path("."), filepath.Join(r.dir, "..", "alias"), r.dir + "/deep/..", "private", "customers", "team"} {
			for _, secret := range []string{"private\n", "Ada", "Bob", "key", "team\n", "unsaved", "=1"} {
				if got := grep(path); strings.Contains(got, "needle of") || strings.Contains(got, "needle in") || strings.Contains(got, secret) && !strings.HasPrefix(got, "error") {
					t.Errorf("%s: %s", path, got)
				}
			}
		}
		// That a file holds the pattern is not told either.
		with, without := grep(), ""
		if text, err := l.Grep(r.ctx, caller(), tools.GrepArgs{Pattern: "nowhere at all", Mode: tools.GrepContent}); err == nil {
			without = text
		}
		if _, left, _ := strings.Cut(with, "["); !strings.HasSuffix(without, left) {
			t.Errorf("with %q, without %q", with, without)
		}
		// A yes to a folder is one to what the same rule asks about in it, and to nothing else.
		r.screen.ask = yes
		if err := os.WriteFile(r.path("customers/x.pem.txt"), []byte("needle key\n"), 0o600); err != nil {
			t.Error(err)
		}
		got := grep("customers")
		if !strings.Contains(got, "Ada") || !strings.Contains(got, "Bob") || strings.Contains(got, "key") {
			t.Errorf("after a yes: %s", got)
		}
	})
}

// TestRulesHoldForDiagnosticsOfAllFiles: messages quote the text of files.
func TestRulesHoldForDiagnosticsOfAllFiles(t *testing.T) {
	t.Parallel()
	r := newRigWith(t, someAreKept, func(c *Config) { c.Rules = readRules }, toolTurn).open()
	symlink(t, "private/notes.txt", r.path("link.txt"))
	outside := filepath.Join(t.TempDir(), "o.txt")
	var all []FileDiagnostics
	for _, path := range []string{r.path("a.txt"), r.path("private/notes.txt"), r.path("link.txt"), r.path("customers/list.csv"), r.path(".env"), outside} {
		all = append(all, FileDiagnostics{Path: path, Items: []Diagnostic{{Line: 1, Column: 1, Severity: "error", Message: "unknown word in " + filepath.Base(path)}}})
	}
	r.screen.diagnostics = func([]string) ([]FileDiagnostics, error) { return slices.Clone(all), nil }
	r.screen.ask = no
	r.inTurn(func(l *link) {
		got, err := l.Diagnostics(r.ctx, caller(), tools.DiagnosticsArgs{})
		want := "a.txt:1:1: error: unknown word in a.txt\n[5 files were left out: 3 to ask the user about first (the view tool asks, for a file that is named), 2 not to be read by the user's rules]"
		if err != nil || got != want {
			t.Errorf("%v, told\n%s\nwant\n%s", err, got, want)
		}
		// An editor that tells of more files than it was asked for does not go round the rules with that.
		if got, err := l.Diagnostics(r.ctx, caller(), tools.DiagnosticsArgs{Path: r.path("a.txt")}); err != nil || got != want {
			t.Errorf("%v, told\n%s", err, got)
		}
	})
}

// TestAnEditTellsNothingOfAFileThatMayNotBeRead: whether a text is in it is told by how an edit fails.
func TestAnEditTellsNothingOfAFileThatMayNotBeRead(t *testing.T) {
	t.Parallel()
	r := newRigWith(t, someAreKept, func(c *Config) { c.Rules = readRules }, toolTurn).open()
	r.screen.ask = no
	r.inTurn(func(l *link) {
		for _, name := range []string{"private/notes.txt", "customers/list.csv"} {
			_, there := r.edit(l, name, "needle", "x")
			_, not := r.edit(l, name, "no such text", "x")
			if there == nil || not == nil || there.Error() != not.Error() {
				t.Errorf("%s: %v; %v", name, there, not)
			}
		}
	})
}

// TestASearchOverManyFilesDecidesQuickly: the rules of each file cost a search of a large tree little. The bound is ten times
// what it takes.
func TestASearchOverManyFilesDecidesQuickly(t *testing.T) {
	const n = 100_000
	r := newRigWith(t, nil, func(c *Config) { c.Rules, c.StateDir = readRules, t.TempDir() }, hello).open()
	through := r.theSession().Gate().NewReading("grep")
	began := time.Now()
	for i := range n {
		through.May(r.path(fmt.Sprintf("internal/server/handlers/file%05d.go", i)))
	}
	if took := time.Since(began); took > 20*time.Second || through.WithLeft("") != "" {
		t.Errorf("%v for %d files: %s", took, n, through.WithLeft(""))
	} else {
		t.Logf("%v for %d files", took, n)
	}
}

// TestAReadRuleHoldsForHardLinks: a rule is for a file, and not only for the name that it has there.
func TestAReadRuleHoldsForHardLinks(t *testing.T) {
	t.Parallel()
	r := newRigWith(t, someAreKept, func(c *Config) { c.Rules = readRules }, toolTurn).open()
	if err := os.Link(r.path("private/notes.txt"), r.path("twin.txt")); err != nil {
		t.Fatal(err)
	}
	r.screen.ask = no
	r.inTurn(func(l *link) {
		for name, read := range map[string]func() (string, error){
			"view": func() (string, error) { return l.View(r.ctx, caller(), tools.ViewArgs{Path: r.path("twin.txt")}) },
			"grep": func() (string, error) {
				return l.Grep(r.ctx, caller(), tools.GrepArgs{Pattern: "needle", Mode: tools.GrepContent, Paths: []string{"twin.txt"}})
			},
			"diagnostics": func() (string, error) {
				return l.Diagnostics(r.ctx, caller(), tools.DiagnosticsArgs{Path: r.path("twin.txt")})
			},
			"edit": func() (string, error) { return r.edit(l, "twin.txt", "needle", "x") },
		} {
			if text, err := read(); err == nil || !strings.Contains(err.Error(), "a rule of yours") {
				t.Errorf("%s: %q %v", name, text, err)
			}
		}
	})
}
