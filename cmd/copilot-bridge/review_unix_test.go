//go:build unix

package main

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/creack/pty"

	"github.com/copilot-bridge/copilot-bridge/acp/acptest"
	"github.com/copilot-bridge/copilot-bridge/internal/await"
)

// atTerminal runs this program in a terminal of its own. Each step waits for a text on the screen and then presses a key, again and
// again until the next text is there: what is typed ahead does not count.
func atTerminal(t *testing.T, home string, env []string, steps [][2]string, args ...string) (screen string, code int) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), await.Limit)
	defer cancel()
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(ctx, exe, args...)
	cmd.Dir = home
	cmd.Env = append(append(os.Environ(), runMain+"=1", "HOME="+home, "XDG_STATE_HOME="+home+"/state", "NO_COLOR=1"), env...)
	tty, err := pty.StartWithSize(cmd, &pty.Winsize{Rows: 24, Cols: 80})
	if err != nil {
		t.Fatal(err)
	}
	defer tty.Close()
	pieces := make(chan string)
	go func() {
		defer close(pieces)
		b := make([]byte, 4096)
		for {
			n, err := tty.Read(b)
			if n > 0 {
				pieces <- string(b[:n])
			}
			if err != nil {
				return
			}
		}
	}()
	again := time.NewTicker(50 * time.Millisecond)
	defer again.Stop()
	at, key := 0, ""
	for open := true; open; {
		for len(steps) > 0 && strings.Contains(screen[at:], steps[0][0]) {
			at += strings.Index(screen[at:], steps[0][0]) + len(steps[0][0])
			key, steps = steps[0][1], steps[1:]
		}
		var piece string
		select {
		case piece, open = <-pieces:
			screen += strings.ReplaceAll(piece, "\r", "")
		case <-again.C:
			_, _ = tty.WriteString(key) // it may have ended by now
		}
	}
	_ = cmd.Wait() // its status is what counts
	if len(steps) > 0 {
		t.Fatalf("no %q on the screen:\n%s", steps[0][0], screen)
	}
	return screen, cmd.ProcessState.ExitCode()
}

// TestWhatStaysPendingIsReviewedLater: the end of a turn names it, and "review" goes on with it, in a process of its own.
func TestWhatStaysPendingIsReviewedLater(t *testing.T) {
	home := t.TempDir()
	file := filepath.Join(home, "a.txt")
	if err := os.WriteFile(file, []byte("one\n2\n3\n4\n5\n6\n7\n8\nlast\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	p := acptest.Script("handshake\nsession s1\nstub session/close\nexpect@p session/prompt\n" +
		`request@w fs/write_text_file {"sessionId":"s1","path":"$cwd/a.txt","content":"ONE\n2\n3\n4\n5\n6\n7\n8\nLAST\n"}` + "\nanswer@w\n" +
		`reply@p {"stopReason":"end_turn"}`).Process(t)
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	screen, code := atTerminal(t, home, p.Env, [][2]string{{"[y] Allow once", "y"}, {"hunk 1 of 2, a.txt line 1", "?"}, {"undo this hunk", "q"}}, "prompt", "go", "--", exe, "agent")
	pendingNote := "2 hunks stay pending in a.txt. To go on: copilot-bridge review s-"
	if code != 0 || !strings.Contains(strings.ReplaceAll(screen, "\n", " "), pendingNote) {
		t.Fatalf("exit status %d:\n%s", code, screen)
	}
	session := "s-" + strings.Fields(screen[strings.LastIndex(screen, "review s-")+len("review s-"):])[0]

	var list strings.Builder
	t.Chdir(home)
	t.Setenv("XDG_STATE_HOME", home+"/state")
	if err := run(t.Context(), []string{"review", session}, strings.NewReader(""), &list, &list); err != nil || !strings.Contains(list.String(), "hunk 2 of 2, a.txt line 9\n-last\n+LAST\n") {
		t.Fatalf("%v:\n%s", err, list.String())
	}
	screen, code = atTerminal(t, home, nil, [][2]string{{"hunk 1 of 2, a.txt line 1", "d"}, {"+LAST", "k"}, {"kept", "x"}, {"hunk 1 of 1, a.txt line 9", "u"}, {"undone", ""}}, "review", session)
	if b, err := os.ReadFile(file); code != 0 || err != nil || string(b) != "ONE\n2\n3\n4\n5\n6\n7\n8\nlast\n" {
		t.Errorf("exit status %d, %v, the file has %q:\n%s", code, err, b, screen)
	}
	list.Reset()
	if err := run(t.Context(), []string{"review"}, strings.NewReader(""), &list, &list); err != nil || !strings.HasPrefix(list.String(), "Nothing is pending in ") {
		t.Errorf("%v: %s", err, list.String())
	}
	list.Reset()
	if err := run(t.Context(), []string{"review", "--json"}, strings.NewReader(""), &list, &list); err != nil || !strings.Contains(list.String(), `"hunks": []`) {
		t.Errorf("%v: %s", err, list.String())
	}
}
