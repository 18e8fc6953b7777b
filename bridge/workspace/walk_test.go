package workspace

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/copilot-bridge/copilot-bridge/internal/links"
)

// tree makes a folder of a txtar archive. A file whose text is "-> X" is a symbolic link to X.
func tree(t testing.TB, archive string) string {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range txtar.Parse([]byte(archive)).Files {
		put(t, dir, f.Name, string(f.Data))
	}
	return dir
}

func put(t testing.TB, dir, name, text string) {
	t.Helper()
	path := filepath.Join(dir, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if target, ok := strings.CutPrefix(text, "-> "); ok {
		if err := links.Make(t, strings.TrimSpace(target), path); err != nil {
			t.Fatal(err)
		}
		return
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

func walked(t testing.TB, dir string) (out []string) {
	t.Helper()
	err := Walk(context.Background(), dir, func(path string, _ fs.DirEntry) error {
		rel, err := filepath.Rel(dir, path)
		out = append(out, filepath.ToSlash(rel))
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	slices.Sort(out)
	return out
}

func TestAWalkSeesWhatGitSees(t *testing.T) {
	cases := map[string]struct{ archive, want string }{
		"no rules": {"-- a --\n-- b/c --\n-- .hidden --\n", ".hidden a b/c"},
		"patterns": {"-- .gitignore --\n*.log\n/top\nbuild/\n# comment\n\n-- a.log --\n-- x/b.log --\n-- top --\n-- x/top --\n-- build/o --\n-- x/build/o --\n-- a --\n",
			".gitignore a x/top"},
		"negation":                          {"-- .gitignore --\n*.log\n!keep.log\n-- a.log --\n-- keep.log --\n-- x/keep.log --\n", ".gitignore keep.log x/keep.log"},
		"a folder that is ignored stays so": {"-- .gitignore --\nout/\n!out/keep\n-- out/keep --\n-- a --\n", ".gitignore a"},
		"the deeper folder wins":            {"-- .gitignore --\n*.txt\n-- x/.gitignore --\n!*.txt\n-- a.txt --\n-- x/b.txt --\n-- y/c.txt --\n", ".gitignore x/.gitignore x/b.txt"},
		"and may be stricter":               {"-- x/.gitignore --\n*\n!.gitignore\n-- x/b --\n-- y --\n", "x/.gitignore y"},
		"anchored below":                    {"-- x/.gitignore --\n/only\n-- x/only --\n-- x/y/only --\n-- only --\n", "only x/.gitignore x/y/only"},
		"two stars":                         {"-- .gitignore --\na/**/z\n-- a/z --\n-- a/b/z --\n-- a/b/c/z --\n-- z --\n", ".gitignore z"},
		"windows line ends":                 {"-- .gitignore --\n*.log\r\n-- a.log --\n-- b --\n", ".gitignore b"},
		"git's own folder":                  {"-- .git/config --\n-- sub/.git/config --\n-- a --\n", "a"},
		"links":                             {"-- a --\n-- l --\n-> a\n-- d --\n-> ..\n-- broken --\n-> nowhere\n", "a"},
	}
	for name, c := range cases {
		if got := strings.Join(walked(t, tree(t, c.archive)), " "); got != c.want {
			t.Errorf("%s: %s, want %s", name, got, c.want)
		}
	}
}

func TestRulesAboveTheFolderCount(t *testing.T) {
	dir := tree(t, "-- .git/HEAD --\n-- .gitignore --\n*.log\n-- sub/a.log --\n-- sub/b --\n")
	if got := walked(t, filepath.Join(dir, "sub")); !slices.Equal(got, []string{"b"}) {
		t.Errorf("walked %v", got)
	}
	for name, want := range map[string]bool{"sub/a.log": true, "sub/new.log": true, "sub/b": false, "sub/c": false, ".git/HEAD": true} {
		if got := Ignored(dir, filepath.Join(dir, name)); got != want {
			t.Errorf("ignored %s: %v", name, got)
		}
	}
	if !Ignored(filepath.Join(dir, "sub"), dir) {
		t.Error("what is above is not left out")
	}
}

func TestAWalkEndsWhenItIsTold(t *testing.T) {
	dir := tree(t, "-- a --\n-- b --\n-- c/d --\n")
	n := 0
	if err := Walk(context.Background(), dir, func(string, fs.DirEntry) error { n++; return ErrStop }); err != nil || n != 1 {
		t.Errorf("stopped after %d, %v", n, err)
	}
	boom := errors.New("boom")
	if err := Walk(context.Background(), dir, func(string, fs.DirEntry) error { return boom }); !errors.Is(err, boom) {
		t.Errorf("got %v", err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if err := Walk(ctx, dir, func(string, fs.DirEntry) error { return nil }); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
	if err := Walk(context.Background(), filepath.Join(dir, "none"), func(string, fs.DirEntry) error { return nil }); err != nil {
		t.Errorf("a folder that is gone: %v", err)
	}
}

// TestWhatDecidesWhatRunsIsSeenThoughIgnored guards control files: git ignores them or they are its own, and they count all
// the same. What git writes with every command does not.
func TestWhatDecidesWhatRunsIsSeenThoughIgnored(t *testing.T) {
	dir := t.TempDir()
	put := func(name, text string) {
		t.Helper()
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	put(".gitignore", ".env\n.vscode\nout\n")
	put("a.txt", "a")
	x, err := NewIndex(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer x.Close()
	x.Also(func(rel string) bool {
		name := filepath.Base(rel)
		return name == ".git" || name == ".env" || name == ".vscode"
	})
	if err := x.Before(t.Context(), Hints{}); err != nil {
		t.Fatal(err)
	}
	seen := []string{
		".env", ".vscode/tasks.json", ".git/config", ".git/hooks/pre-commit", ".git/info/attributes", ".git/modules/a/b/hooks/post-merge",
		".git/modules/a/config", ".git/worktrees/a/config.worktree", "sub/.git/hooks/x", "sub/.env",
	}
	for _, name := range append(seen, "out/x.o", ".git/index", ".git/HEAD", ".git/objects/ab/config", ".git/hooks/pre-push.sample", ".git/logs/config", ".git/refs/heads/config") {
		put(name, "new")
	}
	changes, _, err := x.After(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, c := range changes {
		rel, _ := filepath.Rel(dir, c.Path)
		got = append(got, filepath.ToSlash(rel))
	}
	slices.Sort(got)
	slices.Sort(seen)
	if !slices.Equal(got, seen) {
		t.Errorf("seen %q\nwant %q", got, seen)
	}
}
