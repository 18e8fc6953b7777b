package lspfront

import (
	"github.com/copilot-bridge/copilot-bridge/bridge"
	"github.com/copilot-bridge/copilot-bridge/bridge/lspfront/plain"
)

// relaxedMode is something that is on and because of which less is asked than usual.
type relaxedMode struct {
	Code    string    `json:"code" enum:"autopilot,allow_all,all_commands"`
	Label   string    `json:"label"`          // for a status line
	Message string    `json:"message"`        // one sentence for the user
	Leave   *leaveSet `json:"leave,omitzero"` // left out for all_commands, which is a rule in the user's settings
}

// leaveSet is what to set to leave it: a mode with session/setMode, or an option with session/setOption. Neither is there where
// the agent has no other mode.
type leaveSet struct {
	Mode   string `json:"mode,omitzero"`
	Option string `json:"option,omitzero"`
	Value  any    `json:"value,omitzero" as:"string | boolean"`
}

// codePlan is the special mode that is no relaxed mode: in plan mode less is done, not less asked.
const codePlan = "plan"

// relaxedModes are those of a session, with the rules as they are now. It is never nil: an empty list says that there are none.
func relaxedModes(b *bridge.Bridge, i bridge.Info) []relaxedMode {
	out := []relaxedMode{}
	for _, st := range i.SpecialModes() {
		if st.Code != codePlan {
			out = append(out, relaxedMode{st.Code, st.Working, st.Sentence(), &leaveSet{st.Mode, st.Option, st.Value}})
		}
	}
	if b.AllowsAllCommands() {
		out = append(out, relaxedMode{Code: "all_commands", Label: "all commands allowed", Message: "a rule in your settings allows every command: none is asked about"})
	}
	return out
}

// relaxedAfter are the relaxed modes after a change, nil if it cannot have changed them.
func (s *server) relaxedAfter(e *bridge.SessionChanged) []relaxedMode {
	if e.Modes == nil && e.Options == nil {
		return nil
	}
	b, err := s.Bridge()
	if err != nil {
		return nil
	}
	info, ok := plain.InfoAfter(b, e)
	if !ok {
		return nil
	}
	return relaxedModes(b, info)
}

// tellRelaxed tells the plugin the relaxed modes of all live sessions: the rules have changed.
func (s *server) tellRelaxed(b *bridge.Bridge) {
	if !s.Rich(plain.Updates) {
		return
	}
	for _, i := range b.Sessions() {
		if sess, err := b.Session(i.ID); err == nil {
			s.notifyRich(prefix+"session/didChange", sessionChanged{SessionID: i.ID, Relaxed: relaxedModes(b, sess.Snapshot())})
		}
	}
}
