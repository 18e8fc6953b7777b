package session

import (
	"context"

	"github.com/go-json-experiment/json"

	"github.com/copilot-bridge/copilot-bridge/acp"
	"github.com/copilot-bridge/copilot-bridge/bridge/agents"
	"github.com/copilot-bridge/copilot-bridge/bridge/permission"
	"github.com/copilot-bridge/copilot-bridge/bridge/store"
)

// beginRestore begins the restoring of a session: the modes and options it had, and whether its history was shown before.
// What the agent reports until the caller says that it is over is what it fell back to, not what the user chose.
func (s *Session) beginRestore() (want *store.Meta, shown bool) {
	s.tell(restoringIn{true})
	now := s.snap.read()
	m := store.Meta{Options: permission.Chosen(now.Options)}
	if now.Modes != nil {
		m.Mode = string(now.Modes.CurrentModeID)
	}
	if saved, ok := s.conversation.Meta(); ok && now.Modes == nil && len(now.Options) == 0 {
		m = saved
	}
	if now.offer().IsPlan(acp.SessionModeID(m.Mode)) {
		s.in.put(holdIn{acp.SessionModeID(m.Mode)})
	}
	return &m, !now.elsewhere
}

// putBack sets the modes and options that are wanted and differ: an agent that was killed has its defaults again. What
// the agent no longer offers stays as it is.
func (s *Session) putBack(ctx context.Context, a *agents.Process, remote acp.SessionID, want *store.Meta, modes *acp.SessionModeState, options []acp.SessionConfigOption) setIn {
	if want == nil {
		return setIn{modes, options}
	}
	if permission.IsAutopilot(acp.SessionModeID(want.Mode)) && !s.autopilot() { // as with allow_all: a yes to everything is for the session it was given in
		want.Mode = ""
		s.all.cfg.Out.Push(&SessionChanged{Session: s.ID, Event: &Happening{Type: "allow_all", Message: "this session was in autopilot; it asks again until you turn autopilot on again"}})
	}
	if modes != nil && want.Mode != "" && want.Mode != string(modes.CurrentModeID) && (permission.Offer{Modes: modes}).Has(acp.SessionModeID(want.Mode)) {
		id := acp.SessionModeID(want.Mode)
		if err := setMode(ctx, a, remote, id); err != nil {
			s.log.Warn().Err(err).Str("mode", want.Mode).Msg("the mode is not what it was")
		} else {
			m := *modes
			m.CurrentModeID = id
			modes = &m
		}
	}
	for id, now := range permission.Chosen(options) {
		raw, ok := want.Options[id]
		if !ok || string(raw) == string(now) || modes != nil && id == "mode" {
			continue
		}
		req := &acp.SetSessionConfigOptionRequest{SessionID: remote, ConfigID: acp.SessionConfigID(id)}
		var v any
		if json.Unmarshal(raw, &v) != nil {
			continue
		}
		switch v := v.(type) {
		case string:
			if permission.IsAutopilot(acp.SessionModeID(v)) && !s.autopilot() {
				continue
			}
			req.Value = acp.SessionConfigValueID(v)
		case bool:
			req.Value = acp.SessionConfigValueBoolean(v)
		default:
			continue
		}
		resp, err := acp.Call[acp.SetSessionConfigOptionResponse](ctx, a.Agent, acp.MethodSessionSetConfigOption, req)
		if err != nil {
			s.log.Warn().Err(err).Str("option", id).Msg("the option is not what it was")
			continue
		}
		options = resp.ConfigOptions
	}
	return setIn{modes, options}
}

// tighten switches off what a loaded session has on and nobody switched on here since: an agent may keep allow_all and
// autopilot with the session.
func (s *Session) tighten(ctx context.Context, a *agents.Process, remote acp.SessionID, modes *acp.SessionModeState, options []acp.SessionConfigOption) (*acp.SessionModeState, []acp.SessionConfigOption) {
	allowAll, autopilot := s.gate.Freed()
	for _, st := range (permission.Offer{Modes: modes, Options: options}).SpecialModes() {
		var err error
		switch {
		case st.Option != "" && !allowAll:
			req := &acp.SetSessionConfigOptionRequest{SessionID: remote, ConfigID: acp.SessionConfigID(st.Option)}
			if text, ok := st.Value.(string); ok {
				req.Value = acp.SessionConfigValueID(text)
			} else {
				req.Value = acp.SessionConfigValueBoolean(false)
			}
			var resp *acp.SetSessionConfigOptionResponse
			if resp, err = acp.Call[acp.SetSessionConfigOptionResponse](ctx, a.Agent, acp.MethodSessionSetConfigOption, req); err == nil {
				options = resp.ConfigOptions
			}
		case st.Mode != "" && permission.IsAutopilot(modes.CurrentModeID) && !autopilot:
			if err = setMode(ctx, a, remote, acp.SessionModeID(st.Mode)); err == nil {
				m := *modes
				m.CurrentModeID = acp.SessionModeID(st.Mode)
				modes = &m
			}
		default:
			continue
		}
		text := st.Name + " was on in this session; it is off until you turn it on again"
		if err != nil {
			text = st.Name + " was on in this session and could not be switched off (" + err.Error() + "); the editor tools ask all the same"
		}
		s.all.cfg.Out.Push(&SessionChanged{Session: s.ID, Event: &Happening{Type: "allow_all", Message: text}})
	}
	return modes, options
}

// autopilot says whether the user has switched autopilot on here.
func (s *Session) autopilot() bool {
	_, on := s.gate.Freed()
	return on
}

func setMode(ctx context.Context, a *agents.Process, remote acp.SessionID, mode acp.SessionModeID) error {
	_, err := acp.Call[acp.SetSessionModeResponse](ctx, a.Agent, acp.MethodSessionSetMode, &acp.SetSessionModeRequest{SessionID: remote, ModeID: mode})
	return err
}

// carried is what the next prompt begins with, "" where the agent knows what was said.
func (s *Session) carried() string {
	text, err := s.conversation.Carried()
	if err != nil {
		s.log.Warn().Err(err).Msg("what was said in the session cannot be read")
	}
	return text
}
