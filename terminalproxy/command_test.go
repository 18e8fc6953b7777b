//go:build linux

package terminalproxy

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// claude-code-acp 0.16.2 sends a whole shell line as the command.
func TestLinesRunInTheShellAndProgramsDoNot(t *testing.T) {
	dir := t.TempDir()
	program := filepath.Join(dir, "a program $x")
	if err := os.WriteFile(program, []byte("#!/bin/sh\necho ran as a program\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	touch(t, filepath.Join(dir, "no program"))
	r := runner(t, Config{})
	for _, c := range []struct {
		name string
		spec Spec
		argv []string
		out  string
	}{
		{"a line", Spec{Command: "echo hi; echo there"}, []string{"bash", "-c", "echo hi; echo there"}, "hi\nthere\n"},
		{"a word and its arguments in one", Spec{Command: "echo two words"}, []string{"bash", "-c", "echo two words"}, "two words\n"},
		{"redirection", Spec{Command: "echo>&2"}, []string{"bash", "-c", "echo>&2"}, "\n"},
		{"a program", Spec{Command: "pwd"}, []string{"pwd"}, dir + "\n"},
		{"arguments stay words", Spec{Command: "printf", Args: []string{"%s|", "a b", "$HOME", ";", ""}}, []string{"printf", "%s|", "a b", "$HOME", ";", ""}, "a b|$HOME|;||"},
		{"a program with a strange name", Spec{Command: program}, []string{program}, "ran as a program\n"},
		{"its relative path", Spec{Command: "./a program $x"}, []string{"./a program $x"}, "ran as a program\n"},
		{"a file that cannot run", Spec{Command: "cat './no program'"}, []string{"bash", "-c", "cat './no program'"}, ""},
		{"asked for", Spec{Command: "type", Shell: true}, []string{"bash", "-c", "type"}, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			c.spec.Cwd = dir
			argv, err := Argv(c.spec)
			if err != nil || !slices.Equal(argv, c.argv) {
				t.Errorf("Argv %q, %v, want %q", argv, err, c.argv)
			}
			term := create(t, r, c.spec)
			wait(t, term)
			if got := term.Output().Text; got != c.out {
				t.Errorf("output %q, want %q", got, c.out)
			}
		})
	}
	if _, err := Argv(Spec{Command: "ls"}); err == nil {
		t.Error("a command without a folder has an argv")
	}
}

// S-63
func TestProgramsAndTheShellAreNotTakenFromTheWorkspace(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"bash", "sh", "tool"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte("#!/bin/sh\necho evil\n"), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	r := runner(t, Config{Env: []string{"PATH=.::" + os.Getenv("PATH")}})
	term := create(t, r, Spec{Command: "echo good; :", Cwd: dir, Env: []EnvVar{{"PATH", dir + ":" + os.Getenv("PATH")}}})
	wait(t, term)
	if got := term.Output().Text; got != "good\n" {
		t.Errorf("the shell printed %q", got)
	}
	if _, err := r.Create(t.Context(), Spec{Session: "s", Command: "tool", Args: []string{"x"}, Cwd: dir}); err == nil || !strings.Contains(err.Error(), "relative entry of PATH") {
		t.Errorf("a tool of the workspace: %v", err)
	}
}

func TestWorkingFolderDefaultsToTheSessions(t *testing.T) {
	r := runner(t, Config{})
	session, own := t.TempDir(), t.TempDir()
	for _, c := range []struct {
		spec Spec
		want string
	}{
		{Spec{SessionCwd: session}, session},
		{Spec{SessionCwd: session, Cwd: own}, own},
	} {
		c.spec.Command = "pwd"
		term := create(t, r, c.spec)
		wait(t, term)
		if got := term.Output().Text; got != c.want+"\n" {
			t.Errorf("%+v: %q", c.spec, got)
		}
	}
}

// TestWhatWasSettledRuns: a file that can be executed since does not take the place of the line that was asked about, and the
// other way round.
func TestWhatWasSettledRuns(t *testing.T) {
	dir := t.TempDir()
	r := runner(t, Config{})
	for name, text := range map[string]string{"x": "echo the line $1", "x y": "echo the file"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte("#!/bin/sh\n"+text+"\n"), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	for _, mode := range []os.FileMode{0o644, 0o755} {
		if err := os.Chmod(filepath.Join(dir, "x y"), mode); err != nil {
			t.Fatal(err)
		}
		spec := Spec{Command: "./x y", Cwd: dir}.Settled()
		argv, err := Argv(spec)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.Chmod(filepath.Join(dir, "x y"), mode^0o111); err != nil {
			t.Fatal(err)
		}
		now, err := Argv(spec)
		if err != nil || !slices.Equal(argv, now) {
			t.Errorf("asked about %q, would run %q: %v", argv, now, err)
		}
		got, err := r.argv(spec)
		if err != nil || len(got) != len(argv) {
			t.Errorf("runs %q: %v", got, err)
		}
	}
}
