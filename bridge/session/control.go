package session

import (
	"context"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/copilot-bridge/copilot-bridge/acp"
	"github.com/copilot-bridge/copilot-bridge/bridge/agents"
	"github.com/copilot-bridge/copilot-bridge/bridge/permission"
	"github.com/copilot-bridge/copilot-bridge/terminalproxy"
)

// SetMode switches the agent's mode for a session, as the agent names its modes.
func (all *Set) SetMode(ctx context.Context, session, mode string) error {
	s, err := all.Session(session)
	if err != nil {
		return err
	}
	a, err := s.attach(ctx)
	if err != nil {
		return err
	}
	if _, err = s.set(ctx, a, acp.MethodSessionSetMode, &acp.SetSessionModeRequest{SessionID: s.remoteID(), ModeID: acp.SessionModeID(mode)}, permission.TheMode, mode); err != nil {
		return &Error{Code: CodeInvalidParams, Message: "set the mode " + mode + ": " + err.Error(), Hint: "use an id of the session's modes", Err: err}
	}
	return nil
}

// SetOption sets one of the session's options and returns them all. value is a string, or a bool for one that is on or
// off.
func (all *Set) SetOption(ctx context.Context, session, option string, value any) ([]acp.SessionConfigOption, error) {
	s, err := all.Session(session)
	if err != nil {
		return nil, err
	}
	a, err := s.attach(ctx)
	if err != nil {
		return nil, err
	}
	req := &acp.SetSessionConfigOptionRequest{SessionID: s.remoteID(), ConfigID: acp.SessionConfigID(option)}
	switch v := value.(type) {
	case string:
		req.Value = acp.SessionConfigValueID(v)
	case bool:
		req.Value = acp.SessionConfigValueBoolean(v)
	default:
		return nil, &Error{Code: CodeInvalidParams, Message: "an option's value is a string or a boolean", Hint: "see the session's configOptions"}
	}
	if _, err = s.set(ctx, a, acp.MethodSessionSetConfigOption, req, req.ConfigID, value); err != nil {
		return nil, &Error{Code: CodeInvalidParams, Message: "set the option " + option + ": " + err.Error(), Hint: "use an id and a value of the session's configOptions", Err: err}
	}
	return s.Snapshot().Options, nil
}

// SetWith is SetMode or SetOption with the params of an editor that speaks ACP. It returns the agent's answer as it came,
// but for the mode that holds.
func (all *Set) SetWith(ctx context.Context, method string, params jsontext.Value) (jsontext.Value, error) {
	id, _ := acp.StringOf(acp.Member(params, "sessionId"))
	s := all.Alias(id)
	if s == nil {
		return all.CallAgent(ctx, method, params)
	}
	option, value := string(permission.TheMode), acp.Member(params, "modeId")
	if method == acp.MethodSessionSetConfigOption {
		option, _ = acp.StringOf(acp.Member(params, "configId"))
		value = acp.Member(params, "value")
	}
	var chosen any = string(value) == "true"
	if text, ok := acp.StringOf(value); ok {
		chosen = text
	}
	a, err := s.process(ctx)
	if err != nil {
		return nil, err
	}
	raw, err := s.set(ctx, a, method, s.routing.Inward(params), acp.SessionConfigID(option), chosen)
	if err != nil {
		return nil, all.refused(a, err)
	}
	return s.gate.Answer(raw), nil
}

// set has the agent set a mode or an option, and notes what the user has chosen: plan mode, and a yes to everything, hold
// here too. What the agent answers is taken in when it returns.
func (s *Session) set(ctx context.Context, a *agents.Process, method string, params any, option acp.SessionConfigID, value any) (jsontext.Value, error) {
	done := s.chooses(option, value)
	raw, err := acp.Call[jsontext.Value](ctx, a.Agent, method, params)
	if err != nil {
		done(false)
		return nil, err
	}
	if method == acp.MethodSessionSetMode {
		mode, _ := value.(string)
		s.learns(&acp.CurrentModeUpdate{CurrentModeID: acp.SessionModeID(mode)})
	} else {
		var resp acp.SetSessionConfigOptionResponse
		if acp.Unmarshal(*raw, &resp) == nil {
			s.learns(&acp.ConfigOptionUpdate{ConfigOptions: resp.ConfigOptions})
		}
	}
	done(true)
	s.settled()
	s.conversation.Sync() // plan mode outlives whatever comes now
	return *raw, nil
}

// learns has the session take in what the agent has said in an answer, as if it had sent an update. An editor that speaks
// ACP has the answer.
func (s *Session) learns(u acp.SessionUpdate) {
	if m := acp.NewUpdate(s.remoteID(), u); s.all.cfg.SpeaksACP {
		s.in.put(messageIn{msg: m, shown: true})
	} else {
		s.arrived(m)
	}
}

// Terminals lists the commands of a session, of all sessions for "".
func (all *Set) Terminals(session string) []terminalproxy.Info {
	return all.cfg.Runner.List(session)
}

// KillTerminal ends a command.
func (all *Set) KillTerminal(ctx context.Context, id string) error {
	for _, i := range all.cfg.Runner.List("") {
		if i.ID != id {
			continue
		}
		t, err := all.cfg.Runner.Get(i.Session, id)
		if err != nil {
			return &Error{Code: CodeInvalidParams, Message: err.Error(), Err: err}
		}
		return t.Kill(ctx)
	}
	return &Error{Code: CodeInvalidParams, Message: "there is no terminal " + id, Hint: "list the terminals"}
}
