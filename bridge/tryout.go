package bridge

import (
	"context"
	"path/filepath"
	"sync"
	"time"

	"github.com/copilot-bridge/copilot-bridge/acp/copilot"
	"github.com/copilot-bridge/copilot-bridge/bridge/canary"
	"github.com/copilot-bridge/copilot-bridge/internal/durable"
)

// tryout is what is known of the honesty of the agent that runs: does this version of it ask before it changes or runs
// something. Until that is known the workspace is compared around each turn, whatever tools the agent has; it is known
// from a trial, or from the first edit of a turn in which nothing else changed. Verdicts are kept by version.
type tryout struct {
	file string // of the verdicts, "" for none
	run  func(context.Context, canary.Config) (canary.Verdict, error)
	// quiet is how long nothing may have run before a trial begins.
	quiet time.Duration
	// eligible says whether an agent can be tried.
	eligible func(l *link) bool

	mu      sync.Mutex
	off     bool                      // the person wants no trials
	known   map[string]canary.Verdict // by agent
	trying  map[string]bool           // agents whose trial waits, runs or is over
	untold  map[string]bool           // agents whose trial could not tell
	running int                       // turns that run
	settled chan struct{}             // closed and replaced when a turn is over: several trials may wait
}

func (b *Bridge) newTryout() *tryout {
	t := &tryout{
		run: canary.Run, quiet: trialQuiet, off: !b.cfg.Canary, known: map[string]canary.Verdict{}, trying: map[string]bool{}, untold: map[string]bool{}, settled: make(chan struct{}),
	}
	t.eligible = func(l *link) bool {
		return b.cfg.Start == nil && !l.perTurn && b.cfg.Kind != KindTranscript && len(b.cfg.Self) > 0 && canary.Needs(b.cfg.Command, b.cfg.Env, l.quirks)
	}
	if b.cfg.StateDir != "" {
		t.file = filepath.Join(b.cfg.StateDir, canary.File)
	}
	return t
}

// SetCanary switches trials of new versions on or off; one that runs already goes on to its end.
func (b *Bridge) SetCanary(on bool) {
	b.tryout.mu.Lock()
	defer b.tryout.mu.Unlock()
	b.tryout.off = !on
}

// verdict is what is known of an agent.
func (t *tryout) verdict(agent string) (canary.Verdict, bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if v, ok := t.known[agent]; ok {
		return v, true
	}
	if t.file == "" || agent == "" {
		return canary.Verdict{}, false
	}
	v, ok := canary.Load(t.file, agent)
	if ok {
		t.known[agent] = v
	}
	return v, ok
}

// verdict is what is known of the agent that runs: from a trial, or else from the table of versions, or from a first edit.
func (l *link) verdict() (canary.Verdict, bool) {
	v, ok := l.b.tryout.verdict(l.label())
	if l.quirks.NoPermissionAsked && v.By != "trial" {
		return canary.Listed(l.label()), true
	}
	return v, ok
}

// proven says that an agent is known to ask.
func (l *link) proven() bool {
	v, ok := l.verdict()
	return ok && v.Passed()
}

// distrusted says that an agent is known not to ask.
func (l *link) distrusted() bool {
	v, ok := l.verdict()
	return ok && !v.Passed()
}

// label is the agent's name and version, what a verdict is kept by; "" where it says neither.
func (l *link) label() string {
	if l.agent == nil {
		return ""
	}
	return l.agent.Info().Label()
}

// judge keeps a verdict and, if it is a bad one, tells the person what it means for them.
func (b *Bridge) judge(v canary.Verdict) {
	b.tryout.mu.Lock()
	b.tryout.known[v.Agent] = v
	file := b.tryout.file
	b.tryout.mu.Unlock()
	if file != "" {
		if err := canary.Keep(file, v); err != nil {
			b.cfg.Log.Warn().Err(err).Msg("the verdict holds until this process ends")
		}
	}
	if v.Passed() {
		b.cfg.Log.Info().Str("agent", v.Agent).Str("by", v.By).Msg("it asks before it changes or runs something")
		return
	}
	b.warn(v)
}

// warn tells the person of an agent that cannot be relied on, in one sentence.
func (b *Bridge) warn(v canary.Verdict) {
	b.out.push(&StatusChanged{Kind: StatusError, Message: v.Sentence() +
		"; so here every change and every command asks, whatever the rules say, and what it changes by itself is shown after each turn, to be undone; another version may be better"})
}

// turns counts what runs: a trial does not begin beside it.
func (t *tryout) turn(begins bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if begins {
		t.running++
		return
	}
	t.running--
	close(t.settled)
	t.settled = make(chan struct{})
}

// next is closed when the next turn is over.
func (t *tryout) next() <-chan struct{} {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.settled
}

func (t *tryout) busy() bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.running > 0
}

// begin says whether an agent is to be tried now, once in the life of this process.
func (t *tryout) begin(agent string) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	_, known := t.known[agent]
	if t.off || known || agent == "" || t.trying[agent] {
		return false
	}
	t.trying[agent] = true
	return true
}

// tryAgent tries a version of the agent out that nothing is known of, when the first turn with it is over and the person
// has been left alone with its answer for a while: a second Copilot that starts beside the first one would cost them
// seconds. It ends with the bridge or with the agent.
func (b *Bridge) tryAgent(l *link) {
	name := l.label()
	if v, known := l.verdict(); known {
		if !v.Passed() {
			b.warn(v)
		}
		return
	}
	if !b.tryout.eligible(l) || !b.tryout.begin(name) {
		return
	}
	settled := b.tryout.next()
	b.work.Go(func() {
		if !b.awaitQuiet(l, settled) {
			return
		}
		ctx, cancel := context.WithCancel(b.watching)
		defer cancel()
		if b.tryout.file != "" { // another editor's bridge may be at it
			lock, err := durable.Lock(b.tryout.file + ".trial")
			if err != nil {
				return
			}
			defer lock.Close()
			if v, ok := canary.Load(b.tryout.file, name); ok && v.By == "trial" {
				b.judge(v)
				return
			}
		}
		v, err := b.tryout.run(ctx, canary.Config{
			Command: b.cfg.Command, Env: copilot.AgentEnv(b.cfg.Env), Self: b.cfg.Self, Name: name, Version: b.cfg.Version, Log: b.cfg.Log,
		})
		if err != nil {
			b.cfg.Log.Info().Err(err).Msg("the agent's version could not be tried; its first edit is looked at instead")
			b.tryout.failed(name)
			return
		}
		b.judge(v)
	})
}

// awaitQuiet returns when a turn has ended and nothing has run since for a while; false if it never does.
func (b *Bridge) awaitQuiet(l *link, settled <-chan struct{}) bool {
	t := b.tryout
	timer := time.NewTimer(0)
	defer timer.Stop()
	timer.Stop()
	for {
		select {
		case <-settled:
			settled = t.next()
			timer.Reset(t.quiet)
		case <-timer.C:
			t.mu.Lock()
			off := t.off
			t.mu.Unlock()
			if off {
				return false
			}
			if !t.busy() {
				return true
			}
		case <-l.gone:
			return false
		case <-b.watching.Done():
			return false
		}
	}
}

// failed notes that a trial could not tell.
func (t *tryout) failed(agent string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.untold[agent] = true
}

// waits says that there will be a trial of an agent, or is one.
func (t *tryout) waits(agent string) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return !t.off && t.trying[agent] && !t.untold[agent]
}

// firstEdit takes a turn in which the agent edited something through us, and in which nothing else changed, for a proof
// that it asks, where there is no trial of it. The other way round it is none: the person may have changed the file
// themselves.
func (s *Session) firstEdit(l *link, turn string) {
	name := l.label()
	if _, known := l.verdict(); known || name == "" || s.b.tryout.waits(name) || len(s.b.book.Counts(turn)) == 0 {
		return
	}
	s.b.judge(canary.Verdict{Agent: name, By: "first edit", When: s.b.now().UTC().Truncate(time.Second)})
}
