package lspfront

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
	"go.lsp.dev/protocol"
)

// kindSource is the kind of the code actions that are not about a place.
const kindSource protocol.CodeActionKind = "source.copilot"

// commandPrefix is that of our commands.
const commandPrefix = "copilot-bridge."

// allCommands are the verbs that are commands, by their full names.
func allCommands() map[string]verb {
	out := map[string]verb{}
	for _, v := range verbs() {
		if v.command != "" {
			out[commandPrefix+v.command] = v
		}
	}
	return out
}

// commandNames are the full names, sorted, for the capabilities: Neovim and Helix run none that is not listed.
func commandNames() []string { return slices.Sorted(maps.Keys(allCommands())) }

type commandParams struct {
	Command   string           `json:"command"`
	Arguments []jsontext.Value `json:"arguments"`
}

// executeCommand runs a command (LSP 3.18 workspace/executeCommand). Editors stand still while they wait for the answer
// (eglot), or give up (Helix).
func executeCommand(s *server, p commandParams) (any, error) {
	v, ok := s.commands[p.Command]
	if !ok {
		return nil, invalid(fmt.Sprintf("there is no command %q; there are %s", p.Command, strings.Join(commandNames(), ", ")))
	}
	arg := jsontext.Value("{}")
	if len(p.Arguments) > 0 && string(p.Arguments[0]) != "null" {
		arg = p.Arguments[0]
	}
	if len(p.Arguments) > 1 {
		return nil, invalid(p.Command + " takes one object")
	}
	return v.run(&asked{s: s, ctx: s.life, command: true}, arg)
}

// action is a verb as a code action, under its own title where none is given.
func (s *server) action(command, title string, arg any) protocol.CodeAction {
	c, kind := s.lens(command, title, arg), s.commands[commandPrefix+command].kind
	return protocol.CodeAction{Title: c.Title, Kind: &kind, Command: c}
}

// lens is a verb as the command of a code action or a lens, under its own title where none is given.
func (s *server) lens(command, title string, arg any) protocol.Command {
	if title == "" {
		title = s.title(command)
	}
	c := protocol.Command{Title: title, Command: commandPrefix + command}
	if raw, err := marshal(arg); err == nil {
		c.Arguments = []protocol.LSPAny{jsontext.Value(raw)}
	}
	return c
}

func (s *server) title(command string) string { return s.commands[commandPrefix+command].title }
