package acpfront

import (
	"bytes"
	"errors"
	"io/fs"
	"os/exec"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/copilot-bridge/copilot-bridge/acp"
	"github.com/copilot-bridge/copilot-bridge/acp/agent"
	"github.com/copilot-bridge/copilot-bridge/acp/copilot"
	"github.com/copilot-bridge/copilot-bridge/bridge/agents"
)

// LoginFlag, at the end of the bridge's command line, signs in in the terminal that it runs in and serves nobody. Editors add it
// for an auth method of type terminal, also behind the agent's own arguments (ACP v1 authentication).
const LoginFlag = "--login"

// me is the bridge's name on the wire, of itself and of its _meta.
const me = "copilot-bridge"

// notInstalled says that there is no agent because its program is not there. Everything else that keeps an agent from
// starting has something wrong that the editor is to show.
func notInstalled(err error) bool {
	var start *agent.StartError
	if errors.As(err, &start) {
		return start.Kind == agent.NotFound
	}
	var none *agents.UnavailableError // Copilot is asked for its version before it is started
	return errors.As(err, &none) && (errors.Is(err, exec.ErrNotFound) || errors.Is(err, fs.ErrNotExist))
}

// terminalHint is the _meta of an auth method for editors from before ACP had the type terminal, in Copilot's spelling.
type terminalHint struct {
	Terminal terminalAuth `json:"terminal-auth"`
}

type terminalAuth struct {
	Command string   `json:"command"`
	Args    []string `json:"args"`
	Label   string   `json:"label"`
}

// login is the way to sign in that every editor with a terminal can carry out.
func (s *Server) login() (*acp.AuthMethodTerminal, error) {
	about := "Runs `copilot login` in a terminal. Copilot CLI comes with `npm install -g @github/copilot`."
	m := &acp.AuthMethodTerminal{ID: "copilot-bridge-login", Name: "Sign in to Copilot", Description: &about, Args: []string{LoginFlag}}
	if len(s.o.Bridge.Self) > 0 {
		argv := append(s.o.Bridge.Self[1:len(s.o.Bridge.Self):len(s.o.Bridge.Self)], LoginFlag)
		hint, err := acp.Marshal(terminalHint{terminalAuth{s.o.Bridge.Self[0], argv, m.Name}})
		if err != nil {
			return nil, err
		}
		m.Meta = hint
	}
	return m, nil
}

// standIn is the answer to initialize while there is no agent to give one: who this is, and how to get to an agent. It
// promises nothing that only an agent can say.
func (s *Server) standIn() (any, error) {
	m, err := s.login()
	if err != nil {
		return nil, err
	}
	title := "Copilot Bridge"
	return &acp.InitializeResponse{
		ProtocolVersion: protocolVersion,
		AuthMethods:     []acp.AuthMethod{m},
		AgentInfo:       &acp.Implementation{Name: me, Title: &title, Version: s.o.Bridge.Version},
	}, nil
}

// introduce adds the bridge to what the agent says of itself: its version, and Copilot's sign-in as the standard has it, for
// editors that run it in a terminal.
func (s *Server) introduce(result jsontext.Value, p *acp.InitializeRequest) (jsontext.Value, error) {
	var r acp.InitializeResponse
	if err := acp.Unmarshal(result, &r); err != nil {
		return result, nil // the editor will make of it what it can
	}
	info, err := s.versions(acp.Member(result, "agentInfo"), r.AgentInfo)
	if err != nil {
		return nil, err
	}
	result = acp.SetMember(result, "agentInfo", info)
	if !p.ClientCapabilities.Auth.Terminal || !copilot.SignsInByLogin(r.AuthMethods) {
		return result, nil
	}
	m, err := s.login()
	if err != nil {
		return nil, err
	}
	raw, err := acp.Marshal(m)
	if err != nil {
		return nil, err
	}
	theirs := bytes.TrimSuffix(bytes.TrimSpace(acp.Member(result, "authMethods")), []byte("]"))
	return acp.SetMember(result, "authMethods", append(append(append(theirs[:len(theirs):len(theirs)], ','), raw...), ']')), nil
}

// versions is agentInfo with the bridge's version beside the agent's. Where the agent says nothing of itself, or under another
// name, it is made.
func (s *Server) versions(info jsontext.Value, read *acp.Implementation) (jsontext.Value, error) {
	if len(info) == 0 || info[0] != '{' {
		if read == nil {
			read = &acp.Implementation{Name: me, Version: s.o.Bridge.Version}
		}
		made, err := acp.Marshal(acp.Implementation{Name: read.Name, Title: read.Title, Version: read.Version})
		if err != nil {
			return nil, err
		}
		info = made
	}
	ours, err := acp.Marshal(map[string]string{"version": s.o.Bridge.Version})
	if err != nil {
		return nil, err
	}
	meta := acp.Member(info, "_meta")
	if len(meta) == 0 || meta[0] != '{' {
		meta = jsontext.Value("{}")
	}
	return acp.SetMember(info, "_meta", acp.SetMember(meta, me, ours)), nil
}
