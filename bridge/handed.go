package bridge

import (
	"bytes"
	"crypto/rand"
	"fmt"
	"slices"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/copilot-bridge/copilot-bridge/acp"
	"github.com/copilot-bridge/copilot-bridge/acp/agent"
	"github.com/copilot-bridge/copilot-bridge/bridge/tools"
)

// An agent that ignores the client's files, and is not Copilot CLI, is handed the editor tools as one more stdio MCP server
// of each session. Such agents do not tell a server which session started it. So the server's environment has a ticket: a
// name that the bridge has made for the session, under which the calls of that server arrive. What lets it in is a token,
// as with Copilot.

// handTools opens the editor tools for an agent that has started and turns out to need them.
func (l *link) handTools() error {
	cfg := &l.b.cfg
	set := cfg.Tools
	if len(cfg.Self) == 0 || !set.Files && !set.Shell && !set.Diagnostics {
		return nil
	}
	q := agent.QuirksOf(l.agent.Info().Name)
	if !q.IgnoresClientFS {
		return nil
	}
	set.AskedHere = q.AsksByMarks
	server, err := tools.Listen(l.b.socketDir(), l, set, cfg.Log)
	if err != nil {
		return fmt.Errorf("open the editor tools: %w", err)
	}
	l.tools, l.hands = server, &q
	return nil
}

// newTicket names a session to the servers that are started for it.
func newTicket() string { return "ticket-" + rand.Text() }

// toolsName is what the session's editor tools call it.
func (s *Session) toolsName(l *link, remote acp.SessionID) string {
	if l.hands != nil {
		return s.ticket
	}
	return string(remote)
}

// handed is the server of the editor tools, nil where the agent is not handed one.
func (s *Session) handed(l *link) *acp.MCPServerStdio {
	if l.hands == nil {
		return nil
	}
	self := l.b.cfg.Self
	return &acp.MCPServerStdio{
		Name: tools.ServerName, Command: self[0], Args: append(slices.Clone(self[1:]), "mcp", "--socket", l.tools.Socket()),
		Env: []acp.EnvVariable{{Name: tools.SessionVar, Value: s.ticket}},
	}
}

// expectMore lets one more server of an agent in that starts them when it likes: one for a sub-agent, or anew with other
// settings of a session.
func (l *link) expectMore() {
	if l.hands != nil {
		_ = l.tools.Mint() // it has logged why not
	}
}

// keepsOwnTools says that the agent has the editor tools beside its own, which cannot be switched off.
func (l *link) keepsOwnTools() bool { return l.hands != nil && len(l.hands.Options) == 0 }

// name is what a person knows the agent by.
func (l *link) name() string {
	if l.copilot {
		return "Copilot"
	}
	return l.agent.Info().Name
}

// withTools adds the editor tools to the params of a session that is opened, where the agent is handed them. All else in
// them keeps its bytes.
func (s *Session) withTools(l *link, params jsontext.Value) jsontext.Value {
	own := s.handed(l)
	if own == nil {
		return params
	}
	item, err := acp.Marshal(own)
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
	list = addLast(list, item)
	params = acp.SetMember(params, "mcpServers", list)
	if meta := l.toolsMeta(acp.Member(params, "_meta")); meta != nil {
		params = acp.SetMember(params, "_meta", meta)
	}
	return params
}

// toolsMeta is the `_meta` of a session that is opened, with the agent's own tools switched off and the editor's, about
// which the bridge asks, allowed; nil if the agent takes no such thing.
func (l *link) toolsMeta(meta jsontext.Value) jsontext.Value {
	if l.hands == nil || len(l.hands.Options) == 0 {
		return nil
	}
	set := l.b.cfg.Tools
	return within(meta, l.hands.Options, func(options jsontext.Value) jsontext.Value {
		for _, name := range l.hands.TurnedOff(set.Files, set.Shell) {
			options = acp.SetMember(options, "disallowedTools", addLast(acp.Member(options, "disallowedTools"), acp.Quote(name)))
		}
		all := "mcp__" + tools.ServerName
		return acp.SetMember(options, "allowedTools", addLast(acp.Member(options, "allowedTools"), acp.Quote(all)))
	})
}

// within changes what stands at a path of members, which are made where they are missing.
func within(obj jsontext.Value, path []string, change func(jsontext.Value) jsontext.Value) jsontext.Value {
	if obj.Kind() != '{' {
		obj = jsontext.Value("{}")
	}
	if len(path) == 0 {
		return change(obj)
	}
	return acp.SetMember(obj, path[0], within(acp.Member(obj, path[0]), path[1:], change))
}

// addLast is an array with one more item; anything else is replaced by an array of it.
func addLast(list, item jsontext.Value) jsontext.Value {
	var items []jsontext.Value
	if list.Kind() != '[' || acp.Unmarshal(list, &items) != nil || len(items) == 0 {
		return slices.Concat(jsontext.Value("["), item, jsontext.Value("]"))
	}
	end := bytes.LastIndexByte(list, ']')
	return slices.Concat(list[:end], jsontext.Value(","), item, list[end:])
}
