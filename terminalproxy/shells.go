package terminalproxy

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"sync"
	"time"
)

// Shells are the tools bash, read_bash, stop_bash and list_bash, with the arguments and texts of Copilot CLI 1.0.102.
// Unlike Copilot's own, a shellId keeps its folder and its environment from one command to the next.
//
// Each command is a terminal of the [Runner] and shows in its list and its live output; its session's end
// ends it. Methods may be called from any goroutine. The texts are for the model; an error is one it can
// read as well.
type Shells struct {
	r *Runner

	mu       sync.Mutex
	dir      string // private, 0700; made with the first command
	files    int
	sessions map[string]*shellSession
}

// shellSession holds the shells of one session. Guarded by Shells.mu.
type shellSession struct {
	next   int // the number that may be the next shell's id
	shells []*shellState
	gone   []goneShell // ids that read_bash can still say something about
}

type goneShell struct {
	id      string
	stopped bool
}

// shellState is one shellId. Guarded by Shells.mu.
type shellState struct {
	id       string
	state    state // before the first command: the folder only
	run      *run  // running, or ended and not read; else nil
	starting bool  // a command is being started
	commands int
}

// ShellCall is one call of the tool bash.
type ShellCall struct {
	Session     string
	Command     string
	Description string
	ShellID     string // "" for a new shell
	// Cwd is where a new shell starts, and a shell whose folder is gone.
	Cwd string
	// Shown, if not nil, are the variables that the user was shown beside Cwd, from [Shells.Changed]. Where the shell has another
	// folder or others by now, because a command in it has ended since, nothing is started: [ErrShellChanged].
	Shown *[]EnvVar
	// Async returns at once. Detach asks that the command outlive the session, which nothing here does: the answer
	// says so.
	Async, Detach bool
	// InitialWait is how long a call that is not Async waits for the command; 0 is [DefaultInitialWait].
	InitialWait time.Duration
	// Started, if not nil, is called as soon as the command runs, before Bash waits for it.
	Started func(*Terminal)
}

// NewShells returns the shell tools of r. They end with it.
func NewShells(r *Runner) *Shells {
	s := &Shells{r: r, sessions: make(map[string]*shellSession)}
	r.mu.Lock()
	r.onClose = s.closed
	r.mu.Unlock()
	return s
}

// closed forgets a session's shells, or, for "", all of them and the folder of their states.
func (s *Shells) closed(session string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if session != "" {
		delete(s.sessions, session)
		return
	}
	clear(s.sessions)
	if s.dir != "" {
		os.RemoveAll(s.dir)
		s.dir = ""
	}
}

// Cwd is the folder in which the next command of a shell starts: otherwise for a shell that is new or whose folder
// is gone.
func (s *Shells) Cwd(session, shellID, otherwise string) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	if sh := s.session(session).find(shellID); sh != nil && isDir(sh.state.cwd) {
		return sh.state.cwd
	}
	return otherwise
}

// Bash runs a command. Without Async it returns when the command has ended, InitialWait is over, or ctx has ended;
// then the command is killed, and the error is ctx's. progress, if not nil, gets the output as it comes, on another
// goroutine, and is not called after the return.
func (s *Shells) Bash(ctx context.Context, c ShellCall, progress func(string)) (string, error) {
	if c.Command == "" {
		return noCommand, nil
	}
	gate := &gate{to: progress}
	defer gate.shut()
	run, text, err := s.begin(ctx, c, gate)
	if run == nil {
		return text, err
	}
	if c.Started != nil {
		c.Started(run.t)
	}
	if c.Async {
		return started(run.shell, c.Detach), nil
	}
	wait := min(c.InitialWait, MaxWait)
	if wait <= 0 {
		wait = DefaultInitialWait
	}
	if s.wait(ctx, run, wait) {
		return s.collect(c.Session, run), nil
	}
	if err := ctx.Err(); err != nil {
		_ = run.t.Release(context.WithoutCancel(ctx))
		s.collect(c.Session, run)
		return "", err
	}
	return run.stillRunning(wait), nil
}

// wait reports whether the command has ended within limit.
func (s *Shells) wait(ctx context.Context, run *run, limit time.Duration) bool {
	if run.over() {
		return true
	}
	select {
	case <-run.t.done:
	case <-s.r.cfg.Clock.After(limit):
	case <-ctx.Done():
	}
	return run.over() // both at once: the end is the better news
}

// Read waits until the command of a shell has ended, at most delay, and returns what it has written.
func (s *Shells) Read(ctx context.Context, session, shellID string, delay time.Duration) (string, error) {
	s.mu.Lock()
	ss := s.session(session)
	sh := ss.find(shellID)
	if sh == nil || sh.run == nil {
		text := ss.missing(shellID, s.list(ss))
		s.mu.Unlock()
		return text, nil
	}
	run := sh.run
	s.mu.Unlock()

	delay = max(0, min(delay, MaxWait))
	if s.wait(ctx, run, delay) {
		return s.collect(session, run), nil
	}
	return run.stillRunning(delay), ctx.Err()
}

// Stop ends a shell's command, and what its earlier commands left running. It is no error if there is none.
func (s *Shells) Stop(ctx context.Context, session, shellID string) (string, error) {
	s.mu.Lock()
	ss := s.session(session)
	sh := ss.find(shellID)
	var run *run
	if sh != nil {
		run, sh.run = sh.run, nil
		ss.forget(shellID, true)
	}
	s.mu.Unlock()
	if run != nil {
		_ = run.t.Release(ctx) // an error is ctx's, or says that the session was closed: it ends all the same
	}
	s.r.stopLeftovers(session, shellID)
	return stopped(shellID), ctx.Err()
}

// List describes the shells whose command runs, or has ended and was not read.
func (s *Shells) List(session string) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.list(s.session(session))
}

// session finds or makes a session. The caller holds s.mu.
func (s *Shells) session(id string) *shellSession {
	ss := s.sessions[id]
	if ss == nil {
		ss = &shellSession{}
		s.sessions[id] = ss
	}
	return ss
}

func (ss *shellSession) find(id string) *shellState {
	for _, sh := range ss.shells {
		if sh.id == id {
			return sh
		}
	}
	return nil
}

// make returns the shell of that id, a new one with a number for "".
func (ss *shellSession) make(id, cwd string) (*shellState, error) {
	for ; id == ""; ss.next++ {
		if n := strconv.Itoa(ss.next); ss.find(n) == nil {
			id = n
		}
	}
	if sh := ss.find(id); sh != nil {
		return sh, nil
	}
	if len(ss.shells) >= MaxShells {
		i := slices.IndexFunc(ss.shells, func(sh *shellState) bool { return sh.run == nil && !sh.starting })
		if i < 0 {
			return nil, fmt.Errorf("%w: this session has %d shells with a command; read the output of one with read_bash, or end one with stop_bash, and try again", ErrTooManyTerminals, MaxShells)
		}
		ss.shells = slices.Delete(ss.shells, i, i+1)
	}
	sh := &shellState{id: id, state: state{cwd: cwd}}
	ss.shells = append(ss.shells, sh)
	return sh, nil
}

// forget notes that a shell's command is no longer there and why.
func (ss *shellSession) forget(id string, stopped bool) {
	ss.gone = slices.DeleteFunc(ss.gone, func(g goneShell) bool { return g.id == id })
	if len(ss.gone) >= maxGone {
		ss.gone = slices.Delete(ss.gone, 0, 1)
	}
	ss.gone = append(ss.gone, goneShell{id, stopped})
}

// statePath is a new name in the private folder. The caller holds s.mu.
func (s *Shells) statePath() (string, error) {
	if s.dir == "" {
		dir, err := os.MkdirTemp("", "copilot-bridge-shell-") // 0700
		if err != nil {
			return "", fmt.Errorf("make a private folder for the shell's state: %w", err)
		}
		s.dir = dir
	}
	s.files++
	path := filepath.Join(s.dir, strconv.Itoa(s.files))
	f, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600) // ours, whatever umask the command sets
	if err != nil {
		return "", fmt.Errorf("make a file for the shell's state: %w", err)
	}
	return path, f.Close()
}

func isDir(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}
