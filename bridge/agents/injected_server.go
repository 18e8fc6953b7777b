package agents

import (
	"context"
	"crypto/rand"
	"slices"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/copilot-bridge/copilot-bridge/acp"
	"github.com/copilot-bridge/copilot-bridge/acp/agent"
	"github.com/copilot-bridge/copilot-bridge/bridge/tools"
)

// An agent that ignores the client's files, and is not Copilot CLI, gets the editor tools as one more stdio MCP server of
// each session. Such agents do not tell a server which session started it. So the server's environment has a ticket: a
// name that the bridge has made for the session, under which the calls of that server arrive. What lets it in is a token,
// as with Copilot.

// injectTools opens the editor tools for an agent that has started and turns out to need them; without them it is ended and
// not let loose on the files.
func (a *Process) injectTools(ctx context.Context) (err error) {
	cfg := &a.pool.cfg
	set := cfg.Tools
	q := agent.QuirksOf(a.Agent.Info().Name)
	if !a.hands() || !q.IgnoresClientFS && cfg.Gets != GetsEditor && !a.pool.takesTools() {
		return nil
	}
	set.AskedHere = q.AsksByMarks
	if a.Tools, err = a.listen(set); err != nil {
		_ = a.Agent.Close(ctx) // why it is ended is what matters
		return err
	}
	a.injects = &q
	return nil
}

// hands says whether agents are to have the editor tools at all.
func (a *Process) hands() bool {
	cfg := &a.pool.cfg
	return len(cfg.Self) > 0 && !cfg.Tools.None() && cfg.Gets != GetsOwn
}

// NewTicket names a session to the servers that are started for it.
func NewTicket() string { return "ticket-" + rand.Text() }

// InjectsTools says that the agent gets the editor tools as a server of each session.
func (a *Process) InjectsTools() bool { return a.injects != nil }

// KeepsOwnTools says that the agent has the editor tools beside its own, which cannot be switched off.
func (a *Process) KeepsOwnTools() bool {
	return a.injects != nil && len(a.injects.Options) == 0 && !a.withoutOwn
}

// HasOnlyOurTools says that the agent was started with the editor tools and without its own.
func (a *Process) HasOnlyOurTools() bool { return a.Tools != nil && !a.KeepsOwnTools() }

// ToolsName is what the editor tools of a session call it.
func (a *Process) ToolsName(remote acp.SessionID, ticket string) string {
	if a.injects != nil {
		return ticket
	}
	return string(remote)
}

// ExpectTools lets the editor tools in that the agent starts with its next session.
func (a *Process) ExpectTools() {
	if a.Tools != nil && !a.PerTurn {
		_ = a.Tools.Mint() // it has logged why not
	}
}

// ExpectMoreTools lets one more server of an agent in that starts them when it likes: one for a sub-agent, or anew with other
// settings of a session.
func (a *Process) ExpectMoreTools() {
	if a.injects != nil {
		a.ExpectTools()
	}
}

// WithTools adds the editor tools to the params of a session that is opened, where the agent gets them so. All else in them
// keeps its bytes.
func (a *Process) WithTools(params jsontext.Value, ticket string) jsontext.Value {
	if a.injects == nil {
		return params
	}
	self := a.pool.cfg.Self
	item, err := acp.Marshal(&acp.MCPServerStdio{
		Name: tools.ServerName, Command: self[0], Args: append(slices.Clone(self[1:]), "mcp", "--socket", a.Tools.Socket()),
		Env: []acp.EnvVariable{{Name: tools.SessionVar, Value: ticket}},
	})
	if err != nil {
		return params // strings
	}
	list := jsontext.Value("[]")
	var given []jsontext.Value
	if acp.Unmarshal(acp.Member(params, "mcpServers"), &given) == nil {
		for i := len(given) - 1; i >= 0; i-- {
			if acp.SameText(acp.Member(given[i], "name"), tools.ServerName) {
				given[i] = acp.SetMember(given[i], "name", acp.Quote(tools.ServerName+"2"))
			}
			list = acp.PutFirst(list, given[i])
		}
	}
	params = acp.SetMember(params, "mcpServers", acp.PutLast(list, item))
	if len(a.injects.Options) > 0 {
		params = acp.SetMember(params, "_meta", acp.Within(acp.Member(params, "_meta"), a.injects.Options, a.toolOptions))
	}
	return params
}

// toolOptions are the options of a session with the agent's own tools switched off and the editor's, about which the bridge
// asks, allowed.
func (a *Process) toolOptions(options jsontext.Value) jsontext.Value {
	set := a.pool.cfg.Tools
	for _, name := range a.injects.TurnedOff(set.Files, set.Shell) {
		options = acp.SetMember(options, "disallowedTools", acp.PutLast(acp.Member(options, "disallowedTools"), acp.Quote(name)))
	}
	return acp.SetMember(options, "allowedTools", acp.PutLast(acp.Member(options, "allowedTools"), acp.Quote("mcp__"+tools.ServerName)))
}
