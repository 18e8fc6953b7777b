//go:build linux

package terminalproxy

import (
	"fmt"
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"
)

// The texts are those that Copilot CLI 1.0.102 answers with.
func TestAnswersAreCopilotsOwn(t *testing.T) {
	d := newDesk(t, Config{})
	for i, c := range []struct{ command, want string }{
		{"echo hi", "hi\n<shellId: 0 completed with exit code 0>"},
		{"true", "\n<shellId: 1 completed with exit code 0>"},
		{"false", "\n<shellId: 2 completed with exit code 1>"},
		{"exit 3", "\n<shellId: 3 completed with exit code 3>"},
		{"echo out; echo err >&2; exit 2", "out\nerr\n<shellId: 4 completed with exit code 2>"},
		{"printf nonl", "nonl\n<shellId: 5 completed with exit code 0>"},
		{"pwd", d.cwd + "\n<shellId: 6 completed with exit code 0>"},
		{"nosuchcmd", "/BASH: line 1: nosuchcmd: command not found\n<shellId: 7 completed with exit code 127>"},
		{"true\n\nnosuchcmd", "/BASH: line 3: nosuchcmd: command not found\n<shellId: 8 completed with exit code 127>"},
		{`printf '\033[31mred\033[0m\n'`, "red\n<shellId: 9 completed with exit code 0>"},
		{`printf 'a\rb\n'`, "a\rb\n<shellId: 10 completed with exit code 0>"},
		{`printf '\xff\xfe\n'`, "\ufffd\ufffd\n<shellId: 11 completed with exit code 0>"},
		{"tty; cat", "not a tty\n<shellId: 12 completed with exit code 0>"},
		{"kill -9 $$", "\n<shellId: 13 completed with exit code 137 (SIGKILL)>"},
		{"x=$(sleep 0.01); exit 255", "\n<shellId: 14 completed with exit code 255>"},
		{"   ", "the command is empty; nothing was run"},
		{`printf "\n\n  a  \n\n"`, "a\n<shellId: 16 completed with exit code 0>"},
		{`for i in 1 2; do echo $i; done` + "\n" + `echo "multi` + "\n" + `line"`, "1\n2\nmulti\nline\n<shellId: 17 completed with exit code 0>"},
		{"# only a comment", "\n<shellId: 18 completed with exit code 0>"},
		{"echo $# $1; cat <<'E'\n$x 'y'\nE", "0\n$x 'y'\n<shellId: 19 completed with exit code 0>"},
	} {
		got, err := d.s.Bash(t.Context(), ShellCall{Session: "s", Command: c.command, Cwd: d.cwd}, nil)
		if err != nil {
			got = err.Error()
		}
		got = regexp.MustCompile(`(?m)^/\S*bash: `).ReplaceAllString(got, "/BASH: ")
		if got != c.want {
			t.Errorf("%d %q:\n got %q\nwant %q", i, c.command, got, c.want)
		}
	}
	if got := d.call(ShellCall{Command: ""}); got != "No command provided. Please supply a valid command to execute." {
		t.Errorf("no command: %q", got)
	}
	if got := d.in("", "if then"); !strings.Contains(got, "syntax error") || !strings.HasSuffix(got, "completed with exit code 2>") {
		t.Errorf("syntax error: %q", got)
	}
}

// Copilot hides a result of more than 20,480 bytes from the model.
func TestLongOutputIsBeginningAndEndAndACount(t *testing.T) {
	d := newDesk(t, Config{})
	for _, c := range []struct{ name, command, first, last string }{
		{"lines", "seq 1 6000", "1\n2\n3\n", "5999\n6000"},
		{"more than is kept", "seq 1 1000000; echo tail-mark", "1\n2\n3\n", "1000000\ntail-mark"},
		{"one line", "head -c 40000 /dev/zero | tr '\\0' x", "xxx", "xxx"},
		{"not UTF-8", "head -c 3000000 /dev/zero | tr '\\0' 'é'; echo; echo tail-mark", "\ufffd\ufffd", "\ufffd\ntail-mark"},
		{"four bytes each", "for i in $(seq 9000); do printf 🙂; done", "🙂🙂", "🙂🙂"},
		{"coloured", `for i in $(seq 5000); do printf '\033[32m%d\033[0m\n' $i; done`, "1\n2\n", "4999\n5000"},
	} {
		t.Run(c.name, func(t *testing.T) {
			text, last, _ := strings.Cut(d.in("", c.command), "\n<shellId: ")
			if n := len(text) + len(last) + 11; n > MaxShellResult || n < MaxShellResult-4096 || !utf8.ValidString(text) {
				t.Errorf("%d bytes, valid %v", n, utf8.ValidString(text))
			}
			if !strings.HasPrefix(text, c.first) || !strings.HasSuffix(text, c.last) || strings.Contains(text, "\x1b") {
				t.Errorf("%q … %q", text[:20], text[len(text)-20:])
			}
			if !regexp.MustCompile(`\n\n\[\d+ bytes in \d+ lines left out here\. .*\]\n\n`).MatchString(text) {
				t.Error("nothing says that something is left out")
			}
		})
	}
	text := d.in("", "seq 1 6000")
	var bytes, lines int
	i := strings.Index(text, "\n\n[")
	if _, err := fmt.Sscanf(text[i+3:], "%d bytes in %d lines", &bytes, &lines); err != nil {
		t.Fatal(err)
	}
	shown := strings.Split(text[:i]+"\n"+text[strings.Index(text, "see them.]\n\n")+12:strings.Index(text, "\n<shellId")], "\n")
	if len(shown)+lines != 6000 {
		t.Errorf("%d lines shown and %d left out of 6000", len(shown), lines)
	}
}
