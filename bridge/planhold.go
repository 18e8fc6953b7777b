package bridge

import (
	"context"
	"slices"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/copilot-bridge/copilot-bridge/acp"
	"github.com/copilot-bridge/copilot-bridge/bridge/store"
)

// planHold keeps a session in plan mode until the user leaves it. An agent that says that it has left plan mode, in an
// update, in the answer to another request, or in a session that is loaded again, changes nothing here: edits and commands
// stay refused, and the editor goes on being told that the session is in plan mode, because it is. Only step touches it.
type planHold struct {
	mode    acp.SessionModeID // the plan mode that holds, "" for none
	leaving int               // choices of the user's to leave it that the agent has not answered yet
	denied  bool              // the agent said it had left, and the user was told
}

// The inputs of step that change a hold beside what the agent reports.
type (
	holdIn   struct{ mode acp.SessionModeID } // the session was in plan mode when it was last seen
	leaveIn  struct{}                         // the user sets another mode; the agent is told next
	chosenIn struct {                         // and has answered
		mode acp.SessionModeID
		ok   bool
	}
)

// held is the mode that counts where the agent reports one: its own, or plan mode while that holds. Plan mode holds as
// soon as the agent is in it: that is never less than the user wants.
func (s *state) held(reported acp.SessionModeID) acp.SessionModeID {
	h := &s.plan
	switch {
	case isPlan(reported):
		if h.mode == "" {
			*h = planHold{mode: reported, leaving: h.leaving}
		}
		return reported
	case h.mode == "" || h.leaving > 0:
		return reported
	}
	return h.mode
}

// heldModes is [state.held] for a whole answer. m is left as it is.
func (s *state) heldModes(m *acp.SessionModeState) *acp.SessionModeState {
	if m == nil {
		return nil
	}
	held := *m
	held.CurrentModeID = s.held(m.CurrentModeID)
	return &held
}

// heldOptions is [state.held] for the option that stands for the mode. options are left as they are.
func (s *state) heldOptions(options []acp.SessionConfigOption) []acp.SessionConfigOption {
	out := slices.Clone(options)
	for i, o := range out {
		sel, ok := o.Variant.(*acp.SessionConfigSelect)
		if !ok || !isModeOption(o) {
			continue
		}
		now := *sel
		now.CurrentValue = acp.SessionConfigValueID(s.held(acp.SessionModeID(sel.CurrentValue)))
		out[i].Variant = &now
	}
	return out
}

// contradicted tells the user, once a hold, that the agent takes plan mode for over.
func (s *state) contradicted(reported acp.SessionModeID) []effect {
	if s.held(reported) == reported || s.plan.denied {
		return nil
	}
	s.plan.denied = true
	return []effect{emit{&SessionChanged{Session: s.id, Event: &Happening{Type: "plan_mode",
		Message: "the agent says that it has left plan mode, and nobody left it here: nothing is changed and nothing is run until you leave plan mode"}}}}
}

// hold takes in what the user, and not the agent, has to say of the mode.
func (s *state) hold(in any) []effect {
	h := &s.plan
	switch in := in.(type) {
	case holdIn:
		if h.mode == "" {
			*h = planHold{mode: in.mode, leaving: h.leaving}
		}
	case leaveIn:
		h.leaving++
	case chosenIn:
		switch {
		case isPlan(in.mode):
			if in.ok {
				*h = planHold{mode: in.mode, leaving: h.leaving}
			}
			return nil
		case in.ok:
			*h = planHold{leaving: h.leaving - 1}
			return nil
		}
		h.leaving--
		if h.mode != "" && s.modes != nil && s.modes.CurrentModeID != s.held(s.modes.CurrentModeID) { // the agent said so before it refused
			s.modes, s.options = s.heldModes(s.modes), s.heldOptions(s.options)
			return []effect{emit{&SessionChanged{Session: s.id, Modes: s.modes, Options: s.options}}}
		}
	}
	return nil
}

// planMode says whether nothing may be changed or run. Copilot's plan mode does not stop MCP tools, so the bridge refuses.
func (s *state) planMode() bool {
	return s.plan.mode != "" || s.modes != nil && isPlan(s.modes.CurrentModeID)
}

// showHeld is an update as the editor gets it: with the mode that holds.
func (s *state) showHeld(params jsontext.Value, u acp.SessionUpdate) jsontext.Value {
	update := acp.Member(params, "update")
	switch u := u.(type) {
	case *acp.CurrentModeUpdate:
		if held := s.held(u.CurrentModeID); held != u.CurrentModeID {
			return acp.SetMember(params, "update", acp.SetMember(update, "currentModeId", acp.Quote(string(held))))
		}
	case *acp.ConfigOptionUpdate:
		return acp.SetMember(params, "update", rawOptions(update, s.held))
	}
	return params
}

// rawOptions is obj, which has configOptions, with the mode in them that held says. All else stays as it came.
func rawOptions(obj jsontext.Value, held func(acp.SessionModeID) acp.SessionModeID) jsontext.Value {
	var list []jsontext.Value
	if raw := acp.Member(obj, "configOptions"); raw == nil || acp.Unmarshal(raw, &list) != nil {
		return obj
	}
	changed := false
	for i, raw := range list {
		var o acp.SessionConfigOption
		if acp.Unmarshal(raw, &o) != nil || !isModeOption(o) {
			continue
		}
		now, ok := acp.StringOf(acp.Member(raw, "currentValue"))
		if to := held(acp.SessionModeID(now)); ok && string(to) != now {
			list[i], changed = acp.SetMember(raw, "currentValue", acp.Quote(string(to))), true
		}
	}
	if !changed {
		return obj
	}
	out, err := acp.Marshal(list)
	if err != nil {
		return obj
	}
	return acp.SetMember(obj, "configOptions", out)
}

// answerHeld is an answer of the agent's that tells modes or options, as the editor gets it. What it says has been taken
// in by the session.
func (s *Session) answerHeld(raw jsontext.Value) jsontext.Value {
	s.mu.Lock()
	mode := s.holds
	s.mu.Unlock()
	if mode == "" {
		return raw
	}
	held := func(now acp.SessionModeID) acp.SessionModeID {
		if isPlan(now) {
			return now
		}
		return mode
	}
	if modes := acp.Member(raw, "modes"); modes != nil {
		if now, ok := acp.StringOf(acp.Member(modes, "currentModeId")); ok {
			raw = acp.SetMember(raw, "modes", acp.SetMember(modes, "currentModeId", acp.Quote(string(held(acp.SessionModeID(now))))))
		}
	}
	return rawOptions(raw, held)
}

// chooses notes what the user sets, before the agent is told of it. The caller says afterwards whether the agent has taken
// it: until then plan mode holds, and so it does where it has not.
func (s *Session) chooses(option acp.SessionConfigID, value any) (done func(ok bool)) {
	undo := s.everything.chose(option, value)
	text, _ := value.(string)
	mode := acp.SessionModeID(text)
	isMode := option == "mode" || slices.ContainsFunc(s.Snapshot().Options, func(o acp.SessionConfigOption) bool { return o.ID == option && isModeOption(o) })
	if isMode && !isPlan(mode) {
		s.in.put(leaveIn{})
	}
	return func(ok bool) {
		if !ok {
			undo()
		}
		if isMode {
			s.in.put(chosenIn{mode, ok})
		}
	}
}

// isModeOption says whether an option is another spelling of the mode (ACP v1: options supersede modes).
func isModeOption(o acp.SessionConfigOption) bool {
	return o.ID == "mode" || o.Category != nil && *o.Category == "mode"
}

// optionsContradict is [state.contradicted] for options as the agent reports them.
func (s *state) optionsContradict(options []acp.SessionConfigOption) []effect {
	for _, o := range options {
		if sel, ok := o.Variant.(*acp.SessionConfigSelect); ok && isModeOption(o) {
			return s.contradicted(acp.SessionModeID(sel.CurrentValue))
		}
	}
	return nil
}

// planAgain puts the agent back into the plan mode that holds, for a session that it has loaded in another mode. Where it
// cannot, the hold is enough.
func (s *Session) planAgain(ctx context.Context, l *link, modes *acp.SessionModeState, options []acp.SessionConfigOption) setIn {
	s.settled(ctx) // what was remembered of the session holds by now
	s.mu.Lock()
	mode := s.holds
	s.mu.Unlock()
	if mode == "" {
		return setIn{modes, options}
	}
	return s.putBack(ctx, l, s.remoteID(), &store.Meta{Mode: string(mode)}, modes, options)
}
