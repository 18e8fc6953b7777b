package lspfront

import (
	"context"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
	"go.lsp.dev/protocol"
)

// prefix is that of our own methods.
const prefix = "copilot-bridge/"

// call answers a request. It runs on a goroutine of its own.
type call func(ctx context.Context, s *Server, params jsontext.Value) (any, error)

// allCalls are all requests the server answers. A function and not a variable: what some of them answer depends on it.
func allCalls() map[string]call {
	return map[string]call{
		protocol.MethodInitialize:                   initialize,
		protocol.MethodShutdown:                     shutdownCall,
		protocol.MethodTextDocumentCodeAction:       codeAction,
		protocol.MethodTextDocumentCodeLens:         codeLens,
		protocol.MethodTextDocumentHover:            hover,
		protocol.MethodWorkspaceExecuteCommand:      executeCommand,
		protocol.MethodWorkspaceTextDocumentContent: textDocumentContent,

		prefix + "session/new":         with(sessionNew),
		prefix + "session/load":        with(sessionLoad),
		prefix + "session/list":        with(sessionList),
		prefix + "session/close":       with(sessionClose),
		prefix + "session/delete":      with(sessionDelete),
		prefix + "session/prompt":      with(sessionPrompt),
		prefix + "session/cancel":      with(sessionCancel),
		prefix + "session/queue":       with(sessionQueue),
		prefix + "session/editQueued":  with(sessionEditQueued),
		prefix + "session/setMode":     with(sessionSetMode),
		prefix + "session/setOption":   with(sessionSetOption),
		prefix + "session/compact":     with(sessionCompact),
		prefix + "session/checkpoints": with(sessionCheckpoints),
		prefix + "review/list":         with(reviewList),
		prefix + "review/resolve":      with(reviewResolve),
		prefix + "review/base":         with(reviewBase),
		prefix + "permissions/list":    with(permissionsList),
		prefix + "permissions/revoke":  with(permissionsRevoke),
		prefix + "transcript/get":      with(transcriptGet),
		prefix + "auth/status":         with(authStatus),
		prefix + "auth/signIn":         with(authSignIn),
		prefix + "agent/info":          with(agentInfo),
		prefix + "agent/restart":       with(agentRestart),
		prefix + "terminal/list":       with(terminalList),
		prefix + "terminal/kill":       with(terminalKill),
	}
}

// notification takes one in, on the reading goroutine.
type notification func(s *Server, params jsontext.Value) error

// allNotifications are those that mean something; they run one after the other.
func allNotifications() map[string]notification {
	return map[string]notification{
		protocol.MethodCancelRequest:                      cancelRequest,
		protocol.MethodInitialized:                        initialized,
		protocol.MethodExit:                               func(s *Server, _ jsontext.Value) error { s.exit(); return nil },
		protocol.MethodTextDocumentDidOpen:                didOpen,
		protocol.MethodTextDocumentDidChange:              didChange,
		protocol.MethodTextDocumentDidSave:                didSave,
		protocol.MethodTextDocumentDidClose:               didClose,
		protocol.MethodWorkspaceDidChangeConfiguration:    didChangeConfiguration,
		protocol.MethodWorkspaceDidChangeWorkspaceFolders: didChangeFolders,
		protocol.MethodWindowWorkDoneProgressCancel:       progressCancel,
		prefix + "focus/didChange":                        focusChanged,
	}
}

// customMethods are the names of our own methods, sorted, for the capabilities.
func customMethods() []string {
	var out []string
	for name := range allCalls() {
		if strings.HasPrefix(name, prefix) {
			out = append(out, name)
		}
	}
	slices.Sort(out)
	return out
}

// with decodes the params of one of our own methods. Unknown members are passed over: a newer plugin may know more.
func with[P any](f func(ctx context.Context, s *Server, p P) (any, error)) call {
	return func(ctx context.Context, s *Server, raw jsontext.Value) (any, error) {
		var p P
		if err := unmarshal(raw, &p); err != nil {
			return nil, invalid(err.Error())
		}
		result, err := f(ctx, s, p)
		if err != nil {
			return nil, err
		}
		return marshal(result)
	}
}
