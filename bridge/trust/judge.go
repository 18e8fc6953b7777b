package trust

import (
	"context"
	"path/filepath"
	"sync"
	"time"

	"github.com/rs/zerolog"

	"github.com/copilot-bridge/copilot-bridge/internal/durable"
)

// Config is what a [Judge] is given. All but Dir and Log is required.
type Config struct {
	Dir    string        // the state folder, where verdicts are kept; "" keeps them in memory
	Trials bool          // new versions are tried
	Quiet  time.Duration // [Quiet], less in tests
	// Trial is how a version is tried, nil where it cannot be.
	Trial func(Version) func(context.Context) (Verdict, error)
	Life  context.Context // ends trials
	Go    func(func())    // runs a function on a goroutine that the owner waits for
	Tell  func(string)    // tells the user of a version that failed, in one sentence
	Now   func() time.Time
	Log   zerolog.Logger
}

// Judge knows which versions of agents ask before they change or run something, and has those tried of which nothing is
// known. Of a version that is neither proven nor untrusted nothing is known yet.
type Judge struct {
	cfg Config

	mu       sync.Mutex
	trials   bool               // new versions are tried
	known    map[string]Verdict // what is kept, by Version.Agent
	tried    map[string]bool    // versions whose trial waits, runs or is over; false for one that could not tell
	turns    int                // that run
	turnOver chan struct{}      // closed and replaced when a turn is over: several trials may wait
}

// New makes a judge. It starts nothing.
func New(cfg Config) *Judge {
	return &Judge{cfg: cfg, trials: cfg.Trials, known: map[string]Verdict{}, tried: map[string]bool{}, turnOver: make(chan struct{})}
}

// SetTrials switches trials of new versions on or off; one that runs already goes on to its end.
func (j *Judge) SetTrials(on bool) {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.trials = on
}

// Proven says that a version is known to ask.
func (j *Judge) Proven(v Version) bool {
	verdict, known := j.verdict(v)
	return known && verdict.Passed()
}

// Untrusted says that a version is known not to ask.
func (j *Judge) Untrusted(v Version) bool {
	verdict, known := j.verdict(v)
	return known && !verdict.Passed()
}

func (j *Judge) verdict(v Version) (Verdict, bool) {
	j.mu.Lock()
	defer j.mu.Unlock()
	kept, known := j.known[v.Agent]
	if !known && j.cfg.Dir != "" && v.Agent != "" {
		if kept, known = load(j.cfg.Dir, v.Agent); known {
			j.known[v.Agent] = kept
		}
	}
	return v.weigh(kept, known)
}

// Record keeps a verdict and, if it is a bad one, tells the user what it means for them.
func (j *Judge) Record(v Verdict) {
	j.mu.Lock()
	j.known[v.Agent] = v
	j.mu.Unlock()
	if j.cfg.Dir != "" {
		if err := Keep(j.cfg.Dir, v); err != nil {
			j.cfg.Log.Warn().Err(err).Msg("the verdict holds until this process ends")
		}
	}
	if v.Passed() {
		j.cfg.Log.Info().Str("agent", v.Agent).Str("by", v.By).Msg("it asks before it changes or runs something")
		return
	}
	j.tell(v)
}

func (j *Judge) tell(v Verdict) {
	j.cfg.Tell(v.Sentence() +
		"; so here every change and every command asks, whatever the rules say, and what it changes by itself is shown after each turn, to be undone; another version may be better")
}

// Turn notes that a turn has begun; over is to be called once, at its end. No trial begins beside it.
func (j *Judge) Turn() (over func()) {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.turns++
	return func() {
		j.mu.Lock()
		defer j.mu.Unlock()
		j.turns--
		close(j.turnOver)
		j.turnOver = make(chan struct{})
	}
}

// Started is called when a version has been started; gone is closed when it has ended. If it is untrusted the user is told.
// If nothing is known of it, it is tried, once in the life of this process: when the first turn with it is over and the user
// has been left alone with its answer for a while, because a second Copilot that starts beside the first would cost them
// seconds.
func (j *Judge) Started(v Version, gone <-chan struct{}) {
	if verdict, known := j.verdict(v); known {
		if !verdict.Passed() {
			j.tell(verdict)
		}
		return
	}
	run := j.cfg.Trial(v)
	if run == nil || v.Agent == "" {
		return
	}
	j.mu.Lock()
	defer j.mu.Unlock()
	if _, tried := j.tried[v.Agent]; tried || !j.trials {
		return
	}
	j.tried[v.Agent] = true
	over := j.turnOver
	j.cfg.Go(func() {
		if j.quiet(over, gone) {
			j.try(v.Agent, run)
		}
	})
}

// quiet returns when over, the end of a turn, has come and nothing has run since for a while; false if that never happens, or
// trials are off by then.
func (j *Judge) quiet(over, gone <-chan struct{}) bool {
	var elapsed <-chan time.Time
	for {
		select {
		case <-over:
			j.mu.Lock()
			over = j.turnOver
			j.mu.Unlock()
			elapsed = time.After(j.cfg.Quiet)
		case <-elapsed:
			j.mu.Lock()
			trials, turns := j.trials, j.turns
			j.mu.Unlock()
			if !trials || turns == 0 {
				return trials
			}
		case <-gone:
			return false
		case <-j.cfg.Life.Done():
			return false
		}
	}
}

// try runs a trial, unless the bridge of another editor has run one meanwhile.
func (j *Judge) try(agent string, run func(context.Context) (Verdict, error)) {
	if j.cfg.Dir != "" {
		lock, err := durable.Lock(filepath.Join(j.cfg.Dir, file+".trial"))
		if err != nil {
			return
		}
		defer lock.Close()
		if v, known := load(j.cfg.Dir, agent); known && v.By == byTrial {
			j.Record(v)
			return
		}
	}
	v, err := run(j.cfg.Life)
	if err == nil {
		j.Record(v)
		return
	}
	j.cfg.Log.Info().Err(err).Msg("the agent's version could not be tried; its first edit is looked at instead")
	j.mu.Lock()
	defer j.mu.Unlock()
	j.tried[agent] = false
}

// CleanEdit takes a turn in which the agent edited something through the bridge, and in which nothing changed without
// approval, for a proof that it asks, where there is no trial of it. The other way round it is none: the user may have changed
// the file.
func (j *Judge) CleanEdit(v Version) {
	_, known := j.verdict(v)
	j.mu.Lock()
	awaited := j.trials && j.tried[v.Agent]
	j.mu.Unlock()
	if !known && v.Agent != "" && !awaited {
		j.Record(Verdict{Agent: v.Agent, By: byFirstEdit, When: j.cfg.Now().UTC().Truncate(time.Second)})
	}
}
