//go:build unix

package clifront

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/creack/pty"
	"golang.org/x/sys/unix"
	"golang.org/x/term"

	"github.com/copilot-bridge/copilot-bridge/internal/await"
)

// askHere makes a process of this test program ask one question at its terminal.
const askHere = "CLIFRONT_ASK"

func init() {
	if os.Getenv(askHere) != "" {
		os.Exit(askAtTheTerminal())
	}
}

// askAtTheTerminal is that process. Its exit code is that of a program that was not started in vain.
func askAtTheTerminal() int {
	tty := OpenTTY()
	if tty == nil {
		fmt.Println("there is no terminal")
		return 1
	}
	defer tty.Close()
	size := func() (int, int) {
		cols, rows, _ := term.GetSize(int(os.Stderr.Fd()))
		return cols, rows
	}
	f := New(Options{Stdout: os.Stdout, Stderr: os.Stderr, Keys: tty, Size: size, Shared: true})
	a, err := f.Ask(context.Background(), question("Run touch pwned"))
	fmt.Printf("answered %q %v\n", a.OptionID, err)
	return 0
}

// shell is a terminal with a shell that runs the question in the foreground, as a job of its own.
type shell struct {
	t      *testing.T
	tty    *os.File
	screen chan string // all that was written so far
	text   string
}

func newShell(t *testing.T, script string) *shell {
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command("/bin/sh", "-c", "set -m\n"+script)
	cmd.Env = append(os.Environ(), askHere+"=1", "EXE="+exe)
	tty, err := pty.StartWithSize(cmd, &pty.Winsize{Rows: 24, Cols: 80})
	if err != nil {
		t.Fatal(err)
	}
	s := &shell{t: t, tty: tty, screen: make(chan string)}
	go func() {
		defer close(s.screen)
		b := make([]byte, 4096)
		for {
			n, err := tty.Read(b)
			if n > 0 {
				s.screen <- string(b[:n])
			}
			if err != nil {
				return
			}
		}
	}()
	t.Cleanup(func() {
		_ = cmd.Process.Kill()
		tty.Close() // what is left of the job is hung up
		for range s.screen {
		}
		_ = cmd.Wait()
	})
	return s
}

// until waits for the nth time that something is written; again, if there is one, is what is typed meanwhile.
func (s *shell) until(want string, n int, again string) {
	s.t.Helper()
	tick, late := time.NewTicker(50*time.Millisecond), time.NewTimer(await.Limit)
	defer tick.Stop()
	defer late.Stop()
	for strings.Count(s.text, want) < n {
		select {
		case text, open := <-s.screen:
			if s.text += text; !open {
				s.t.Fatalf("no %q on the screen:\n%s", want, s.text)
			}
		case <-tick.C:
			s.types(again)
		case <-late.C:
			s.t.Fatalf("waited for %q %d times on the screen:\n%s", want, n, s.text)
		}
	}
}

func (s *shell) types(keys string) {
	s.t.Helper()
	if _, err := s.tty.WriteString(keys); err != nil {
		s.t.Fatal(err)
	}
}

// edits reports whether the terminal edits lines and shows what is typed, as it does for a shell.
func (s *shell) edits() bool {
	s.t.Helper()
	modes, err := unix.IoctlGetTermios(int(s.tty.Fd()), getTermios)
	if err != nil {
		s.t.Fatal(err)
	}
	return modes.Lflag&unix.ICANON != 0 && modes.Lflag&unix.ECHO != 0
}

const offeredYes = "[y] Allow once"

// TestAStoppedQuestionIsAskedAgain: Ctrl-Z gives the shell its terminal, and fg brings the question back; what was typed
// between is no answer, nor is a key that comes right afterwards.
func TestAStoppedQuestionIsAskedAgain(t *testing.T) {
	s := newShell(t, `"$EXE"; echo "stopped: $?"; read x; fg; echo over; read x`)
	for n := 1; n <= 2; n++ { // once during the pause, perhaps, and once after it
		s.until(offeredYes, n, "")
		if s.edits() {
			t.Error("the terminal edits lines while a question is open")
		}
		if n == 2 {
			break
		}
		s.types("\x1a")
		s.until("stopped: ", 1, "")
		if !s.edits() {
			t.Error("the shell did not get its terminal back")
		}
		s.types("go on\nyyyy")
	}
	s.until("answered ", 1, "n")
	s.until("over", 1, "")
	if !strings.Contains(s.text, `answered "n"`) || !s.edits() {
		t.Errorf("the screen shows\n%s", s.text)
	}
}

// TestAQuestionThatWasStoppedUnheardIsAskedAgain: SIGSTOP cannot be caught.
func TestAQuestionThatWasStoppedUnheardIsAskedAgain(t *testing.T) {
	s := newShell(t, `"$EXE" & fg >/dev/null; echo "stopped: $?"; read x; fg; echo over; read x`)
	s.until(offeredYes, 1, "")
	group, err := unix.IoctlGetInt(int(s.tty.Fd()), unix.TIOCGPGRP)
	if err != nil {
		t.Fatal(err)
	}
	if err := unix.Kill(group, unix.SIGSTOP); err != nil {
		t.Fatal(err)
	}
	s.until("stopped: ", 1, "")
	s.types("go on\nyyyy")
	s.until(offeredYes, 2, "\n")
	s.until("answered ", 1, "n")
	if !strings.Contains(s.text, `answered "n"`) {
		t.Errorf("the screen shows\n%s", s.text)
	}
}

// TestAQuestionFitsTheScreenAsItIs: in a window that has become smaller it says that there is more of it.
func TestAQuestionFitsTheScreenAsItIs(t *testing.T) {
	s := newShell(t, `"$EXE"; echo over; read x`)
	s.until(offeredYes, 1, "")
	if err := pty.Setsize(s.tty, &pty.Winsize{Rows: 4, Cols: 80}); err != nil {
		t.Fatal(err)
	}
	s.until("there is more above", 1, "")
	s.until(offeredYes, 2, "")
	s.until("answered ", 1, "\x04") // Ctrl-D
	s.until("over", 1, "")
	if !strings.Contains(s.text, `answered ""`) || !s.edits() {
		t.Errorf("the screen shows\n%s", s.text)
	}
}
