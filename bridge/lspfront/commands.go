package lspfront

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"go.lsp.dev/protocol"
)

// kindSource is the kind of the code actions that are not about a place.
const kindSource protocol.CodeActionKind = "source.copilot"

// commandPrefix is that of our commands.
const commandPrefix = "copilot-bridge."

// command answers at once: editors stand still while they wait for the answer (eglot), or give up (Helix). What takes
// time goes on behind it and is shown when it is done.
type command func(s *Server, arg jsontext.Value) (any, error)

// allCommands are the commands by their names without the prefix. All take one object, every member optional.
func allCommands() map[string]command {
	return map[string]command{
		"prompt":         commandOn(promptCommand),
		"cancel":         commandOn(cancelCommand),
		"queue":          commandOn(queueCommand),
		"editQueued":     commandOn(editQueuedCommand),
		"sendAgain":      commandOn(sendAgainCommand),
		"allow":          commandOn(allowCommand),
		"reject":         commandOn(rejectCommand),
		"keep":           commandOn(keepCommand),
		"undo":           commandOn(undoCommand),
		"keepAll":        commandOn(keepAllCommand),
		"undoAll":        commandOn(undoAllCommand),
		"undoTurn":       commandOn(undoTurnCommand),
		"nextHunk":       commandOn(nextHunkCommand),
		"showTranscript": commandOn(showTranscriptCommand),
		"showDiff":       commandOn(showDiffCommand),
		"newSession":     commandOn(newSessionCommand),
		"resume":         commandOn(resumeCommand),
		"setMode":        commandOn(setModeCommand),
		"setOption":      commandOn(setOptionCommand),
		"leave":          commandOn(leaveCommand),
		"signIn":         commandOn(signInCommandRun),
		"status":         commandOn(statusCommand),
		"restartAgent":   commandOn(restartAgentCommand),

		"permissions":      commandOn(permissionsCommand),
		"revokePermission": commandOn(revokePermissionCommand),
	}
}

// commandNames are the full names, sorted, for the capabilities: Neovim and Helix run none that is not listed.
func commandNames() []string {
	var out []string
	for _, name := range slices.Sorted(maps.Keys(allCommands())) {
		out = append(out, commandPrefix+name)
	}
	return out
}

// executeCommand runs a command (LSP 3.18 workspace/executeCommand).
func executeCommand(_ context.Context, s *Server, raw jsontext.Value) (any, error) {
	var p struct {
		Command   string           `json:"command"`
		Arguments []jsontext.Value `json:"arguments"`
	}
	if err := unmarshal(raw, &p); err != nil {
		return nil, invalid(err.Error())
	}
	name, ok := strings.CutPrefix(p.Command, commandPrefix)
	run := allCommands()[name]
	if !ok || run == nil {
		return nil, invalid(fmt.Sprintf("there is no command %q; there are %s", p.Command, strings.Join(commandNames(), ", ")))
	}
	arg := jsontext.Value("{}")
	if len(p.Arguments) > 0 && string(p.Arguments[0]) != "null" {
		arg = p.Arguments[0]
	}
	if len(p.Arguments) > 1 {
		return nil, invalid(p.Command + " takes one object")
	}
	result, err := run(s, arg)
	if err != nil {
		return nil, err
	}
	if result == nil {
		return jsontext.Value("null"), nil
	}
	return marshal(result)
}

// commandOn decodes a command's argument. A name it does not have is an error: it was typed by hand.
func commandOn[A any](f func(s *Server, a A) (any, error)) command {
	return func(s *Server, raw jsontext.Value) (any, error) {
		var a A
		if raw.Kind() != '{' {
			return nil, invalid("a command takes one object, such as {\"id\": \"…\"}, or nothing")
		}
		if err := json.Unmarshal(raw, &a, json.RejectUnknownMembers(true)); err != nil {
			return nil, invalid(err.Error())
		}
		return f(s, a)
	}
}

// behind does what takes time after the answer, and shows how it failed.
func (s *Server) behind(what string, f func(ctx context.Context) error) {
	s.work.Go(func() {
		if err := f(s.life); err != nil && s.life.Err() == nil {
			s.log.Warn().Err(err).Msg(what)
			s.message(protocol.MessageTypeError, what+": "+err.Error())
		}
	})
}
