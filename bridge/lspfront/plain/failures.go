package plain

import (
	"go.lsp.dev/protocol"

	"github.com/copilot-bridge/copilot-bridge/bridge"
)

// failures shows what went wrong, each thing once.
type failures struct {
	p         *Tier
	signedOut bool   // said since the last turn began
	last      string // of the last turn that failed
	lost      bool   // it failed because the agent has ended
}

func newFailures(p *Tier) *failures { return &failures{p: p} }

// started says that what is said from now on is about another turn.
func (f *failures) started() { f.signedOut, f.last, f.lost = false, "", false }

// turn says why a turn failed. It runs on the goroutine that shows events, as does status.
func (f *failures) turn(e *bridge.TurnEnded) {
	if e.Err == nil {
		return
	}
	f.last, f.lost = e.Err.Error(), e.Lost
	if e.Err.Code == bridge.CodeNotSignedIn && f.signedOut || f.p.Client.Rich(Updates) {
		return
	}
	f.signedOut = e.Err.Code == bridge.CodeNotSignedIn
	if e.Lost {
		return // told with the offer to send the prompt again
	}
	f.p.Message(protocol.MessageTypeError, "Copilot: "+f.last)
}

// status says that the user has to sign in, and what went wrong outside of turns.
func (f *failures) status(e *bridge.StatusChanged) {
	plain := !f.p.Client.Rich(Status)
	switch e.Kind {
	case bridge.StatusSignedOut:
		if plain && !f.signedOut {
			f.p.Message(protocol.MessageTypeWarning, e.Message)
		}
		f.signedOut = true
	case bridge.StatusError:
		if plain && f.isNews(e, len(f.p.Running()) > 0) {
			f.p.Message(protocol.MessageTypeError, e.Message)
		}
	}
}

// isNews says whether an error is not told otherwise. Of an agent that ends in a turn the end of that turn tells, whichever
// of the two comes first.
func (f *failures) isNews(e *bridge.StatusChanged, running bool) bool {
	return e.Message != f.last && (e.Session != "" || !running && !(e.Gone && f.lost))
}

// endWord says how a turn ended, in a word or two.
func endWord(e *bridge.TurnEnded) string {
	switch {
	case e.Err != nil:
		return "failed"
	case e.StopReason == "end_turn":
		return "done"
	}
	return string(e.StopReason)
}
