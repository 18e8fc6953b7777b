package session

import (
	"context"
	"slices"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/copilot-bridge/copilot-bridge/acp"
	"github.com/copilot-bridge/copilot-bridge/bridge/agents"
)

// The ways in which a session is made known to an agent process: session/new, session/load and session/resume, and
// session/fork, of this bridge's own or as an editor says them.

// openParams are those of session/new for a session: the editor's where it speaks ACP.
func (s *Session) openParams(a *agents.Process) jsontext.Value {
	if s.params != nil {
		return s.params
	}
	params, err := acp.Marshal(&acp.NewSessionRequest{Cwd: s.Cwd, MCPServers: append([]acp.MCPServer{}, s.servers...) /* ACP v1: required even when empty */, AdditionalDirectories: s.extraDirs(a)})
	if err != nil {
		s.log.Error().Err(err).Msg("the params of a session") // strings; the agent refuses what has none
	}
	return params
}

// newAtAgent opens a new session of the agent, and returns what it answers, as it came too. An answer without an id is that
// of the caller to judge.
func (s *Session) newAtAgent(ctx context.Context, a *agents.Process, method string, params jsontext.Value) (*acp.NewSessionResponse, jsontext.Value, error) {
	a.ExpectTools()
	lost := s.routing.Editor() != "" // it takes the place of one that the agent has lost, and the editor does not know its id
	defer a.Opening(lost)()
	raw, err := a.Agent.Call(ctx, method, a.WithTools(params, s.ticket))
	if err != nil {
		return nil, nil, err
	}
	resp := new(acp.NewSessionResponse)
	if err := acp.Unmarshal(raw, resp); err != nil {
		return nil, raw, err
	}
	if resp.SessionID != "" {
		s.name(resp.SessionID)
	}
	return resp, raw, nil
}

// loadAtAgent has an agent process open a session that it knows, by session/load or session/resume. What it replays is not
// shown if mute says so.
func (s *Session) loadAtAgent(ctx context.Context, a *agents.Process, method string, params jsontext.Value, mute bool) (jsontext.Value, error) {
	a.ExpectTools()
	remote := s.remoteID()
	params = a.WithTools(params, s.ticket)
	if id := acp.Member(params, "sessionId"); !acp.SameText(id, string(remote)) {
		params = acp.SetMember(params, "sessionId", acp.Quote(string(remote)))
	}
	ctx, over := s.replaying(ctx, mute)
	defer over()
	a.Bind(remote, receiver{s})
	s.tell(loadingIn{a})
	defer s.in.put(loadingIn{})
	raw, err := a.Agent.Call(ctx, method, params)
	if err != nil {
		a.Unbind(remote)
	}
	return raw, err
}

// reopenAtAgent gives the session to an agent process that does not have it in memory: without a replay that nobody would be
// shown, where that is to be had.
func (s *Session) reopenAtAgent(ctx context.Context, a *agents.Process, mute bool) (*acp.LoadSessionResponse, error) {
	caps := a.Agent.Info().Capabilities
	methods := []string{acp.MethodSessionLoad}
	if caps.SessionCapabilities.Resume != nil && !(caps.LoadSession && s.isNew()) {
		methods = slices.Insert(methods, 0, acp.MethodSessionResume)
	}
	var raw jsontext.Value
	var err error
	for i, method := range methods {
		if raw, err = s.loadAtAgent(ctx, a, method, s.openParams(a), mute); err == nil || i == len(methods)-1 {
			break
		}
		s.log.Warn().Err(err).Msg("the agent does not resume the session; it is loaded")
	}
	resp := new(acp.LoadSessionResponse)
	if err == nil && len(raw) > 0 && string(raw) != "null" {
		err = acp.Unmarshal(raw, resp)
	}
	return resp, err
}
