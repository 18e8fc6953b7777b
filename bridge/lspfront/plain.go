package lspfront

import (
	"context"
	"sync"
	"sync/atomic"

	"github.com/go-json-experiment/json/jsontext"
	"go.lsp.dev/protocol"

	"github.com/copilot-bridge/copilot-bridge/bridge"
	"github.com/copilot-bridge/copilot-bridge/bridge/review"
)

// plainTier shows what the agent does, and asks, with what every LSP client has: diagnostics, code actions, hover,
// progress, messages, and files to read. Each part acts only while its concern is plain, but all of them follow what
// happens, so that a concern can come back at any time.
type plainTier struct {
	s           *Server
	clock       clock
	diagnostics *diagnostics
	progress    *progress
	transcripts *transcripts
	questions   *questions
	failures    *failures
	focus       selections
	lenses      atomic.Int32 // refreshes of the code lenses that are wanted

	opening sync.Mutex // held while a session is chosen or made
	undoing sync.Mutex // held while something is undone

	mu       sync.Mutex
	sessions []string // used here, the one used last at the end
	turns    []runningTurn
	next     string              // the hunk nextHunk showed last
	standing map[string][]string // what is on, by session
}

// runningTurn is a turn that has started and not ended.
type runningTurn struct{ session, turn string }

func newPlainTier(s *Server) *plainTier {
	p := &plainTier{s: s, clock: s.o.clock, standing: map[string][]string{}}
	if p.clock == nil {
		p.clock = systemClock{}
	}
	p.diagnostics = newDiagnostics(p)
	p.progress = newProgress(p)
	p.transcripts = newTranscripts(p)
	p.questions = newQuestions(p)
	p.failures = newFailures(p)
	return p
}

// close stops all timers and writes what is still to be written. No event comes afterwards.
func (p *plainTier) close() {
	p.diagnostics.close()
	p.progress.close()
	p.transcripts.close()
}

// show takes one event in, on the goroutine that shows them all, in order.
func (p *plainTier) show(_ context.Context, ev bridge.Event) {
	switch e := ev.(type) {
	case *bridge.TurnStarted:
		p.started(e.Session, e.Turn)
		p.failures.started()
		p.transcripts.prompt(e)
		p.diagnostics.turnStarted(e.Session)
		p.progress.started(e.Session, e.Turn)
	case *bridge.Update:
		p.transcripts.update(e)
		if !e.Replay {
			p.progress.update(e)
			p.diagnostics.update(e)
		}
	case *bridge.TerminalOutput:
		p.transcripts.output(e)
	case *bridge.TurnEnded:
		began := p.ended(e.Turn)
		p.progress.ended(e.Turn, endWord(e))
		p.diagnostics.turnEnded(e)
		if began { // else it was taken out of the queue
			p.transcripts.ended(e)
		}
		p.failures.turn(e)
	case *bridge.ReviewChanged:
		p.diagnostics.touch(e.Path)
	case *bridge.StatusChanged:
		p.progress.status(e)
		p.failures.status(e)
	case *bridge.SessionChanged:
		p.stands(e)
		if e.Event != nil {
			p.happened(e.Session, e.Event)
		}
	}
}

// happened shows what befell a session beside its turns.
func (p *plainTier) happened(session string, h *bridge.Happening) {
	p.transcripts.note(session, h.Message)
	switch h.Type {
	case "conflict":
		p.diagnostics.conflict(session, h)
	case "turn_interrupted":
		p.offerLost(session, h)
	case "agent_kind":
		if !p.s.tiers.rich(concernUpdates) {
			p.s.message(protocol.MessageTypeInfo, h.Message)
		}
	case "history_lost", "tools_lost", "not_saved", "unasked_change", "allow_all", "plan_mode":
		if !p.s.tiers.rich(concernUpdates) {
			p.s.message(protocol.MessageTypeWarning, h.Message)
		}
	}
}

func (p *plainTier) started(session, turn string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.turns = append(p.turns, runningTurn{session, turn})
}

// ended takes a turn out of those that run; false if it did not.
func (p *plainTier) ended(turn string) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	before := len(p.turns)
	rest := p.turns[:0]
	for _, t := range p.turns {
		if t.turn != turn {
			rest = append(rest, t)
		}
	}
	p.turns = rest
	return len(rest) < before
}

// running are the turns under way, oldest first.
func (p *plainTier) running() []runningTurn {
	p.mu.Lock()
	defer p.mu.Unlock()
	return append([]runningTurn(nil), p.turns...)
}

// setSession makes a session the one that commands without a session mean.
func (p *plainTier) setSession(id string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.drop(id)
	p.sessions = append(p.sessions, id)
}

// forgetSession takes a closed session out.
func (p *plainTier) forgetSession(id string) {
	p.mu.Lock()
	p.drop(id)
	p.mu.Unlock()
	p.diagnostics.sessionClosed(id)
	p.transcripts.forget(id)
}

// drop takes a session out of the list. Caller holds mu.
func (p *plainTier) drop(id string) {
	for i, s := range p.sessions {
		if s == id {
			p.sessions = append(p.sessions[:i], p.sessions[i+1:]...)
			return
		}
	}
}

// session is the session that commands without one mean, "" if there is none.
func (p *plainTier) session() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	if n := len(p.sessions); n > 0 {
		return p.sessions[n-1]
	}
	return ""
}

// opened says that the editor has opened a file: what is pending in it is published under the editor's own URI.
func (p *plainTier) opened(path string) { p.diagnostics.touch(path) }

// useToken has a turn's progress reported under a token of the client's.
func (p *plainTier) useToken(turn string, token jsontext.Value) { p.progress.useToken(turn, token) }

// took shows in plain LSP what is pending of a concern that the plugin failed at.
func (p *plainTier) took(c concern) {
	switch c {
	case concernReview:
		b, err := p.s.bridge()
		if err != nil {
			return
		}
		for _, f := range b.Review(p.s.life, review.Filter{}) {
			p.diagnostics.touch(f.Path)
		}
	case concernUpdates:
		for _, t := range p.running() {
			p.progress.started(t.session, t.turn)
		}
		p.diagnostics.touchAll()
	case concernPermission:
		p.diagnostics.touchAll()
	}
}
