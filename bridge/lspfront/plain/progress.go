package plain

import (
	"context"
	"sync"
	"time"

	"github.com/go-json-experiment/json/jsontext"
	"go.lsp.dev/protocol"

	"github.com/copilot-bridge/copilot-bridge/bridge"
	"github.com/copilot-bridge/copilot-bridge/internal/escape"
)

// progress reports each turn under one work-done token: one that the client gave with the prompt, else one created
// here. What has begun is ended, always.
type progress struct {
	p *Tier

	mu     sync.Mutex
	turns  map[string]*report // those that wait for their start with a token, that run, or that ended lately
	over   []string           // those that ended, the oldest first
	closed bool
}

// The messages are encoded here, because a token is passed on as the client wrote it.
type (
	progressToken struct {
		Token jsontext.Value `json:"token"`
	}
	progressValue struct {
		Token jsontext.Value `json:"token"`
		Value jsontext.Value `json:"value"`
	}
)

// report is the progress of one turn. Guarded by progress.mu.
type report struct {
	session, turn string
	started       bool
	end           *string        // how the turn ended, nil before
	token         jsontext.Value // nil until it is clear which
	creating      bool           // window/workDoneProgress/create is under way
	begun, ended  bool           // what was sent under the token
	message       string         // what is to be shown
	shown         string         // what is
	last          time.Time      // when it was sent
	stop          func()         // the timer of a message that waits, nil if none does
}

func newProgress(p *Tier) *progress { return &progress{p: p, turns: map[string]*report{}} }

// of is the report of a turn. Caller holds mu.
func (g *progress) of(turn string) *report {
	r := g.turns[turn]
	if r == nil {
		r = &report{turn: turn}
		g.turns[turn] = r
	}
	return r
}

func (g *progress) close() {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.closed = true
	for _, r := range g.turns {
		g.finish(r, "the bridge ends")
	}
}

// started begins the progress of a turn, if it is to be seen by anybody.
func (g *progress) started(session, turn string) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.closed {
		return
	}
	r := g.of(turn)
	r.session, r.started = session, true
	if r.token == nil && !r.creating && !g.p.Client.Rich(Updates) && g.p.Client.Can().Progress {
		r.creating = true
		g.p.Client.Go(func() { g.create(r) })
	}
	g.show(r)
}

// create has the editor make a token and begins once it has agreed.
func (g *progress) create(r *report) {
	token := tokenOf(r.turn)
	ctx, cancel := context.WithTimeout(g.p.Life, CallLimit)
	defer cancel()
	params, err := marshal(progressToken{token})
	if err == nil {
		err = g.p.Client.Call(ctx, protocol.MethodWindowWorkDoneProgressCreate, params, nil)
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	r.creating = false
	switch {
	case r.token != nil: // the client's own token has come meanwhile
	case err != nil:
		g.p.Log.Debug().Err(err).Msg("no progress for this turn")
	default:
		r.token = token
		g.show(r)
	}
}

// tokenOf is the token of a turn that the client gave none.
func tokenOf(turn string) jsontext.Value {
	raw, _ := jsontext.AppendQuote(nil, "copilot-bridge/"+turn)
	return raw
}

// show sends the beginning and the end of a turn, as far as they have come and were not sent. Caller holds mu.
func (g *progress) show(r *report) {
	if r.token == nil || !r.started && r.end == nil {
		return
	}
	if !r.begun {
		yes := true
		r.begun, r.shown, r.last = true, r.message, g.p.Clock.Now()
		g.send(r, &protocol.WorkDoneProgressBegin{Kind: "begin", Title: "Copilot", Cancellable: &yes, Message: optional(r.message)})
	}
	if r.end != nil && !r.ended {
		r.ended = true
		g.send(r, &protocol.WorkDoneProgressEnd{Kind: "end", Message: optional(*r.end)})
	}
}

// useToken reports a turn under the client's token instead of one of ours.
func (g *progress) useToken(turn string, token jsontext.Value) {
	g.mu.Lock()
	defer g.mu.Unlock()
	r := g.of(turn)
	if r.begun && !r.ended { // ours was quicker
		g.send(r, &protocol.WorkDoneProgressEnd{Kind: "end"})
	}
	r.token, r.begun, r.ended = token.Clone(), false, false
	g.show(r)
}

// ended ends the progress of a turn, also of one that was taken out of the queue.
func (g *progress) ended(turn, how string) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.finish(g.of(turn), how)
	if g.over = append(g.over, turn); len(g.over) > maxTokens {
		delete(g.turns, g.over[0])
		g.over = g.over[1:]
	}
}

// finish sends the end, or leaves it to create. Caller holds mu.
func (g *progress) finish(r *report, how string) {
	if r.end != nil {
		return
	}
	if r.stop != nil {
		r.stop()
		r.stop = nil
	}
	r.end = &how
	g.show(r)
}

// status shows that the turn waits for the user, and that it no longer does.
func (g *progress) status(e *bridge.StatusChanged) {
	switch e.Kind {
	case bridge.StatusWaiting:
		g.tell(e.Session, "waiting for you: "+oneLine(e.Message))
	case bridge.StatusBusy:
		g.tell(e.Session, g.p.calls.running(e.Session))
	}
}

// tell changes the message of the session's turn; it is sent now or when its time has come.
func (g *progress) tell(session, message string) {
	g.mu.Lock()
	defer g.mu.Unlock()
	for _, r := range g.turns {
		if r.session != session || r.end != nil {
			continue
		}
		r.message = escape.Clip(message, MaxTitle)
		g.report(r)
	}
}

// report sends the message, not sooner than reportEvery after the last one. Caller holds mu.
func (g *progress) report(r *report) {
	if !r.begun || r.message == r.shown || r.stop != nil || r.end != nil {
		return
	}
	now := g.p.Clock.Now()
	if wait := reportEvery - now.Sub(r.last); wait > 0 {
		r.stop = g.p.Clock.After(wait, func() {
			g.mu.Lock()
			defer g.mu.Unlock()
			r.stop = nil
			g.report(r)
		})
		return
	}
	r.shown, r.last = r.message, now
	g.send(r, &protocol.WorkDoneProgressReport{Kind: "report", Message: &r.shown})
}

// send sends one progress value. Caller holds mu, which keeps them in order.
func (g *progress) send(r *report, value any) {
	raw, err := protocol.Marshal(value)
	if err == nil {
		raw, err = marshal(progressValue{r.token, raw})
	}
	if err != nil {
		g.p.Log.Error().Err(err).Msg("encode progress")
		return
	}
	g.p.Client.Notify(protocol.MethodProgress, jsontext.Value(raw))
}

// TurnOf is the turn that reports under a token of progress.
func (p *Tier) TurnOf(token jsontext.Value) (session, turn string, ok bool) {
	g := p.progress
	g.mu.Lock()
	defer g.mu.Unlock()
	for _, r := range g.turns {
		if r.begun && !r.ended && string(r.token) == string(token) {
			return r.session, r.turn, true
		}
	}
	return "", "", false
}
