package terminalproxy

import (
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
)

// Argv is the command that Create would run for spec, word by word, for rules and questions: the words of the spec,
// or those of [LineArgv] for a line that is given to the shell.
func Argv(spec Spec) ([]string, error) {
	if err := spec.check(); err != nil {
		return nil, err
	}
	if !spec.isLine() {
		return append([]string{spec.Command}, spec.Args...), nil
	}
	return append(LineArgv(spec.Command), spec.Args...), nil
}

// LineArgv is what runs a line, for rules and questions: {"bash", "-c", line}, on Windows {"cmd", …}.
func LineArgv(line string) []string { return lineArgv(shellName, line) }

// Settled is the spec with that decided: what is run is what was asked about, whatever becomes of a file of that name.
func (s Spec) Settled() Spec {
	s.Shell = s.isLine()
	s.Program = !s.Shell
	return s
}

func (s Spec) dir() string {
	if s.Cwd == "" {
		return s.SessionCwd
	}
	return s.Cwd
}

func (s Spec) check() error {
	switch dir := s.dir(); {
	case strings.TrimSpace(s.Command) == "":
		return invalid("the command is empty; nothing was run")
	case strings.IndexByte(s.Command, 0) >= 0, slices.ContainsFunc(s.Args, func(a string) bool { return strings.IndexByte(a, 0) >= 0 }):
		return invalid("the command contains a NUL byte, which no program can be given")
	case dir == "":
		return invalid("the command has no working folder: give an absolute cwd")
	case !filepath.IsAbs(dir):
		return invalid("the working folder %q is relative: give an absolute cwd", dir)
	}
	return nil
}

// notInNames are characters that a line for the shell has and that the name of a program practically never has.
const notInNames = " \t\r\n|&;<>()$`\\\"'*?[]#~=!{}"

// isLine reports whether Command is to be run by the shell. It depends on nothing but the spec and whether a
// file of that very path can be executed, so that the question and the run come to the same answer.
func (s Spec) isLine() bool {
	if s.Shell || s.Program {
		return s.Shell
	}
	if len(s.Args) > 0 || !strings.ContainsAny(s.Command, notInNames) {
		return false
	}
	return !strings.ContainsRune(s.Command, filepath.Separator) || !executable(s.Command, s.dir())
}

func executable(path, dir string) bool {
	if !filepath.IsAbs(path) {
		path = filepath.Join(dir, path)
	}
	info, err := os.Stat(path)
	return err == nil && info.Mode().IsRegular() && (runtime.GOOS == "windows" || info.Mode()&0o111 != 0)
}

// argv is what is executed for s: as [Argv], with the path of the shell.
func (r *Runner) argv(s Spec) ([]string, error) {
	if !s.isLine() {
		return append([]string{s.Command}, s.Args...), nil
	}
	path, _, err := r.shell()
	if err != nil {
		return nil, err
	}
	return append(lineArgv(path, s.Command), s.Args...), nil
}
