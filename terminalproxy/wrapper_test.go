//go:build linux

package terminalproxy

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestShellKeepsItsFolderAndEnvironment(t *testing.T) {
	d := newDesk(t, Config{})
	for _, dir := range []string{"src", "with space'\"$x"} {
		if err := os.Mkdir(filepath.Join(d.cwd, dir), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	src := filepath.Join(d.cwd, "src")
	d.says("keep", "cd src; export FOO=1; BAR=2; pwd", src)
	if got := d.s.Cwd("s", "keep", "/"); got != src {
		t.Errorf("Cwd %q", got)
	}
	d.says("keep", `pwd; echo "foo=$FOO bar=$BAR"`, src+"\nfoo=1 bar=")
	d.says("", `pwd; echo "foo=$FOO"`, d.cwd+"\nfoo=")
	d.says("other", `echo "foo=$FOO"`, "foo=")
	d.says("keep", "unset FOO; export MULTI=$'a\\nb=c\\n' EMPTY=; cd ..", "")
	d.says("keep", `printf '%s|%s|%s|%s' "$FOO" "$MULTI" "${EMPTY-unset}" "$PWD"`, "|a\nb=c\n||"+d.cwd)
	d.says("keep", `cd 'with space'"'"'"$x'`, "")
	d.says("keep", "pwd; cd ..; cd - >/dev/null; pwd", d.cwd+"/with space'\"$x\n"+d.cwd+"/with space'\"$x")
	d.says("keep", `echo "${OLDPWD-unset}"`, "unset") // where "cd -" would lead is in no question
	d.says("keep", "echo $SHLVL; env | grep -c __cb_", "1\n0")
	if list := d.s.List("s"); list != "<no active shell sessions>" {
		t.Error(list)
	}
}

// Whatever way a command ends, its folder and environment are known to the next, or are those before it; and the
// next one runs.
func TestShellSurvivesEveryEndOfACommand(t *testing.T) {
	d := newDesk(t, Config{})
	if err := os.Mkdir(filepath.Join(d.cwd, "sub"), 0o755); err != nil {
		t.Fatal(err)
	}
	sub := filepath.Join(d.cwd, "sub")
	for i, c := range []struct {
		command string
		kept    bool   // what `cd sub; export N=1` did is there afterwards
		says    string // the answer has this
	}{
		{"exit 3", true, "exit code 3>"},
		{"exec true", true, "exit code 0>"},
		{"exec sh -c 'echo replaced; exit 4'", true, "replaced\n<shellId: N completed with exit code 4>"},
		{"exec > log; echo into the log", true, "\n<shellId: N completed with exit code 0>"},
		{"set -e; false; echo not here", true, "\n<shellId: N completed with exit code 1>"},
		{"set -eu; : $nothing_set; echo not here", true, "exit code 1>"},
		{"set -o pipefail; false | true", true, "exit code 1>"},
		{"set -x; :", true, "+ :\n<shellId: N completed with exit code 0>"},
		{"set -C; set -f; IFS=:; umask 777", true, "exit code 0>"},
		{"trap 'echo bye' EXIT; echo hi", true, "hi\nbye\n<shellId"},
		{"trap 'echo bye $?' EXIT; exit 5", true, "bye 5\n<shellId: N completed with exit code 5>"},
		{"trap 'exit 6' EXIT", true, "exit code 6>"},
		{"trap 'echo a' EXIT; trap - EXIT; trap", true, "exit code 0>"},
		{"trap -- 'echo zero' 0; set -e; false", true, "zero\n<shellId: N completed with exit code 1>"},
		{"trap 'echo caught' ERR; false; true", true, "caught\n<shellId"},
		{"( trap 'echo inner' EXIT; cd /; exit 1 )", true, "inner\n<shellId: N completed with exit code 1>"},
		{"( exit 7 )", true, "exit code 7>"},
		{"return 3", true, "can only `return' from a function or sourced script\n<shellId: N completed with exit code 2>"},
		{"printf() { :; }; cd() { :; }; builtin true", true, "exit code 0>"},
		{"PATH=; :", true, "exit code 0>"},
		{"if then", true, ""}, // a syntax error: nothing runs, and what this shell had is kept
		{"kill -TERM $$", true, "(SIGTERM)>"},
		{"kill -9 $$", false, "exit code 137 (SIGKILL)>"},
		{"exec 1>&- 2>&-; true", true, "exit code 0>"},
		{"sleep 50 & disown; true", true, "exit code 0>"},
	} {
		shell := fmt.Sprint("x", i)
		command := "cd sub; export N=1; " + c.command
		if c.command == "if then" {
			d.in(shell, "cd sub; export N=1")
			command = c.command
		}
		got := strings.ReplaceAll(d.in(shell, command), "shellId: "+shell, "shellId: N")
		if !strings.Contains(got, c.says) {
			t.Errorf("%s: %q, want %q in it", c.command, got, c.says)
		}
		want := sub + "\nN=1"
		if !c.kept {
			want = d.cwd + "\nN="
		}
		after, _, _ := strings.Cut(d.in(shell, `pwd; echo "N=$N"`), "\n<shellId: ")
		if after != want {
			t.Errorf("after %s: %q, want %q", c.command, after, want)
		}
	}
}

func TestShellWhoseFolderIsGoneStartsAgain(t *testing.T) {
	d := newDesk(t, Config{})
	d.in("a", "mkdir sub; cd sub; export N=1")
	if err := os.Remove(filepath.Join(d.cwd, "sub")); err != nil {
		t.Fatal(err)
	}
	want := "[The folder " + d.cwd + "/sub of this shell is gone. The command was run in " + d.cwd + ".]\n" + d.cwd + "\nN=1\n<shellId: a completed with exit code 0>"
	if got := d.in("a", `pwd; echo "N=$N"`); got != want {
		t.Errorf("got %q\nwant %q", got, want)
	}
	if got := d.in("a", "true"); got != "\n<shellId: a completed with exit code 0>" {
		t.Errorf("the note comes twice: %q", got)
	}
}

func TestPlainShStandsInForBash(t *testing.T) {
	bin := t.TempDir()
	for _, name := range []string{"env", "cat", "sleep", "mkdir"} {
		if err := os.Symlink("/usr/bin/"+name, filepath.Join(bin, name)); err != nil {
			t.Fatal(err)
		}
	}
	d := newDesk(t, Config{Env: []string{"PATH=" + bin}})
	d.r.bashes = nil
	d.says("a", "mkdir sub; cd sub; export FOO='a\nb'; echo ${BASH_VERSION-no bash}", "no bash")
	d.says("a", `pwd; echo "$FOO"`, d.cwd+"/sub\na\nb")
	if got := d.in("a", "export FOO=2; exit 3"); got != "\n<shellId: a completed with exit code 3>" {
		t.Error(got)
	}
	d.says("a", `echo "$FOO"`, "2")
	d.says("a", "export FOO=3; set -e; false", "")
	d.says("a", `echo "$FOO"`, "3")
}

func TestNothingIsLeftInTheTemporaryFolder(t *testing.T) {
	tmp := t.TempDir()
	t.Setenv("TMPDIR", tmp)
	d := newDesk(t, Config{})
	d.in("", "true")
	found, _ := filepath.Glob(tmp + "/*")
	if len(found) != 1 {
		t.Fatal(found)
	}
	if info, err := os.Stat(found[0]); err != nil || info.Mode().Perm() != 0o700 {
		t.Errorf("%v, %v", info.Mode(), err)
	}
	if inside, _ := os.ReadDir(found[0]); len(inside) != 0 {
		t.Error(inside)
	}
	d.r.Close()
	if found, _ := filepath.Glob(tmp + "/*"); len(found) != 0 {
		t.Error(found)
	}
}

func TestStateFileThatIsNotOursIsIgnored(t *testing.T) {
	dir := t.TempDir()
	for name, c := range map[string]struct {
		data string
		ok   bool
	}{
		"empty":         {"", false},
		"cut":           {"state\x00/tmp\x00A=1\x00", false},
		"whole":         {"state\x00/tmp\x00A=1\x00_=x\x00SHLVL=3\x00PWD=/x\x00A=2\x00broken\x00\x00", true},
		"relative":      {"state\x00tmp\x00A=1\x00\x00", false},
		"another start": {"other\x00/tmp\x00A=1\x00\x00", false},
		"too large":     {"state\x00/tmp\x00A=" + strings.Repeat("x", maxState) + "\x00\x00", false},
	} {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(c.data), 0o600); err != nil {
			t.Fatal(err)
		}
		st, ok := readState(path)
		if ok != c.ok || ok && (st.cwd != "/tmp" || fmt.Sprint(st.env) != "[A=2]") {
			t.Errorf("%s: %+v, %v", name, st, ok)
		}
	}
	if err := os.Symlink(filepath.Join(dir, "whole"), filepath.Join(dir, "link")); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"link", "no such file", "."} {
		if _, ok := readState(filepath.Join(dir, name)); ok {
			t.Errorf("%s was read", name)
		}
	}
}

// Modules and version managers put functions into the environment, npm puts names there that no shell can say.
func TestEntriesThatNoShellCanListStay(t *testing.T) {
	d := newDesk(t, Config{Env: []string{"PATH=" + os.Getenv("PATH"), "BASH_FUNC_greet%%=() {  echo hello\n}", "npm_config_//registry/=x"}})
	for range 3 {
		d.says("a", "greet; env | grep -c '^npm_config_//registry/=x$'", "hello\n1")
	}
}
