package bridge

import (
	"context"
	"slices"

	"github.com/copilot-bridge/copilot-bridge/acp"
	"github.com/copilot-bridge/copilot-bridge/acp/copilot"
	"github.com/copilot-bridge/copilot-bridge/terminalproxy"
)

// SetMode switches the agent's mode for a session, as the agent names its modes.
func (b *Bridge) SetMode(ctx context.Context, session, mode string) error {
	s, err := b.Session(session)
	if err != nil {
		return err
	}
	l, err := s.attach(ctx)
	if err != nil {
		return err
	}
	done := s.chooses("mode", mode)
	err = l.agent.SetMode(ctx, &acp.SetSessionModeRequest{SessionID: s.remoteID(), ModeID: acp.SessionModeID(mode)})
	done(err == nil)
	if err != nil {
		return &Error{Code: CodeInvalidParams, Message: "set the mode " + mode + ": " + err.Error(), Hint: "use an id of the session's modes", Err: err}
	}
	s.in.put(updateIn{&acp.CurrentModeUpdate{CurrentModeID: acp.SessionModeID(mode)}})
	s.settled(ctx)
	return nil
}

// SetOption sets one of the session's options and returns them all. value is a string, or a bool for one that is on or
// off.
func (b *Bridge) SetOption(ctx context.Context, session, option string, value any) ([]acp.SessionConfigOption, error) {
	s, err := b.Session(session)
	if err != nil {
		return nil, err
	}
	l, err := s.attach(ctx)
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
	done := s.chooses(req.ConfigID, value)
	resp, err := l.agent.SetConfigOption(ctx, req)
	done(err == nil)
	if err != nil {
		return nil, &Error{Code: CodeInvalidParams, Message: "set the option " + option + ": " + err.Error(), Hint: "use an id and a value of the session's configOptions", Err: err}
	}
	s.in.put(updateIn{&acp.ConfigOptionUpdate{ConfigOptions: resp.ConfigOptions}})
	s.settled(ctx)
	return s.Snapshot().Options, nil
}

// settled waits until the session has taken in what was put so far.
func (s *Session) settled(ctx context.Context) {
	done := make(chan struct{})
	if !s.in.put(syncIn{done}) {
		return
	}
	select {
	case <-done:
	case <-s.over:
	case <-ctx.Done():
	}
}

func (s *Session) remoteID() acp.SessionID {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.remote
}

// AgentInfo is the running agent; ok is false while none runs.
type AgentInfo struct {
	Name, Version string
	PID           int
	Capabilities  acp.AgentCapabilities
	Quirks        []copilot.Quirk // of Copilot CLI, by its version
	SignedOut     bool
	AuthMethods   []acp.AuthMethod
}

// Agent describes the agent, without starting it.
func (b *Bridge) Agent() (info AgentInfo, ok bool) {
	l := b.running()
	if l == nil {
		return AgentInfo{}, false
	}
	i := l.agent.Info()
	return AgentInfo{Name: i.Name, Version: i.Version, PID: i.PID, Capabilities: i.Capabilities, Quirks: l.listed, AuthMethods: i.AuthMethods}, true
}

// ConnectAgent starts the agent if it does not run.
func (b *Bridge) ConnectAgent(ctx context.Context) error {
	_, err := b.connect(ctx)
	return err
}

// RestartAgent ends the agent and starts a new one; sessions are loaded into it when they are needed.
func (b *Bridge) RestartAgent(ctx context.Context) error {
	b.dropAgent("asked to")
	b.mu.Lock()
	clear(b.restarts)
	b.failures, b.offered, b.fallback = 0, false, false
	b.mu.Unlock()
	return b.ConnectAgent(ctx)
}

// Terminals lists the commands of a session, of all sessions for "".
func (b *Bridge) Terminals(session string) []terminalproxy.Info { return b.runner.List(session) }

// KillTerminal ends a command.
func (b *Bridge) KillTerminal(ctx context.Context, id string) error {
	for _, i := range b.runner.List("") {
		if i.ID != id {
			continue
		}
		t, err := b.runner.Get(i.Session, id)
		if err != nil {
			return &Error{Code: CodeInvalidParams, Message: err.Error(), Err: err}
		}
		return t.Kill(ctx)
	}
	return &Error{Code: CodeInvalidParams, Message: "there is no terminal " + id, Hint: "list the terminals"}
}

// QuirkNames are the agent's known oddities, each with its reason.
func (i AgentInfo) QuirkNames() []string {
	out := []string{}
	for _, q := range i.Quirks {
		out = append(out, q.Name+": "+q.Reason)
	}
	return out
}

// AddFolder adds a workspace folder of the editor's.
func (b *Bridge) AddFolder(dir string) error {
	if err := b.disk.AddRoot(dir); err != nil {
		return err
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	b.folders = append(b.folders, dir)
	return nil
}

// editorFolders are the workspace folders of the editor.
func (b *Bridge) editorFolders() []string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return slices.Clone(b.folders)
}
