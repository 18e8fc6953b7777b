package lspfront

import (
	"context"
	"slices"
	"strings"

	"go.lsp.dev/protocol"

	"github.com/copilot-bridge/copilot-bridge/bridge"
	"github.com/copilot-bridge/copilot-bridge/bridge/lspfront/plain"
)

// specialModes are what is on in the session used last: plan mode, autopilot, allow_all.
func (s *server) specialModes() []bridge.SpecialMode {
	b, err := s.Bridge()
	if err != nil {
		return nil
	}
	sess, err := b.Session(s.user.session())
	if err != nil {
		return nil
	}
	return sess.Snapshot().SpecialModes()
}

// leaveSpecialModes are the actions that leave what is on.
func (a *actionPlace) leaveSpecialModes() (out []protocol.CodeAction) {
	if a.s.Rich(plain.Updates) {
		return nil
	}
	for _, st := range a.s.specialModes() {
		out = append(out, a.s.action("leave", st.Leave, leaveParams{st.Name}))
	}
	return out
}

type leaveParams struct {
	Name string `json:"name,omitzero"`
}

// leave leaves plan mode, autopilot and allow_all, or the one that is named.
func leave(q *asked, p leaveParams) (any, error) {
	on := q.s.specialModes()
	var names []string
	for _, st := range on {
		names = append(names, st.Name)
	}
	switch {
	case len(on) == 0:
		return nil, invalid("no mode is on that you could leave")
	case p.Name != "" && !slices.Contains(names, p.Name):
		return nil, invalid(p.Name + " is not on; what is on: " + strings.Join(names, ", "))
	}
	session := q.s.user.session()
	q.s.Behind("leave "+strings.Join(names, ", "), func(ctx context.Context) error {
		_, err := q.b.LeaveSpecialMode(ctx, session, p.Name)
		return err
	})
	return sessionParams{session}, nil
}
