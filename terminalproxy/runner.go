package terminalproxy

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"sync"
	"time"

	"github.com/rs/zerolog"
)

// Config says how commands are run. The zero value runs them without a guardian and without an environment.
type Config struct {
	// Guard is the argv prefix that runs the guardian, normally {executable, "guard"}; nil: a process group only.
	Guard []string
	// Env is the user's environment; the credentials in it are not handed on, see [Secret].
	Env []string
	// KeepEnv names variables that are handed on all the same.
	KeepEnv []string
	// TTY gives a command a pseudo-terminal to write to instead of a pipe, so that it shows colours and progress to the
	// user who watches. Its input stays empty. Not on Windows.
	TTY bool
	// Place, if not nil, is where the commands of the shell tools run, instead of here.
	Place Place
	Log   zerolog.Logger
	// OnOutput, if not nil, gets the live output of all terminals. It may be slow: the output that comes meanwhile is
	// joined, and beyond the terminal's limit its middle is left out. It must return in the end: Close waits for it.
	OnOutput func(OutputEvent)
	// Clock is nil for the system's.
	Clock Clock
}

// Clock is the time as far as waiting for a command's next output goes.
type Clock interface {
	Now() time.Time
	After(time.Duration) <-chan time.Time
}

type systemClock struct{}

func (systemClock) Now() time.Time                         { return time.Now() }
func (systemClock) After(d time.Duration) <-chan time.Time { return time.After(d) }

// Runner owns the terminals of all sessions. Its methods may be called from any goroutine.
type Runner struct {
	cfg    Config
	env    []string // the user's, without secrets and duplicates
	bashes []string
	start  func(plan) (process, error)
	work   sync.WaitGroup // the goroutines of all terminals

	mu       sync.Mutex
	sessions map[string]*session
	closing  map[string][]*session // those of an id that are closed and have something left that is being ended
	held     int                   // terminals of all sessions
	lastID   int
	closed   bool
	onClose  func(session string) // "" for all; set once by NewShells
}

// session is what the Runner knows of one session. Guarded by Runner.mu.
type session struct {
	id        string
	terminals map[string]*Terminal
	starting  int // places taken by commands that are being started
	released  []*Terminal
	leftovers []*Terminal // commands of the shell tools that have ended and whose descendants may not have
	closed    bool
	ends      sync.WaitGroup // commands that are being started or ended; grows only under Runner.mu while the session is open
}

// New returns a Runner without terminals.
func New(cfg Config) *Runner {
	if cfg.Clock == nil {
		cfg.Clock = systemClock{}
	}
	r := &Runner{cfg: cfg, env: withoutSecrets(cfg.Env, cfg.KeepEnv), bashes: bashes(), sessions: make(map[string]*session), closing: make(map[string][]*session)}
	if cfg.TTY {
		r.env = forTTY(r.env)
	}
	r.start = r.startGuarded
	return r
}

// Create starts a command and returns at once. An error means that nothing runs and no id was given away: it is a
// *guard.StartError if the system did not start the command, or wraps [ErrInvalid], [ErrTooManyTerminals],
// [ErrClosed] or ctx's error. ctx bounds the start only.
func (r *Runner) Create(ctx context.Context, spec Spec) (*Terminal, error) {
	if err := spec.check(); err != nil {
		return nil, err
	}
	env, err := withAgent(r.env, spec.dir(), spec.Env)
	if err != nil {
		return nil, err
	}
	argv, err := r.argv(spec)
	if err != nil {
		return nil, err
	}
	t := &Terminal{info: Info{Session: spec.Session, Command: spec.Command, Args: spec.Args, Cwd: spec.dir()}, limit: outputLimit(spec.Limit)}
	return t, r.launch(ctx, t, plan{argv: argv, env: env, dir: spec.dir()})
}

func outputLimit(asked *uint64) int {
	if asked == nil {
		return DefaultOutputLimit
	}
	return int(min(*asked, MaxOutputLimit))
}

// launch starts t and enters it in the tables. After an error t is not to be used.
func (r *Runner) launch(ctx context.Context, t *Terminal, p plan) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	s, id, err := r.reserve(t.info.Session, p.away)
	if err != nil {
		return err
	}
	defer r.work.Done()
	if !p.away {
		defer s.ends.Done()
	}
	err = r.execute(t, p, s, id)

	r.mu.Lock()
	s.starting--
	switch {
	case err != nil:
		r.held--
		r.mu.Unlock()
		return err
	case s.closed:
		r.held--
		t.released = true
		r.mu.Unlock()
		t.shutdown()
		return ErrClosed
	}
	s.terminals[id] = t
	r.mu.Unlock()
	if err := ctx.Err(); err != nil { // nobody will learn the id
		_ = t.Release(context.WithoutCancel(ctx))
		return err
	}
	return nil
}

// execute starts the process of t.
func (r *Runner) execute(t *Terminal, p plan, s *session, id string) error {
	out, in, err := r.openOutput()
	if err != nil {
		return err
	}
	p.output = in
	start := r.start
	if p.away {
		start = func(p plan) (process, error) { return r.startElsewhere(p, t.info.Session, t.limit) }
	}
	proc, err := start(p)
	if !p.away || err != nil { // what runs elsewhere writes to it from here
		in.Close()
	}
	if err != nil {
		out.Close()
		return err
	}
	t.r, t.s, t.proc, t.out = r, s, proc, out
	t.info.ID, t.info.PID, t.info.Started = id, proc.PID(), r.cfg.Clock.Now()
	t.watch()
	return nil
}

// reserve takes a place for a terminal and an id, and keeps Close waiting until work.Done; CloseSession until ends.Done,
// but for a start elsewhere: an editor that does not answer must not hold it up.
func (r *Runner) reserve(id string, away bool) (*session, string, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.closed {
		return nil, "", ErrClosed
	}
	s := r.sessions[id]
	if s == nil {
		s = &session{id: id, terminals: make(map[string]*Terminal)}
		r.sessions[id] = s
	}
	switch {
	case len(s.terminals)+s.starting >= MaxTerminals:
		return nil, "", fmt.Errorf("%w: this session has %d already; release one, or stop a command, and try again", ErrTooManyTerminals, MaxTerminals)
	case r.held >= MaxTerminalsInAll:
		return nil, "", fmt.Errorf("%w: all sessions together have %d already; release one, or stop a command, and try again", ErrTooManyTerminals, MaxTerminalsInAll)
	}
	s.starting++
	r.held++
	r.lastID++
	r.work.Add(1)
	if !away {
		s.ends.Add(1)
	}
	return s, "term-" + strconv.Itoa(r.lastID), nil
}

// Get finds a terminal of a session; the error is [ErrUnknownTerminal].
func (r *Runner) Get(session, id string) (*Terminal, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if s := r.sessions[session]; s != nil {
		if t := s.terminals[id]; t != nil {
			return t, nil
		}
	}
	return nil, ErrUnknownTerminal
}

// CloseSession kills every command of a session, with everything they left behind, and forgets the session. It
// returns when they are gone: at once, or after their two seconds to clean up. A session of the same id may follow.
func (r *Runner) CloseSession(id string) {
	r.mu.Lock()
	s := r.sessions[id]
	if s != nil {
		s.ends.Add(1)
		r.closing[id] = append(r.closing[id], s)
		delete(r.sessions, id)
	}
	all := slices.Clone(r.closing[id]) // others may be ending some of it
	ts, onClose := r.takeAll(s), r.onClose
	r.mu.Unlock()
	shutAll(ts)
	if onClose != nil {
		onClose(id)
	}
	if s != nil {
		s.ends.Done()
	}
	for _, s := range all {
		s.ends.Wait()
	}
	r.mu.Lock()
	r.closing[id] = slices.DeleteFunc(r.closing[id], func(s *session) bool { return slices.Contains(all, s) })
	if len(r.closing[id]) == 0 {
		delete(r.closing, id)
	}
	r.mu.Unlock()
}

// Close ends all sessions and waits until no command, no goroutine and no call of OnOutput is left. A second Close
// waits as well.
func (r *Runner) Close() {
	r.mu.Lock()
	r.closed = true
	var ts []*Terminal
	for id, s := range r.sessions {
		ts = append(ts, r.takeAll(s)...)
		delete(r.sessions, id)
	}
	onClose := r.onClose
	r.mu.Unlock()
	shutAll(ts)
	r.work.Wait()
	if onClose != nil {
		onClose("")
	}
}

// takeAll removes a session's terminals and leftovers. The caller holds r.mu and shuts them down after it.
func (r *Runner) takeAll(s *session) []*Terminal {
	if s == nil {
		return nil
	}
	s.closed = true
	ts := make([]*Terminal, 0, len(s.terminals))
	for id, t := range s.terminals {
		t.released = true
		ts = append(ts, t)
		delete(s.terminals, id)
	}
	r.held -= len(ts)
	ts = append(ts, s.leftovers...)
	s.released, s.leftovers = nil, nil
	return ts
}

// shutAll ends everything at the same time, so that it takes as long as the slowest.
func shutAll(ts []*Terminal) {
	var all sync.WaitGroup
	for _, t := range ts {
		all.Go(t.shutdown)
	}
	all.Wait()
}
