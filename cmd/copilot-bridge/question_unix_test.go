//go:build unix

package main

import (
	"context"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/creack/pty"

	"github.com/copilot-bridge/copilot-bridge/acp/acptest"
)

// TestAQuestionInATerminalIsTheLastThingOnIt: at a real terminal a key from before the question does not answer it, and
// what the agent says meanwhile comes after the answer.
func TestAQuestionInATerminalIsTheLastThingOnIt(t *testing.T) {
	ctx, cancel := context.WithTimeout(context.Background(), 30*time.Second)
	defer cancel()
	home := t.TempDir()
	p := acptest.Script("handshake\nsession s1\nstub session/close\nexpect@p session/prompt\nmark begun\nwait typed\n" +
		`request@w fs/write_text_file {"sessionId":"s1","path":"$cwd/a.txt","content":"two\n"}` + "\nwait drawn\n" +
		"say ? Read README.md\nmark said\nanswer@w\n" + `reply@p {"stopReason":"end_turn"}`).Process(t)
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(ctx, exe, "prompt", "-C", home, "go", "--", exe, "agent")
	cmd.Env = append(append(os.Environ(), runMain+"=1", "HOME="+home, "XDG_STATE_HOME="+home, "NO_COLOR=1"), p.Env...)
	tty, err := pty.StartWithSize(cmd, &pty.Winsize{Rows: 24, Cols: 80})
	if err != nil {
		t.Fatal(err)
	}
	defer tty.Close()
	screen := make(chan string) // all that was written so far
	go func() {
		defer close(screen)
		text, b := "", make([]byte, 4096)
		for {
			n, err := tty.Read(b)
			text += string(b[:n])
			select {
			case screen <- text:
			case <-ctx.Done():
				return
			}
			if err != nil {
				return
			}
		}
	}()
	until := func(want string, each func()) (text string) {
		t.Helper()
		again := time.NewTicker(50 * time.Millisecond)
		defer again.Stop()
		for {
			select {
			case now, open := <-screen:
				if !open {
					t.Fatalf("no %q on the screen:\n%s", want, text)
				}
				if text = now; strings.Contains(text, want) {
					return text
				}
			case <-again.C:
				each()
			}
		}
	}
	press := func(key string) {
		if _, err := tty.WriteString(key); err != nil {
			t.Fatal(err)
		}
	}
	if err := p.Await(ctx, "begun"); err != nil {
		t.Fatal(err)
	}
	press("y\n") // typed ahead
	p.Set("typed")
	until("[y] Allow once", func() {})
	p.Set("drawn")
	if err := p.Await(ctx, "said"); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(filepath.Join(home, "a.txt")); !errors.Is(err, os.ErrNotExist) {
		t.Fatalf("a key from before the question answered it: %v", err)
	}
	text := until("[q] Leave pending", func() { press("y") })
	at, answer := strings.Index(text, "README"), strings.Index(text, "▌   Allow once")
	if answer < 0 || at < answer {
		t.Errorf("the screen shows\n%s", text)
	}
	again := time.NewTicker(50 * time.Millisecond) // what was typed ahead of the review is dropped
	defer again.Stop()
	for open := true; open; {
		select {
		case _, open = <-screen: // until it has ended
		case <-again.C:
			_, _ = tty.WriteString("q") // it may have ended by now
		}
	}
	if err := cmd.Wait(); err != nil {
		t.Error(err)
	}
}

// TestTheKeysThatEndThingsAreNo: Ctrl-C ends the program and Ctrl-D the question; neither lets anything happen.
func TestTheKeysThatEndThingsAreNo(t *testing.T) {
	for name, c := range map[string]struct {
		key  string
		want int
	}{"Ctrl-C": {"\x03", 130}, "Ctrl-D": {"\x04", 0}} {
		t.Run(name, func(t *testing.T) {
			ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
			defer cancel()
			home := t.TempDir()
			p := acptest.Script("handshake\nsession s1\nstub session/close\nstub session/cancel\nexpect@p session/prompt\n" +
				`request@w fs/write_text_file {"sessionId":"s1","path":"$cwd/a.txt","content":"two\n"}` + "\nrefused@w\n" +
				`reply@p {"stopReason":"end_turn"}`).Process(t)
			exe, err := os.Executable()
			if err != nil {
				t.Fatal(err)
			}
			cmd := exec.CommandContext(ctx, exe, "prompt", "-C", home, "go", "--", exe, "agent")
			cmd.Env = append(append(os.Environ(), runMain+"=1", "HOME="+home, "XDG_STATE_HOME="+home, "NO_COLOR=1"), p.Env...)
			tty, err := pty.StartWithSize(cmd, &pty.Winsize{Rows: 24, Cols: 80})
			if err != nil {
				t.Fatal(err)
			}
			defer tty.Close()
			text, b := "", make([]byte, 4096)
			for !strings.Contains(text, "[y] Allow once") {
				n, err := tty.Read(b)
				if text += string(b[:n]); err != nil {
					t.Fatalf("no question on the screen:\n%s", text)
				}
			}
			rest := make(chan string, 1)
			go func() {
				all, _ := io.ReadAll(tty)
				rest <- string(all)
			}()
			again := time.NewTicker(50 * time.Millisecond)
			defer again.Stop()
			for open := true; open; {
				select {
				case more := <-rest:
					text, open = text+more, false
				case <-again.C:
					_, _ = tty.WriteString(c.key) // it may have ended by now
				}
			}
			_ = cmd.Wait()
			if _, err := os.Stat(filepath.Join(home, "a.txt")); !errors.Is(err, os.ErrNotExist) || cmd.ProcessState.ExitCode() != c.want {
				t.Errorf("%v, and the exit code is %d:\n%s", err, cmd.ProcessState.ExitCode(), text)
			}
		})
	}
}
