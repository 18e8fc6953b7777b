package acptest

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"strings"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// Options say how a scenario is played.
type Options struct {
	Pace   float64           // how long a pause is, as a factor; 0: none
	Stderr io.Writer         // what stderr steps write to; nil: nothing
	Vars   map[string]string // variables that are there from the start

	process bool // may exit, spawn and ignore signals
}

// A Deviation is the error of a script that did not go as written.
type Deviation struct {
	Scenario   string
	Line       int
	Step       string
	Err        error
	Transcript []string // the last messages, oldest first
}

func (d *Deviation) Error() string {
	text := fmt.Sprintf("%s:%d: %s: %v", d.Scenario, d.Line, d.Step, d.Err)
	if len(d.Transcript) > 0 {
		text += "\n\t" + strings.Join(d.Transcript, "\n\t")
	}
	return text
}

func (d *Deviation) Unwrap() error { return d.Err }

// exitError ends a script by its exit step.
type exitError int

func (e exitError) Error() string { return fmt.Sprintf("exit %d", int(e)) }

// player plays one scenario over one stream. Only its own goroutine writes.
type player struct {
	scenario *Scenario
	options  Options
	stream   io.ReadWriteCloser
	state    *state
	vars     *vars
	marks    marks

	at       int                 // the step in play
	closed   bool                // our side has hung up
	nextID   int                 // of the next request
	expected map[string]*message // label → message that expect took
	asked    map[string]string   // label → id of a request
	last     map[string]jsontext.Value
	stubs    map[string]stub
}

// marks is the test as the player sees it.
type marks interface {
	// reached tells that the script has come to a marker, and what its variables are then.
	reached(name string, vars map[string]string)
}

// stub is what happens with a method by itself: an answer, or nothing.
type stub struct {
	result string
	ignore bool
}

func newPlayer(s *Scenario, stream io.ReadWriteCloser, o Options, m marks) *player {
	p := &player{
		scenario: s, options: o, stream: stream, state: newState(), marks: m,
		vars:     &vars{values: map[string]string{}, files: s.Files},
		expected: map[string]*message{}, asked: map[string]string{}, last: map[string]jsontext.Value{}, stubs: map[string]stub{},
	}
	maps.Copy(p.vars.values, o.Vars)
	return p
}

// read files what the peer sends until it hangs up or ctx ends.
func (p *player) read(ctx context.Context) {
	lines := bufio.NewReader(p.stream)
	for {
		line, err := lines.ReadBytes('\n')
		if text := strings.TrimSpace(string(line)); text != "" {
			p.state.received([]byte(text))
		}
		if err != nil {
			p.state.change(func() {
				if p.state.end == nil {
					p.state.end = errHungUp
				}
			})
			return
		}
		p.state.mu.Lock()
		deaf := p.state.deaf
		p.state.mu.Unlock()
		if deaf {
			<-ctx.Done()
			return
		}
	}
}

// testOver says that nobody will set a marker any more, and lets a script go that hangs.
func (p *player) testOver() { p.state.change(func() { p.state.gone = true }) }

// play runs the script to its end. The error is a *Deviation, an exitError, or nil.
func (p *player) play(ctx context.Context) error {
	for p.at < len(p.scenario.steps) {
		s := p.scenario.steps[p.at]
		p.at++
		if err := p.run(ctx, s); err != nil {
			return p.ended(ctx, s, err)
		}
	}
	if p.closed {
		return nil
	}
	last := &step{verb: "the end of the script"}
	if n := len(p.scenario.steps); n > 0 {
		last.line = p.scenario.steps[n-1].line
	}
	return p.ended(ctx, last, p.eof(ctx))
}

// ended is what a step's error means for the script.
func (p *player) ended(ctx context.Context, s *step, err error) error {
	var exit exitError
	if err == nil || errors.As(err, &exit) {
		return err
	}
	if errors.Is(context.Cause(ctx), errStopped) { // whatever the error: the stream was closed under the step
		return errStopped
	}
	p.state.mu.Lock()
	defer p.state.mu.Unlock()
	return &Deviation{Scenario: p.scenario.Name, Line: s.line, Step: s.String(), Err: err, Transcript: p.state.transcript}
}

// wait blocks until want is met, and meanwhile answers what there are stubs for.
func (p *player) wait(ctx context.Context, want func() (Verdict, string)) error {
	for {
		var taken *message
		err := p.state.wait(ctx, func() (Verdict, string) {
			for i, m := range p.state.inbox {
				if _, ok := p.stubs[m.Method]; ok {
					taken = m
					p.state.inbox = append(p.state.inbox[:i:i], p.state.inbox[i+1:]...)
					return Met, ""
				}
			}
			return want()
		})
		if err != nil || taken == nil {
			return err
		}
		stub := p.stubs[taken.Method]
		p.vars.learn(taken.Params)
		if stub.ignore || taken.ID == nil {
			continue
		}
		if err := p.respond(taken, stub.result); err != nil {
			return err
		}
	}
}

// respond answers a request with a result, {} if there is none.
func (p *player) respond(m *message, result string) error {
	if m.ID == nil {
		return fmt.Errorf("%s is a notification: there is nothing to answer", m.Method)
	}
	if result == "" {
		result = "{}"
	}
	text, err := p.vars.json(result)
	if err != nil {
		return err
	}
	p.vars.learn(jsontext.Value(text))
	return p.send(`{"jsonrpc":"2.0","id":` + string(m.ID) + `,"result":` + text + `}`)
}

// call sends a request or, without an id, a notification.
func (p *player) call(id, method, params string) error {
	if id != "" {
		id = `,"id":` + id
	}
	name, err := json.Marshal(method)
	if err != nil {
		return err
	}
	if params != "" {
		text, err := p.vars.json(params)
		if err != nil {
			return err
		}
		params = `,"params":` + text
	}
	return p.send(`{"jsonrpc":"2.0"` + id + `,"method":` + string(name) + params + `}`)
}

// send writes one line.
func (p *player) send(line string) error {
	p.state.mu.Lock()
	p.state.note("→ " + short(line))
	p.state.mu.Unlock()
	return p.raw(line + "\n")
}

func (p *player) raw(text string) error {
	if _, err := io.WriteString(p.stream, text); err != nil {
		return fmt.Errorf("the peer does not read: %w", err)
	}
	return nil
}

func (p *player) pause(ctx context.Context, arg string) error {
	d, err := time.ParseDuration(arg)
	if err != nil {
		return err
	}
	if p.options.Pace == 0 {
		return nil
	}
	timer := time.NewTimer(time.Duration(float64(d) * p.options.Pace))
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}
