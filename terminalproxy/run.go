package terminalproxy

import (
	"context"
	"errors"
	"fmt"
	"os"
	"runtime"
	"slices"
	"sync"

	"github.com/copilot-bridge/copilot-bridge/internal/escape"
)

// run is one command of a shell.
type run struct {
	t     *Terminal
	shell string
	async bool
	note  string // what the model must know before it reads the output
}

func (r *run) over() bool { return isClosed(r.t.done) }

// begin starts a command in its shell. Without a run, text or err is the answer.
func (s *Shells) begin(ctx context.Context, c ShellCall, g *gate) (r *run, text string, err error) {
	s.mu.Lock()
	ss := s.session(c.Session)
	sh, err := ss.make(c.ShellID, c.Cwd)
	if err != nil {
		s.mu.Unlock()
		return nil, "", err
	}
	if sh.starting || sh.run != nil && !sh.run.over() {
		s.mu.Unlock()
		return nil, busy(sh.id), nil
	}
	if c.Shown != nil && (isDir(sh.state.cwd) && sh.state.cwd != c.Cwd || !slices.Equal(s.changed(sh), *c.Shown)) {
		s.mu.Unlock()
		return nil, "", ErrShellChanged
	}
	path, err := s.statePath()
	if err != nil {
		s.mu.Unlock()
		return nil, "", err
	}
	unread := sh.run
	sh.starting, sh.run = true, nil
	from := sh.state
	s.mu.Unlock()

	if unread != nil {
		s.r.retire(unread.t)
	}
	r = &run{shell: sh.id, async: c.Async}
	if from.cwd != c.Cwd && !isDir(from.cwd) {
		r.note = fmt.Sprintf("[The folder %s of this shell is gone. The command was run in %s.]\n", from.cwd, c.Cwd)
		from.cwd = c.Cwd
	}
	r.t = &Terminal{
		info:  Info{Session: c.Session, Command: c.Command, Cwd: from.cwd, Shell: sh.id, Description: c.Description},
		limit: DefaultOutputLimit, headLimit: shellHead, tap: g.tap(),
		atExit: func() { s.learn(sh, path, from.env) },
	}
	err = s.launch(ctx, r.t, c.Command, from, path)

	s.mu.Lock()
	defer s.mu.Unlock()
	sh.starting = false
	if err != nil {
		os.Remove(path)
		return nil, "", err
	}
	sh.run = r
	sh.commands++
	return r, "", nil
}

// launch starts the process of a shell's command. A session full of commands that have ended and that the model
// never asked about makes room.
func (s *Shells) launch(ctx context.Context, t *Terminal, command string, from state, path string) error {
	env := from.env
	if env == nil {
		env = s.r.env
	}
	if err := (Spec{Command: command, Cwd: from.cwd, Shell: true}).check(); err != nil {
		return err
	}
	env, err := withAgent(env, from.cwd, nil)
	if err != nil {
		return err
	}
	sh, isBash, err := s.r.shell()
	if err != nil {
		return err
	}
	p := plan{argv: wrapped(sh, isBash, command, path), env: env, dir: from.cwd}
	if s.r.cfg.Place != nil { // seen by the user, so without what keeps a shell's state
		p.argv, p.away = lineArgv(sh, command), true
	} else if runtime.GOOS == "windows" {
		p.argv = lineArgv(sh, command)
	}
	err = s.r.launch(ctx, t, p)
	if errors.Is(err, ErrTooManyTerminals) && s.reclaim(t.info.Session) {
		err = s.r.launch(ctx, t, p)
	}
	return err
}

// reclaim gives up the output of the oldest command that has ended and was not read.
func (s *Shells) reclaim(session string) bool {
	s.mu.Lock()
	var oldest *run
	ss := s.session(session)
	for _, sh := range ss.shells {
		if sh.run != nil && sh.run.over() && (oldest == nil || sh.run.t.info.Started.Before(oldest.t.info.Started)) {
			oldest = sh.run
		}
	}
	if oldest != nil {
		ss.find(oldest.shell).run = nil
		ss.forget(oldest.shell, false)
	}
	s.mu.Unlock()
	if oldest == nil {
		return false
	}
	s.r.retire(oldest.t)
	return true
}

// learn takes over what a command that has ended leaves to the next one of its shell. It is called before anybody
// hears of the end.
func (s *Shells) learn(sh *shellState, path string, before []string) {
	st, ok := readState(path)
	os.Remove(path)
	if before == nil {
		before = s.r.env
	}
	if ok {
		st.env = append(st.env, unspeakable(before)...)
		s.mu.Lock()
		sh.state = st
		s.mu.Unlock()
	}
}

// collect is the final answer for a command that has ended. It frees the shell for the next one.
func (s *Shells) collect(session string, r *run) string {
	text := r.completed()
	s.mu.Lock()
	if ss := s.sessions[session]; ss != nil { // else the session was closed meanwhile
		if sh := ss.find(r.shell); sh != nil && sh.run == r {
			sh.run = nil
			ss.forget(r.shell, false)
		}
	}
	s.mu.Unlock()
	s.r.retire(r.t)
	return text
}

// gate passes progress on until it is shut: the other side must not be called after the answer.
type gate struct {
	mu sync.Mutex
	to func(string)
}

func (g *gate) tap() func(string) {
	if g.to == nil {
		return nil
	}
	return func(text string) {
		g.mu.Lock()
		defer g.mu.Unlock()
		if g.to != nil {
			g.to(escape.StripANSI(text))
		}
	}
}

func (g *gate) shut() {
	g.mu.Lock()
	g.to = nil
	g.mu.Unlock()
}
