package session

import (
	"context"

	"github.com/copilot-bridge/copilot-bridge/acp"
	"github.com/copilot-bridge/copilot-bridge/bridge/agents"
	"github.com/copilot-bridge/copilot-bridge/bridge/permission"
	"github.com/copilot-bridge/copilot-bridge/bridge/store"
)

// The inputs of step that change a [permission.PlanHold] beside what the agent reports.
type (
	holdIn   struct{ mode acp.SessionModeID }        // the session was in plan mode when it was last seen
	choiceIn struct{ choice *permission.ModeChoice } // the user sets a mode; the agent is told next
	chosenIn struct {                                // and has answered
		choice *permission.ModeChoice
		ok     bool
	}
)

// contradicted tells the user, once a hold, that the agent takes plan mode for over.
func (s *state) contradicted(reported acp.SessionModeID) []effect {
	if !s.plan.Denied(reported) {
		return nil
	}
	return []effect{emit{&SessionChanged{Session: s.ID, Event: &Happening{Type: "plan_mode",
		Message: "the agent says that it has left plan mode, and nobody left it here: nothing is changed and nothing is run until you leave plan mode"}}}}
}

// optionsContradict is [state.contradicted] for options as the agent reports them.
func (s *state) optionsContradict(options []acp.SessionConfigOption) []effect {
	mode, ok := permission.ModeOf(options)
	if !ok {
		return nil
	}
	return s.contradicted(mode)
}

// hold takes in what the user, and not the agent, has to say of the mode.
func (s *state) hold(in any) []effect {
	s.moved = true
	switch in := in.(type) {
	case holdIn:
		s.plan.Restore(in.mode)
	case choiceIn:
		s.plan.Choose(in.choice)
	case chosenIn:
		still := s.plan.Answered(in.choice, in.ok)
		out := []effect{settingsKnown{}}
		if still && s.Modes != nil && s.Modes.CurrentModeID != s.plan.Mode(s.Modes.CurrentModeID) { // the agent said so before it refused
			s.Modes, s.Options = s.plan.Modes(s.Modes), s.plan.Options(s.Options)
			out = append(out, emit{&SessionChanged{Session: s.ID, Modes: s.Modes, Options: s.Options}})
		}
		return out
	}
	return nil
}

// chooses notes what the user sets, before the agent is told of it. The caller says afterwards whether the agent has taken
// it: until then plan mode holds, the one that is set too, and the one that is left also where the agent has not.
func (s *Session) chooses(option acp.SessionConfigID, value any) (done func(ok bool)) {
	choice, undo := s.gate.Chose(option, value)
	if choice != nil {
		s.in.put(choiceIn{choice})
		s.settled()
	}
	return func(ok bool) {
		if !ok {
			undo()
		}
		if choice != nil {
			s.in.put(chosenIn{choice, ok})
		}
	}
}

// planAgain puts the agent back into the plan mode that holds, for a session that it has loaded in another mode. Where it
// cannot, the hold is enough.
func (s *Session) planAgain(ctx context.Context, a *agents.Process, modes *acp.SessionModeState, options []acp.SessionConfigOption) setIn {
	s.settled() // what was remembered of the session holds by now
	mode := s.gate.HeldMode()
	if mode == "" {
		return setIn{modes, options}
	}
	return s.putBack(ctx, a, s.remoteID(), &store.Meta{Mode: string(mode)}, modes, options)
}
