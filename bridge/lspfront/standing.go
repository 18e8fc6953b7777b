package lspfront

import (
	"context"
	"slices"
	"strings"

	"go.lsp.dev/protocol"

	"github.com/copilot-bridge/copilot-bridge/bridge"
)

// standings are what is on in the session used last: plan mode, autopilot, allow_all.
func (s *Server) standings() []bridge.Standing {
	b, err := s.bridge()
	if err != nil {
		return nil
	}
	sess, err := b.Session(s.plain.session())
	if err != nil {
		return nil
	}
	return sess.Snapshot().Standings()
}

// stands tells the person what a session has on, when that has changed. It is told again in the session's next process.
func (p *plainTier) stands(e *bridge.SessionChanged) {
	if e.Modes == nil && e.Options == nil {
		return
	}
	b, err := p.s.bridge()
	if err != nil {
		return
	}
	sess, err := b.Session(e.Session)
	if err != nil {
		return
	}
	now := sess.Snapshot()
	if e.Modes != nil { // the event may be older than the session by now, and newer than what it shows
		now.Modes = e.Modes
	}
	if e.Options != nil {
		now.Options = e.Options
	}
	var names []string
	list := now.Standings()
	for _, st := range list {
		names = append(names, st.Name)
	}
	p.mu.Lock()
	was := p.standing[e.Session]
	p.standing[e.Session] = names
	p.mu.Unlock()
	if p.s.tiers.rich(concernUpdates) {
		return
	}
	for _, st := range list {
		if !slices.Contains(was, st.Name) {
			p.s.message(protocol.MessageTypeWarning, "Copilot: "+st.Sentence()+" (copilot-bridge.leave leaves it)")
		}
	}
	for _, name := range was {
		if !slices.Contains(names, name) {
			p.s.message(protocol.MessageTypeInfo, "Copilot: "+name+" is off")
		}
	}
}

// standing are the actions that leave what is on.
func (a *actionPlace) standing() (out []protocol.CodeAction) {
	if a.s.tiers.rich(concernUpdates) {
		return nil
	}
	for _, st := range a.s.standings() {
		out = append(out, a.s.action("leave", st.Leave, leaveParams{st.Name}))
	}
	return out
}

type leaveParams struct {
	Name string `json:"name,omitzero"`
}

// leave leaves plan mode, autopilot and allow_all, or the one that is named.
func leave(q *asked, p leaveParams) (any, error) {
	on := q.s.standings()
	var names []string
	for _, st := range on {
		names = append(names, st.Name)
	}
	switch {
	case len(on) == 0:
		return nil, invalid("nothing is on that could be left")
	case p.Name != "" && !slices.Contains(names, p.Name):
		return nil, invalid(p.Name + " is not on; what is on: " + strings.Join(names, ", "))
	}
	session := q.s.plain.session()
	q.s.behind("leave "+strings.Join(names, ", "), func(ctx context.Context) error {
		_, err := q.b.LeaveStanding(ctx, session, p.Name)
		return err
	})
	return sessionParams{session}, nil
}
