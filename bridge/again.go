package bridge

import (
	"context"

	"github.com/copilot-bridge/copilot-bridge/acp"
)

// newAtAgent opens a new session of the agent for one that it has lost, as the first one was opened.
func (s *Session) newAtAgent(ctx context.Context, l *link) (*acp.NewSessionResponse, error) {
	if s.wire.params == nil {
		defer l.opens()()
		return l.agent.NewSession(ctx, &acp.NewSessionRequest{Cwd: s.Cwd, MCPServers: s.serversFor(l), AdditionalDirectories: s.extraDirs(l), Meta: l.toolsMeta(nil)})
	}
	a, err := l.raw()
	if err != nil {
		return nil, err
	}
	defer l.opens()()
	l.openInner(+1)
	defer l.openInner(-1)
	raw, err := a.CallRaw(ctx, acp.MethodSessionNew, s.withTools(l, s.wire.params))
	if err != nil {
		return nil, err
	}
	resp := new(acp.NewSessionResponse)
	if err := acp.Unmarshal(raw, resp); err != nil {
		return nil, err
	}
	s.name(resp.SessionID)
	return resp, nil
}

// opens keeps the process while a session is opened in it.
func (l *link) opens() (over func()) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.opening++
	return func() {
		l.mu.Lock()
		defer l.mu.Unlock()
		l.opening--
	}
}

func (l *link) openInner(n int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.inner += n
}

// loadAtAgent gives the session to an agent process that does not have it in memory. What the agent replays is not shown
// if mute says so.
func (s *Session) loadAtAgent(ctx context.Context, l *link, remote acp.SessionID, mute bool) (*acp.LoadSessionResponse, error) {
	if s.wire.params == nil {
		if resp, ok := s.resumeAtAgent(ctx, l, remote, mute); ok {
			return resp, nil
		}
		ctx, over := s.replaying(ctx, mute)
		defer over()
		return l.agent.LoadSession(ctx, &acp.LoadSessionRequest{SessionID: remote, Cwd: s.Cwd, MCPServers: s.serversFor(l), AdditionalDirectories: s.extraDirs(l), Meta: l.toolsMeta(nil)})
	}
	method := acp.MethodSessionLoad
	if caps := l.agent.Info().Capabilities; !caps.LoadSession && caps.SessionCapabilities.Resume != nil {
		method = acp.MethodSessionResume
	}
	raw, err := s.sayLoad(ctx, l, method, s.wire.params, true)
	if err != nil {
		return nil, err
	}
	resp := new(acp.LoadSessionResponse)
	return resp, acp.Unmarshal(raw, resp)
}

// resumer is an agent that can be asked to go on without a replay (ACP v1 session/resume).
type resumer interface {
	ResumeSession(context.Context, *acp.ResumeSessionRequest) (*acp.ResumeSessionResponse, error)
}

// resumeAtAgent is loadAtAgent without a replay that nobody would be shown; false where that is not to be had.
func (s *Session) resumeAtAgent(ctx context.Context, l *link, remote acp.SessionID, mute bool) (*acp.LoadSessionResponse, bool) {
	a, ok := l.agent.(resumer)
	caps := l.agent.Info().Capabilities
	if !ok || caps.SessionCapabilities.Resume == nil || caps.LoadSession && s.isNew() {
		return nil, false
	}
	ctx, over := s.replaying(ctx, mute)
	defer over()
	resp, err := a.ResumeSession(ctx, &acp.ResumeSessionRequest{SessionID: remote, Cwd: s.Cwd, MCPServers: s.serversFor(l), AdditionalDirectories: s.extraDirs(l), Meta: l.toolsMeta(nil)})
	if err != nil {
		s.log.Warn().Err(err).Msg("the agent does not resume the session; it is loaded")
		return nil, false
	}
	return &acp.LoadSessionResponse{Modes: resp.Modes, ConfigOptions: resp.ConfigOptions, Meta: resp.Meta, Extra: resp.Extra}, true
}
