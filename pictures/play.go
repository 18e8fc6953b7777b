package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/charmbracelet/x/vt"
	"github.com/creack/pty"
)

// How often the screen is looked at, and how long it must not have changed to be a frame: what is drawn in two pieces is one screen.
const (
	lookEvery = 20 * time.Millisecond
	quiet     = 600 * time.Millisecond
)

// A play is a program in a terminal, whose keys are pressed as its screen says. Its first error stays: after one nothing is done.
type play struct {
	ctx  context.Context
	cmd  *exec.Cmd
	tty  *os.File
	done sync.WaitGroup

	mu   sync.Mutex // guards term, which two goroutines write to and read from
	term *vt.Emulator

	frames []frame
	err    error
}

// start runs a program in a terminal of the place's size.
func start(ctx context.Context, at place, env []string, dir string, args ...string) (*play, error) {
	cmd := exec.CommandContext(ctx, args[0], args[1:]...)
	cmd.Dir, cmd.Env = dir, append(env, "TERM=xterm-256color", "COLORTERM=truecolor", "LANG=C.UTF-8", "LC_ALL=C.UTF-8")
	tty, err := pty.StartWithSize(cmd, &pty.Winsize{Rows: uint16(at.rows), Cols: uint16(at.cols)})
	if err != nil {
		return nil, err
	}
	p := &play{ctx: ctx, cmd: cmd, tty: tty, term: vt.NewEmulator(at.cols, at.rows)}
	p.done.Go(func() { // ends with the program
		b := make([]byte, 32<<10)
		for {
			n, err := tty.Read(b)
			p.mu.Lock()
			_, _ = p.term.Write(b[:n])
			p.mu.Unlock()
			if err != nil {
				return
			}
		}
	})
	p.done.Go(func() { _, _ = io.Copy(tty, p.term) }) // what a terminal answers; ends with the terminal
	return p, nil
}

// close ends the program, and waits for it.
func (p *play) close() {
	_ = p.cmd.Process.Signal(syscall.SIGTERM)
	ended := time.AfterFunc(5*time.Second, func() { _ = p.cmd.Process.Kill() })
	_ = p.cmd.Wait()
	ended.Stop()
	_ = p.tty.Close()
	_ = p.term.InputPipe().(io.Closer).Close()
	p.done.Wait()
}

func (p *play) screen() screen {
	p.mu.Lock()
	defer p.mu.Unlock()
	return shown(p.term)
}

// keys are pressed, one after the other.
func (p *play) keys(text string) {
	if p.err == nil {
		_, p.err = p.tty.WriteString(text)
	}
}

// sees waits until each of the patterns is on the screen; one that begins with ! must not be.
func (p *play) sees(patterns ...string) { p.settled(0, patterns) }

// frame keeps the screen once the patterns hold and it does not change any more.
func (p *play) frame(seconds float64, caption string, patterns ...string) {
	s := p.settled(quiet, patterns)
	if p.err == nil {
		p.frames = append(p.frames, frame{s, seconds, caption})
	}
}

// settled waits until the patterns have held for so long on a screen that did not change.
func (p *play) settled(long time.Duration, patterns []string) screen {
	last, since := "", time.Now()
	for p.err == nil {
		s := p.screen()
		text := s.text()
		if text != last || !holds(text, patterns) {
			last, since = text, time.Now()
		}
		if holds(text, patterns) && time.Since(since) >= long {
			return s
		}
		select {
		case <-time.After(lookEvery):
		case <-p.ctx.Done():
			p.err = fmt.Errorf("the screen never shows %q:\n%s", patterns, text)
		}
	}
	return nil
}

func holds(text string, patterns []string) bool {
	for _, pattern := range patterns {
		pattern, without := strings.CutPrefix(pattern, "!")
		if regexp.MustCompile(pattern).MatchString(text) == without {
			return false
		}
	}
	return true
}
