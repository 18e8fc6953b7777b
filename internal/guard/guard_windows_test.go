package guard

import (
	"bufio"
	"encoding/json"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/windows"

	"github.com/copilot-bridge/copilot-bridge/internal/await"
)

func self(t *testing.T) string {
	t.Helper()
	path, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	return path
}

// deadWithin is how soon after the bridge nothing of what it started is left.
const deadWithin = time.Second

// processes opens the processes whose ids are printed on out, n lines.
func processes(t *testing.T, out io.Reader, n int) (open []windows.Handle) {
	t.Helper()
	lines := bufio.NewScanner(out)
	for range n {
		if !lines.Scan() {
			t.Fatalf("only %d processes: %v", len(open), lines.Err())
		}
		pid, err := strconv.Atoi(lines.Text())
		if err != nil {
			t.Fatal(err)
		}
		h, err := windows.OpenProcess(windows.SYNCHRONIZE, false, uint32(pid))
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { windows.CloseHandle(h) })
		open = append(open, h)
	}
	return open
}

func TestNothingOutlivesAKilledBridge(t *testing.T) {
	bridge := exec.Command(self(t))
	bridge.Env = append(os.Environ(), actVar+"=bridge")
	out, err := bridge.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := bridge.Start(); err != nil {
		t.Fatal(err)
	}
	tree := processes(t, out, 2)
	if err := bridge.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	killed := time.Now()
	for _, h := range tree {
		left := max(deadWithin-time.Since(killed), 0)
		if event, err := windows.WaitForSingleObject(h, uint32(left.Milliseconds())); err != nil || event != windows.WAIT_OBJECT_0 {
			t.Errorf("a process still runs %v after the bridge: %v %v", time.Since(killed), event, err)
		}
	}
	_ = bridge.Wait()
}

func TestKillEndsTheWholeTree(t *testing.T) {
	in, out, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	p, err := Start(Config{Argv: []string{self(t)}, Env: append(os.Environ(), actVar+"=child"), Stdout: out})
	out.Close()
	if err != nil {
		t.Fatal(err)
	}
	tree := processes(t, in, 2)
	p.Kill()
	await.Receive(t, "the end of the program", p.Done())
	if exit, err := p.Wait(t.Context()); err != nil || exit.Signal != "SIGKILL" {
		t.Errorf("it was killed: %+v, %v", exit, err)
	}
	if err := p.Close(); err != nil {
		t.Error(err)
	}
	for _, h := range tree {
		if event, err := windows.WaitForSingleObject(h, uint32(deadWithin.Milliseconds())); err != nil || event != windows.WAIT_OBJECT_0 {
			t.Errorf("a process still runs: %v %v", event, err)
		}
	}
}

func TestTheExitCodeIsTold(t *testing.T) {
	p, err := Start(Config{Argv: []string{self(t)}, Env: append(os.Environ(), actVar+"=exit")})
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	if exit, err := p.Wait(t.Context()); err != nil || exit.Code != 7 {
		t.Errorf("%+v, %v", exit, err)
	}
}

// arrives are arguments that a program gets as they were given, whoever starts it.
var arrives = []string{
	"", "plain", "with blank", `quo"te`, `"all"`, `back\slash`, `ends in \`, `\\`, `\"`, `a\\"b`, "é日本\U0001F600", "a&calc", "|more", "<x>", "^caret^", "(x)", "!bang!", "a,b;c=d", "*", "?", "tab\there", "--flag=x y", "/c",
}

// Windows acts on these in a batch file, unless they are kept from it.
var acts = []string{`"&calc.exe`, `%PATH%`, `%cd%`, `100%`, `%%`, `"%OS%"&echo x`, `%1`, `!PATH!`, `^"`, `a" & echo b & "`}

func runs(t *testing.T, argv []string) []string {
	t.Helper()
	in, out, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	p, err := Start(Config{Argv: argv, Env: append(os.Environ(), actVar+"=args"), Stdout: out})
	out.Close()
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	text, err := io.ReadAll(in)
	if err != nil {
		t.Fatal(err)
	}
	var args []string
	if err := json.Unmarshal(text, &args); err != nil {
		t.Fatalf("%q: %v", text, err)
	}
	return args
}

func TestArgumentsArriveAsTheyWereGiven(t *testing.T) {
	want := slices.Concat(arrives, acts)
	if got := runs(t, append([]string{self(t)}, want...)); !slices.Equal(got, want) {
		t.Errorf("got\n%q\nwant\n%q", got, want)
	}
}

// TestABatchFileIsGivenWhatAProgramIs: a shim of npm's hands all its arguments on.
func TestABatchFileIsGivenWhatAProgramIs(t *testing.T) {
	for _, ext := range []string{".cmd", ".BAT"} {
		shim := filepath.Join(t.TempDir(), "a shim"+ext)
		if err := os.WriteFile(shim, []byte("@ECHO off\r\n\""+self(t)+"\" %*\r\n"), 0o600); err != nil {
			t.Fatal(err)
		}
		want := slices.DeleteFunc(slices.Concat(arrives, acts), func(arg string) bool { return strings.Contains(arg, `"`) }) // those are refused
		if got := runs(t, append([]string{shim}, want...)); !slices.Equal(got, want) {
			t.Errorf("%s: got\n%q\nwant\n%q", ext, got, want)
		}
	}
}

// npmShim is what npm 11 makes of a package's program on Windows.
const npmShim = "@ECHO off\r\nGOTO start\r\n:find_dp0\r\nSET dp0=%~dp0\r\nEXIT /b\r\n:start\r\nSETLOCAL\r\nCALL :find_dp0\r\n\r\n" +
	"IF EXIST \"%dp0%\\node.exe\" (\r\n  SET \"_prog=%dp0%\\node.exe\"\r\n) ELSE (\r\n  SET \"_prog=node\"\r\n  SET PATHEXT=%PATHEXT:;.JS;=;%\r\n)\r\n\r\n" +
	"endLocal & goto #_undefined_# 2>NUL || title %COMSPEC% & \"%_prog%\"  \"%dp0%\\node_modules\\@github\\copilot\\npm-loader.js\" %*\r\n"

// TestAShimOfNpmsIsNotRunByAShell: the program behind it gets every argument, quotes too.
func TestAShimOfNpmsIsNotRunByAShell(t *testing.T) {
	dir, node := t.TempDir(), t.TempDir()
	script := filepath.Join(dir, "node_modules", "@github", "copilot", "npm-loader.js")
	if err := os.MkdirAll(filepath.Dir(script), 0o700); err != nil {
		t.Fatal(err)
	}
	program, err := os.ReadFile(self(t))
	if err != nil {
		t.Fatal(err)
	}
	shim := filepath.Join(dir, "copilot.cmd")
	for name, text := range map[string][]byte{script: nil, shim: []byte(npmShim), filepath.Join(node, "node.exe"): program} {
		if err := os.WriteFile(name, text, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	t.Setenv("PATH", node)
	want := slices.Concat([]string{script}, arrives, acts, []string{"line\nbreak"})
	if got := runs(t, slices.Concat([]string{shim}, want[1:])); !slices.Equal(got, want) {
		t.Errorf("got\n%q\nwant\n%q", got, want)
	}
}

func TestWhatNoQuotingBringsThroughIsRefused(t *testing.T) {
	shim := filepath.Join(t.TempDir(), "shim.cmd")
	if err := os.WriteFile(shim, []byte("@echo x\r\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, arg := range []string{"a\nb", "a\r\ncalc.exe", "\x1a", `quo"te`, `"&calc.exe`} {
		p, err := Start(Config{Argv: []string{shim, arg}})
		var se *StartError
		if !errors.As(err, &se) || se.Kind != Invalid {
			t.Errorf("%q: %v", arg, err)
		}
		if p != nil {
			p.Close()
		}
	}
	if _, err := Start(Config{Argv: []string{"cmd.exe", "/c", "echo", "x"}, Env: []string{"PATH=" + filepath.Dir(mustSystem(t))}}); err == nil {
		t.Error("a line with arguments behind it was run")
	}
}

func mustSystem(t *testing.T) string {
	t.Helper()
	path, err := System("cmd.exe")
	if err != nil {
		t.Fatal(err)
	}
	return path
}

// TestALineIsTheShellsAsItIs asserts that nothing is quoted in a line for cmd.exe, and that cmd.exe needs no PATH.
func TestALineIsTheShellsAsItIs(t *testing.T) {
	in, out, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	p, err := Start(Config{Argv: []string{mustSystem(t), "/d", "/s", "/c", `echo "a b" & echo c`}, Env: []string{"SystemRoot=" + os.Getenv("SystemRoot")}, Stdout: out})
	out.Close()
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	got, err := io.ReadAll(in)
	if want := []string{`"a b"`, "c"}; err != nil || !slices.Equal(strings.Fields(strings.ReplaceAll(string(got), `"a b"`, `"a_b"`)), []string{`"a_b"`, "c"}) {
		t.Errorf("%q, %v, want the lines %q", got, err, want)
	}
}

// TestAProgramIsFoundAsWindowsFindsIt: by PATHEXT in the folders of PATH, never in the working folder.
func TestAProgramIsFoundAsWindowsFindsIt(t *testing.T) {
	dir, here := t.TempDir(), t.TempDir()
	for _, name := range []string{filepath.Join(dir, "copilot"), filepath.Join(dir, "copilot.cmd"), filepath.Join(dir, "copilot.ps1"), filepath.Join(here, "evil.cmd"), filepath.Join(here, "copilot.exe")} {
		if err := os.WriteFile(name, []byte("x"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	env := []string{"Path=.;" + dir}
	for name, want := range map[string]string{"copilot": "copilot.cmd", "COPILOT.CMD": "copilot.cmd", "copilot.ps1": "copilot.ps1"} {
		if got, err := LookPath(name, env, here); err != nil || !strings.EqualFold(got, filepath.Join(dir, want)) {
			t.Errorf("%s: %s, %v", name, got, err)
		}
	}
	for _, name := range []string{"evil", "C:evil", "evil.cmd:stream", "NUL", "con"} {
		if got, err := LookPath(name, env, here); err == nil {
			t.Errorf("%s: %s", name, got)
		}
	}
}
