package session

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/copilot-bridge/copilot-bridge/acp"
	"github.com/copilot-bridge/copilot-bridge/acp/agent"
	"github.com/copilot-bridge/copilot-bridge/bridge/agents"
	"github.com/copilot-bridge/copilot-bridge/bridge/store"
)

// NewSessionRequest opens a session.
type NewSessionRequest struct {
	Cwd        string   // absolute; "" is the first workspace folder
	Dirs       []string // additional directories, absolute
	MCPServers []acp.MCPServer
	Title      string
	// Later: the agent is told of it with the first prompt, or the first change of a mode or an option. Nothing is waited for.
	Later bool
}

// NewSession opens a session with the agent, starting the agent if it does not run, if not [NewSessionRequest].Later. Errors are *Error.
func (all *Set) NewSession(ctx context.Context, r NewSessionRequest) (Info, error) {
	s, err := all.register(beginning{NewSessionRequest: r})
	if err != nil {
		return Info{}, err
	}
	s.create(store.Meta{Title: r.Title})
	if r.Later {
		s.conversation.Sync() // before anybody is told of it
	} else if _, err := s.attach(ctx); err != nil {
		all.forget(s)
		return Info{}, asError(err)
	}
	s.settled() // so that the modes and options are in the answer
	if r.Title != "" {
		s.tell(titleIn{title: r.Title})
	}
	return s.Snapshot(), nil
}

func (all *Set) folder(cwd string) (string, error) {
	if cwd == "" && len(all.cfg.Folders) > 0 {
		cwd = all.cfg.Folders[0]
	}
	if !filepath.IsAbs(cwd) {
		return "", &Error{Code: CodeInvalidParams, Message: fmt.Sprintf("the session's folder %q is not an absolute path", cwd), Hint: "send an absolute cwd"}
	}
	if fi, err := os.Stat(cwd); err != nil || !fi.IsDir() {
		return "", &Error{Code: CodeInvalidParams, Message: fmt.Sprintf("the session's folder %s is not there", cwd), Hint: "send the path of a folder"}
	}
	return filepath.Clean(cwd), nil
}

// forget ends a session and takes it out of the list.
func (all *Set) forget(s *Session) {
	s.in.put(closeIn{})
	<-s.over
	all.mu.Lock()
	delete(all.sessions, s.ID)
	if all.byEditor[s.alias()] == s {
		delete(all.byEditor, s.alias())
	}
	all.mu.Unlock()
	all.cfg.Runner.CloseSession(s.ID)
	s.unfollow()
	all.cfg.Out.Push(&sessionOver{s.ID})
	all.dropEmpty(s)
}

// CloseSession ends a session: its turn is cancelled, its commands end.
func (all *Set) CloseSession(ctx context.Context, id string) error {
	s, err := all.Session(id)
	if err != nil {
		return err
	}
	at := s.snap.read()
	a, remote := at.agent, at.Remote
	s.unfollow() // that it is closed is no news
	all.forget(s)
	if a == nil || remote == "" || a.IsGone() {
		return nil
	}
	a.Unbind(remote)
	defer a.Retire()
	if err := closeAtAgent(ctx, a, remote); err != nil {
		all.cfg.Log.Debug().Err(err).Msg("the agent did not close the session")
	}
	return nil
}

func closeAtAgent(ctx context.Context, a *agents.Process, remote acp.SessionID) error {
	_, err := acp.Call[acp.CloseSessionResponse](ctx, a.Agent, acp.MethodSessionClose, &acp.CloseSessionRequest{SessionID: remote})
	return err
}

// acquire waits for the right to make the session known to an agent process, which one goroutine has at a time and gives back
// with release.
func (s *Session) acquire(ctx context.Context) (release func(), err error) {
	opener := make(chan struct{})
	if !s.in.put(openIn{opener}) {
		return nil, errSession(s.ID)
	}
	release = s.releases(opener)
	select {
	case <-opener:
		return release, nil
	case <-ctx.Done():
		err = ctx.Err()
	case <-s.life.Done():
		err = errSession(s.ID)
	}
	release()
	return nil, err
}

func (s *Session) releases(opener chan struct{}) (release func()) {
	return func() { s.in.put(openedIn{opener}) }
}

// attach returns the agent process that knows the session, making it known to a new one if need be: session/new the
// first time, session/load after the agent died or lost its editor tools.
func (s *Session) attach(ctx context.Context) (*agents.Process, error) {
	release, err := s.acquire(ctx)
	if err != nil { // a load may hang
		return nil, err
	}
	defer release()
	for {
		a, err := s.connect(ctx)
		if err != nil {
			return nil, err
		}
		at := s.snap.read()
		same, remote := at.agent == a, at.Remote
		switch {
		case same && !at.toolsLost:
			return a, nil
		case remote == "":
			want, _ := s.beginRestore() // of a session that goes on elsewhere
			defer s.in.put(restoringIn{false})
			return a, s.open(ctx, a, want)
		case same:
			if err := closeAtAgent(ctx, a, remote); err != nil {
				s.log.Debug().Err(err).Msg("close before load")
			}
		}
		if err = s.reload(ctx, a, remote); err == nil || !same || !a.EndedBy(err) {
			return a, err
		}
		select { // the agent had died, which is how its tools were lost: the next one has not been asked yet
		case <-a.Gone():
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
}

// open makes a new session of the agent, with the modes and options that are wanted, if any.
func (s *Session) open(ctx context.Context, a *agents.Process, want *store.Meta) error {
	resp, _, err := s.newAtAgent(ctx, a, acp.MethodSessionNew, s.openParams(a))
	if err != nil {
		return s.all.openError(a, "open a session", err)
	}
	if other := of(a.Session(resp.SessionID)); other != nil && other != s {
		return &Error{Code: CodeAgentUnavailable, Message: "the agent gave two sessions the same id, " + string(resp.SessionID), Hint: "restart the agent, or use another version of it"}
	}
	s.bound(a, resp.SessionID)
	s.in.put(s.putBack(ctx, a, resp.SessionID, want, resp.Modes, resp.ConfigOptions))
	return nil
}

// reload gives the session to an agent process that does not have it in memory. What the agent replays has been shown
// already. If it has lost the session, a new one takes its place and the user is told.
func (s *Session) reload(ctx context.Context, a *agents.Process, remote acp.SessionID) error {
	want, shown := s.beginRestore()
	defer s.in.put(restoringIn{false})
	// Not ended by a cancel of the turn: the agent would go on replaying, and would answer the next try that it has the
	// session already, as if it were lost.
	resp, err := s.reopenAtAgent(s.life, a, shown)
	if err == nil {
		s.bound(a, remote)
		modes, options := s.tighten(ctx, a, remote, resp.Modes, resp.ConfigOptions)
		s.in.put(s.putBack(ctx, a, remote, want, modes, options))
		return nil
	}
	if errors.Is(err, agent.ErrSignedOut) || s.life.Err() != nil || a.EndedBy(err) {
		return s.all.openError(a, "load the session", err)
	}
	s.log.Warn().Err(err).Msg("the agent lost the session")
	s.all.cfg.Out.Push(&SessionChanged{Session: s.ID, Event: &Happening{Type: "history_lost",
		Message: "The agent has lost the history of this session (" + err.Error() + "): it continues in a new agent session, and your next prompt sends it a summary; you can still read the conversation here."}})
	if !shown {
		s.readCopilot(string(remote))
		s.all.cfg.Out.Push(&replay{session: s})
	}
	s.conversation.CarryOver()
	return s.open(ctx, a, want)
}

// bound notes which agent process has the session, under which id, and watches that its editor tools come.
func (s *Session) bound(a *agents.Process, remote acp.SessionID) {
	var loaded string
	if startsWhatIsBrought(a) {
		loaded = s.brought().State
	}
	s.tell(boundIn{a, remote, loaded})
	s.conversation.SetMeta(func(m *store.Meta) { m.Agent = string(remote) })
	s.conversation.Sync() // the agent's id is the only way back to what it knows
	s.follow()
	a.Bind(remote, receiver{s})
	if a.InjectsTools() {
		a.Alias(remote, acp.SessionID(s.ticket))
	}
	a.SetAuth(agents.AuthSignedIn)
	s.explainAgent(a)
	if a.Tools != nil && !a.PerTurn {
		s.work.Go(func() { s.awaitTools(a, remote) })
	}
}

// explainAgent tells the user how the agent is run, with the first session of it.
func (s *Session) explainAgent(a *agents.Process) {
	if text := a.TakeNotice(); text != "" {
		s.all.cfg.Out.Push(&SessionChanged{Session: s.ID, Event: &Happening{Type: "agent_kind", Message: text, Data: map[string]any{"kind": string(agents.KindTranscript)}}})
	}
}

// awaitTools notices editor tools that never connect: Copilot says nothing then, and its own are switched off.
func (s *Session) awaitTools(a *agents.Process, remote acp.SessionID) {
	ctx, cancel := context.WithTimeout(s.life, toolsWait)
	defer cancel()
	err := a.Tools.WaitConnected(ctx, a.ToolsName(remote, s.ticket))
	if err == nil || s.life.Err() != nil || a.IsGone() {
		return
	}
	what := "it cannot read or change files in this session"
	if a.KeepsOwnTools() {
		what = "it does not see unsaved text in this session"
	}
	s.in.put(toolsLostIn{a, a.Name() + " has not started the editor tools (" + err.Error() + "): " + what})
}

func (s *Session) extraDirs(a *agents.Process) []string {
	caps := a.Agent.Info().Capabilities.SessionCapabilities
	if caps.AdditionalDirectories == nil {
		return nil // ACP v1: only if advertised
	}
	return s.Dirs
}

// openError says what to do about a session that could not be opened.
func (all *Set) openError(a *agents.Process, what string, err error) error {
	if errors.Is(err, agent.ErrSignedOut) {
		e := &Error{Code: CodeNotSignedIn, Message: a.Name() + " is not signed in", Hint: a.SignInHint(), Retryable: true, Err: err}
		a.SetAuth(agents.AuthSignedOut)
		all.cfg.Out.Push(&StatusChanged{Kind: StatusSignedOut, Message: e.Error()})
		// The running process keeps its stale state after a login, so the next try gets a fresh one.
		all.cfg.Go(func() { all.cfg.Agents.Drop("signed out") })
		return e
	}
	return &Error{Code: CodeAgentUnavailable, Message: what + ": " + strings.TrimSpace(err.Error()), Hint: "run `copilot-bridge doctor`", Retryable: true, Err: err}
}

// asError makes any failure presentable.
func asError(err error) *Error {
	var e *Error
	if errors.As(err, &e) {
		return e
	}
	if errors.Is(err, agent.ErrSignedOut) {
		return &Error{Code: CodeNotSignedIn, Message: err.Error(), Hint: "sign in with `copilot login`", Err: err}
	}
	return &Error{Code: CodeInternal, Message: err.Error(), Err: err}
}
