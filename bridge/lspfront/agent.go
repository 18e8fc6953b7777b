package lspfront

import (
	"context"
	"fmt"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/copilot-bridge/copilot-bridge/acp"
	"github.com/copilot-bridge/copilot-bridge/acp/copilot"
	"github.com/copilot-bridge/copilot-bridge/bridge"
	"github.com/copilot-bridge/copilot-bridge/internal/escape"
	"github.com/copilot-bridge/copilot-bridge/terminalproxy"
)

type none struct{}

type agentInfoResult struct {
	Name         string         `json:"name"`
	Version      string         `json:"version"`
	PID          int            `json:"pid"`
	Capabilities jsontext.Value `json:"capabilities"`
	Quirks       []string       `json:"quirks"`
}

// agentInfo describes the agent; it is started if it does not run, to be able to.
func agentInfo(ctx context.Context, s *Server, _ none) (any, error) {
	b, err := s.bridge()
	if err != nil {
		return nil, err
	}
	if err := b.ConnectAgent(ctx); err != nil {
		return nil, err
	}
	i, ok := b.Agent()
	if !ok {
		return nil, &bridge.Error{Code: bridge.CodeAgentUnavailable, Message: "the agent ended just now", Hint: "try again", Retryable: true}
	}
	return agentInfoResult{i.Name, i.Version, i.PID, raw(&i.Capabilities), i.QuirkNames()}, nil
}

func agentRestart(ctx context.Context, s *Server, _ none) (any, error) {
	b, err := s.bridge()
	if err != nil {
		return nil, err
	}
	return struct{}{}, b.RestartAgent(ctx)
}

type authStatusResult struct {
	State   string           `json:"state"`
	Methods []jsontext.Value `json:"methods"`
}

// authStatus says whether the person is signed in, as far as the agent has shown it: it tells only when a session is
// opened.
func authStatus(_ context.Context, s *Server, _ none) (any, error) {
	b, err := s.bridge()
	if err != nil {
		return nil, err
	}
	state, methods := b.Auth()
	out := authStatusResult{State: state, Methods: []jsontext.Value{}}
	for _, m := range methods {
		out.Methods = append(out.Methods, raw(m))
	}
	return out, nil
}

type signInParams struct {
	MethodID string `json:"methodId"`
}

type signInResult struct {
	Command string `json:"command,omitzero"`
	Message string `json:"message"`
}

// authSignIn says how to sign in; the command is the person's to run, in a terminal of theirs. The next session then
// finds a fresh agent.
func authSignIn(ctx context.Context, s *Server, p signInParams) (any, error) {
	b, err := s.bridge()
	if err != nil {
		return nil, err
	}
	_, methods := b.Auth()
	if len(methods) == 0 {
		if err := b.ConnectAgent(ctx); err != nil {
			return nil, err
		}
		if i, ok := b.Agent(); ok {
			methods = i.AuthMethods
		}
	}
	if p.MethodID != "" {
		methods = pick(methods, p.MethodID)
		if len(methods) == 0 {
			return nil, invalid(fmt.Sprintf("the agent has no sign-in method %q", p.MethodID))
		}
	}
	command := signInCommand(methods)
	return signInResult{command, copilot.SignInHint(methods)}, nil
}

func pick(methods []acp.AuthMethod, id string) []acp.AuthMethod {
	for _, m := range methods {
		switch m := m.(type) {
		case *acp.AuthMethodAgent:
			if string(m.ID) == id {
				return []acp.AuthMethod{m}
			}
		case *acp.AuthMethodTerminal:
			if string(m.ID) == id {
				return []acp.AuthMethod{m}
			}
		}
	}
	return nil
}

// signInCommand is the command line of a sign-in hint, which names it between backquotes.
func signInCommand(methods []acp.AuthMethod) string {
	_, rest, ok := strings.Cut(copilot.SignInHint(methods), "`")
	if !ok {
		return ""
	}
	command, _, _ := strings.Cut(rest, "`")
	return command
}

type terminalListParams struct {
	SessionID string `json:"sessionId"`
}

type wireTerminal struct {
	TerminalID string         `json:"terminalId"`
	SessionID  string         `json:"sessionId"`
	Command    string         `json:"command"`
	Args       []string       `json:"args"`
	Cwd        string         `json:"cwd"`
	PID        int            `json:"pid"`
	ExitStatus jsontext.Value `json:"exitStatus,omitzero"`
}

type terminalListResult struct {
	Terminals []wireTerminal `json:"terminals"`
}

func terminalList(_ context.Context, s *Server, p terminalListParams) (any, error) {
	b, err := s.bridge()
	if err != nil {
		return nil, err
	}
	out := terminalListResult{Terminals: []wireTerminal{}}
	for _, i := range b.Terminals(p.SessionID) {
		out.Terminals = append(out.Terminals, encodeTerminal(i))
	}
	return out, nil
}

func encodeTerminal(i terminalproxy.Info) wireTerminal {
	t := wireTerminal{TerminalID: i.ID, SessionID: i.Session, Command: escape.Inline(i.Command), Args: inlineAll(i.Args), Cwd: escape.Inline(i.Cwd), PID: i.PID}
	if t.Args == nil {
		t.Args = []string{}
	}
	if i.Exit != nil {
		t.ExitStatus = raw(&acp.TerminalExitStatus{ExitCode: i.Exit.Code, Signal: i.Exit.Signal})
	}
	return t
}

type terminalKillParams struct {
	TerminalID string `json:"terminalId"`
}

func terminalKill(ctx context.Context, s *Server, p terminalKillParams) (any, error) {
	b, err := s.bridge()
	if err != nil {
		return nil, err
	}
	return struct{}{}, b.KillTerminal(ctx, p.TerminalID)
}
