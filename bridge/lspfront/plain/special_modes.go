package plain

import (
	"slices"

	"go.lsp.dev/protocol"

	"github.com/copilot-bridge/copilot-bridge/bridge"
)

// InfoAfter is a session as it is after a change; false if it is not live any more. The event may be older than the session
// by now, and newer than its snapshot.
func InfoAfter(b *bridge.Bridge, e *bridge.SessionChanged) (bridge.Info, bool) {
	sess, err := b.Session(e.Session)
	if err != nil {
		return bridge.Info{}, false
	}
	now := sess.Snapshot()
	if e.Modes != nil {
		now.Modes = e.Modes
	}
	if e.Options != nil {
		now.Options = e.Options
	}
	return now, true
}

// stands tells the user what a session has on, when that has changed. It is told again in the session's next process.
func (p *Tier) stands(e *bridge.SessionChanged) {
	if e.Modes == nil && e.Options == nil {
		return
	}
	b, err := p.Client.Bridge()
	if err != nil {
		return
	}
	now, ok := InfoAfter(b, e)
	if !ok {
		return
	}
	var names []string
	list := now.SpecialModes()
	for _, st := range list {
		names = append(names, st.Name)
	}
	p.mu.Lock()
	was := p.special[e.Session]
	p.special[e.Session] = names
	p.mu.Unlock()
	if p.Client.Rich(Updates) {
		return
	}
	for _, st := range list {
		if !slices.Contains(was, st.Name) {
			p.Message(protocol.MessageTypeWarning, "Copilot: "+st.Sentence()+" (copilot-bridge.leave leaves it)")
		}
	}
	for _, name := range was {
		if !slices.Contains(names, name) {
			p.Message(protocol.MessageTypeInfo, "Copilot: "+name+" is off")
		}
	}
}
