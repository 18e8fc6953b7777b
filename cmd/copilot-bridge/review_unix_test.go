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
	"unicode/utf8"

	"github.com/creack/pty"
	"github.com/go-json-experiment/json"

	"github.com/copilot-bridge/copilot-bridge/acp/acptest"
	"github.com/copilot-bridge/copilot-bridge/internal/await"
)

// atTerminal runs this program in a terminal of its own. Each step waits for a text on the screen and then presses a key, again and
// again until the next text is there: what is typed ahead does not count. A text of more than a key is typed once, where it does.
func atTerminal(t *testing.T, home string, env []string, steps [][2]string, args ...string) (screen string, code int) {
	t.Helper()
	return atTerminalOf(t, 80, home, env, steps, args...)
}

// atTerminalOf is atTerminal with a terminal of so many columns.
func atTerminalOf(t *testing.T, cols uint16, home string, env []string, steps [][2]string, args ...string) (screen string, code int) {
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
	tty, err := pty.StartWithSize(cmd, &pty.Winsize{Rows: 24, Cols: cols})
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
			if utf8.RuneCountInString(key) > 1 {
				_, _ = tty.WriteString(key)
				key = ""
			}
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

// TestACommentInATerminalIsSentToItsSession: it is written, edited and removed by keys, waits for the next review, and starts the agent
// only when it is sent. The turn's own hunks are reviewed then.
func TestACommentInATerminalIsSentToItsSession(t *testing.T) {
	home := t.TempDir()
	file := filepath.Join(home, "a.txt")
	if err := os.WriteFile(file, []byte("one\n2\n3\n4\n5\n6\n7\n8\nlast\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	write := func(text string) string {
		return `request@w fs/write_text_file {"sessionId":"s1","path":"$cwd/a.txt","content":"` + text + `"}` + "\nanswer@w\n" + `reply@p {"stopReason":"end_turn"}`
	}
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	p := acptest.Script("handshake\nsession s1\nstub session/close\nexpect@p session/prompt\n" + write(`ONE\n2\n3\n4\n5\n6\n7\n8\nLAST\n`)).Process(t)
	screen, code := atTerminal(t, home, p.Env, [][2]string{
		{"[y] Allow once", "y"}, {"hunk 1 of 2, a.txt line 1", "c"}, {"Enter saves it", "\x15not this\x1b"},
		{"hunk 1 of 2, a.txt line 1", "c"}, {"Enter saves it", "\x15to be remoöv\x7f\x7fved\r"}, {"comment: to be removed", "x"}, {"removed", "n"},
		{"hunk 2 of 2, a.txt line 9", "c"}, {"Enter saves it", "\x15schöner\r"}, {"comment: schöner", "c"}, {"> schöner", "\x1b[D, please\r"},
		{"comment: schöner, please", "q"}, {"1 comment is not sent. To go on:", ""},
	}, "prompt", "go", "--", exe, "agent")
	if code != 0 || strings.Contains(screen, "not this,") {
		t.Fatalf("exit status %d:\n%s", code, screen)
	}
	words := strings.Fields(screen)
	session := words[len(words)-1]

	var list strings.Builder
	t.Chdir(home)
	t.Setenv("XDG_STATE_HOME", home+"/state")
	if err := run(t.Context(), []string{"review"}, strings.NewReader(""), &list, &list); err != nil || !strings.HasSuffix(list.String(), "-last\n+LAST\n  comment: schöner, please\n") {
		t.Fatalf("%v:\n%s", err, list.String())
	}
	list.Reset()
	var doc struct {
		Comments []commentLine `json:"comments"`
	}
	err = run(t.Context(), []string{"review", "--json", session}, strings.NewReader(""), &list, &list)
	if jerr := json.Unmarshal([]byte(list.String()), &doc); err != nil || jerr != nil || len(doc.Comments) != 1 || doc.Comments[0].Line != 9 || doc.Comments[0].Quoted != "LAST\n" {
		t.Fatalf("%v, %v:\n%s", err, jerr, list.String())
	}

	p = acptest.Script("handshake\nstub session/close\nexpect session/load {\"sessionId\":\"s1\"}\nreply {}\n" +
		`expect@p session/prompt {"prompt":[{"text":"re:(?s)1 comment.*a.txt, line 9 .*LAST.*schöner, please"}]}` + "\n" +
		strings.Replace(write(`ONE\n2\n3\n4\n5\n6\n7\n8\nfinally\n`), "reply@p", "say Gladly.\nreply@p", 1)).Process(t)
	screen, code = atTerminal(t, home, p.Env, [][2]string{
		{"hunk 1 of 2, a.txt line 1", "n"}, {"comment: schöner, please", "s"}, {"[y] Allow once", "y"}, {"Gladly.", ""},
		{"hunk 2 of 2, a.txt line 9", "K"}, {"kept", ""},
	}, "review", session, "--", exe, "agent")
	if b, err := os.ReadFile(file); code != 0 || err != nil || !strings.HasSuffix(string(b), "8\nfinally\n") {
		t.Errorf("exit status %d, %v, the file has %q:\n%s", code, err, b, screen)
	}
	list.Reset()
	if err := run(t.Context(), []string{"review"}, strings.NewReader(""), &list, &list); err != nil || !strings.HasPrefix(list.String(), "Nothing is pending in ") {
		t.Errorf("%v: %s", err, list.String())
	}
}

// TestCommentsWaitBehindTheirHunks: where every hunk is decided about, what was said of them can still be sent, and an agent that cannot
// be started loses none.
func TestCommentsWaitBehindTheirHunks(t *testing.T) {
	home := t.TempDir()
	p := acptest.Script("handshake\nsession s1\nstub session/close\nexpect@p session/prompt\n" +
		`request@w fs/write_text_file {"sessionId":"s1","path":"$cwd/a.txt","content":"two\n"}` + "\nanswer@w\n" + `reply@p {"stopReason":"end_turn"}`).Process(t)
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	screen, code := atTerminal(t, home, p.Env, [][2]string{
		{"[y] Allow once", "y"}, {"hunk 1 of 1, a.txt line 1", "c"}, {"Enter saves it", "\x15why?\r"}, {"comment: why?", "k"}, {"kept", ""},
		{"comment 1 of 1, a.txt line 1", ""}, {"[s] Send", "q"}, {"1 comment is not sent", ""},
	}, "prompt", "go", "--", exe, "agent")
	if code != 0 {
		t.Fatalf("exit status %d:\n%s", code, screen)
	}
	screen, code = atTerminal(t, home, nil, [][2]string{
		{"comment 1 of 1, a.txt line 1", "s"}, {"not sent: ", ""}, {"hint: ", ""}, {"comment 1 of 1, a.txt line 1", "q"}, {"1 comment is not sent", ""},
	}, "review", "--agent", "no-such-agent")
	if code != 0 {
		t.Errorf("exit status %d:\n%s", code, screen)
	}
}
