//go:build unix

package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/copilot-bridge/copilot-bridge/internal/wrap"
)

// demoEnv is an environment without any other program, and an empty folder for what is temporary.
func demoEnv(t *testing.T) (env []string, tmp string) {
	t.Helper()
	tmp = t.TempDir()
	return []string{"TMPDIR=" + tmp, "PATH=" + t.TempDir(), "TERM=xterm"}, tmp
}

func leftIn(t *testing.T, dir string) []os.DirEntry {
	t.Helper()
	left, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	return left
}

// TestTheDemoIsPlayedWithKeys: what is on disk and on the screen, one question, a no that changes nothing, a hunk kept and one undone, on
// a machine without Go. Each page fits the screen, the question too.
func TestTheDemoIsPlayedWithKeys(t *testing.T) {
	for _, cols := range []uint16{80, 40, 120} {
		env, tmp := demoEnv(t)
		screen, code := atTerminalOf(t, cols, t.TempDir(), env, [][2]string{
			{"const ticket = 1000", ""}, {"const ticket = 1200", ""}, {"Total(10) = 10000, want 10800", ""}, {"[q] Leave", " "},
			{"? Edit price.go", ""}, {"▌ +\tif n >= 10 {", ""}, {"[y] Allow once", "n"}, {"You said no", ""}, {"? Edit price.go", "y"},
			{"--- PASS: TestTenCostLess", ""}, {"Any key", " "}, {"hunk 1 of 2, price.go line 9", "k"}, {"kept", ""},
			{"hunk 1 of 1, price.go line 16", "u"}, {"undone", ""}, {"Any key", " "},
			{"const ticket = 1200", ""}, {"if n >= 10 {", ""}, {"return Total(n) / n", ""}, {"copilot-bridge prompt", ""},
		}, "demo")
		if code != 0 || strings.Contains(screen, "there is more above") && cols >= 80 {
			t.Errorf("%d columns, exit status %d:\n%s", cols, code, screen)
		}
		for i, page := range strings.Split(screen, "\x1b[H\x1b[J")[1:] {
			rows := 0
			for line := range strings.SplitSeq(strings.TrimRight(page, "\n"), "\n") {
				rows += max(1, (wrap.Width(strings.ReplaceAll(line, "\t", "        "))+int(cols)-1)/int(cols))
			}
			if i != 1 && cols >= 80 && rows >= 24 { // the second page goes on below its question
				t.Errorf("page %d has %d rows:\n%s", i+1, rows, page)
			}
		}
		if left := leftIn(t, tmp); len(left) > 0 {
			t.Errorf("it has left %v", left)
		}
	}
}

// TestTheDemoCanBeLeftAnywhere: by q on its pages, by Ctrl-C everywhere, and nothing stays behind.
func TestTheDemoCanBeLeftAnywhere(t *testing.T) {
	for name, c := range map[string]struct {
		steps [][2]string
		code  int
	}{
		"q at first":             {[][2]string{{"[q] Leave", "q"}}, 0},
		"Ctrl-C at first":        {[][2]string{{"[q] Leave", "\x03"}}, 130},
		"Ctrl-C at the question": {[][2]string{{"[q] Leave", " "}, {"[y] Allow once", "\x03"}}, 130},
		"Ctrl-C in the review":   {[][2]string{{"[q] Leave", " "}, {"[y] Allow once", "y"}, {"Any key", " "}, {"hunk 1 of 2", "\x03"}}, 130},
		"hunks are left":         {[][2]string{{"[q] Leave", " "}, {"[y] Allow once", "y"}, {"Any key", " "}, {"hunk 1 of 2", "q"}, {"stay pending", ""}, {"Any key", "q"}}, 0},
	} {
		env, tmp := demoEnv(t)
		screen, code := atTerminal(t, t.TempDir(), env, c.steps, "demo")
		if left := leftIn(t, tmp); code != c.code || len(left) > 0 {
			t.Errorf("%s: exit status %d, left %v:\n%s", name, code, left, screen)
		}
	}
}

// TestTheHelpOfAReviewWrapsBesideItsKeys on a narrow terminal, and what is left in the demo names no command that would go on with it.
func TestTheHelpOfAReviewWrapsBesideItsKeys(t *testing.T) {
	env, _ := demoEnv(t)
	screen, code := atTerminalOf(t, 40, t.TempDir(), env, [][2]string{
		{"[q] Leave", " "}, {"[y] Allow once", "y"}, {"Any key", " "}, {"hunk 1 of 2", "?"},
		{"\n  c     comment on this hunk, or edit\n        the comment\n", "q"}, {"2 hunks stay pending in price.go.", ""}, {"Any key", "q"},
	}, "demo")
	if code != 0 || strings.Contains(screen, "To go on") {
		t.Errorf("exit status %d:\n%s", code, screen)
	}
}

// TestTheDemoPlaysByItself: with --auto also on a terminal.
func TestTheDemoPlaysByItself(t *testing.T) {
	env, tmp := demoEnv(t)
	screen, code := atTerminal(t, t.TempDir(), env, [][2]string{{"(you press y)", ""}, {"That was a whole turn", ""}}, "demo", "--auto")
	if left := leftIn(t, tmp); code != 0 || len(left) > 0 {
		t.Errorf("exit status %d, left %v:\n%s", code, left, screen)
	}
}

// TestGoSaysTheSameOfTheDemosFile: what the demo's own runner says of the file on disk and of the one that the agent writes, go test says too.
func TestGoSaysTheSameOfTheDemosFile(t *testing.T) {
	archive, err := os.ReadFile("../../bridge/clifront/demo/turn.txtar")
	if err != nil {
		t.Fatal(err)
	}
	files := map[string]string{}
	for _, part := range strings.Split(string(archive), "\n-- ")[1:] {
		name, text, _ := strings.Cut(part, " --\n")
		files[name] = text + "\n"
	}
	for name, want := range map[string]bool{"price.go": false, "new.txt": true} {
		dir := t.TempDir()
		for to, text := range map[string]string{"go.mod": "module price\n", "price.go": files[name], "price_test.go": files["price_test.go"]} {
			if err := os.WriteFile(filepath.Join(dir, to), []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		cmd := exec.CommandContext(t.Context(), "go", "test", ".")
		cmd.Dir = dir
		cmd.Env = append(os.Environ(), "GOFLAGS=", "GOWORK=off")
		out, gerr := cmd.CombinedOutput()
		var said strings.Builder
		err := run(t.Context(), []string{"demo", "--test", filepath.Join(dir, "price.go")}, strings.NewReader(""), &said, &said)
		if (gerr == nil) != want || (err == nil) != want {
			t.Errorf("%s: go test %v, ours %v:\n%s%s", name, gerr, err, out, said.String())
		}
		for line := range strings.SplitSeq(strings.TrimSpace(said.String()), "\n") {
			if strings.Contains(line, "Total(10)") && !strings.Contains(string(out), line) {
				t.Errorf("go test does not say %q:\n%s", line, out)
			}
		}
	}
}
