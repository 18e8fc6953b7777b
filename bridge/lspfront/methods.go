package lspfront

import (
	"context"
	"maps"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
	"go.lsp.dev/protocol"
)

// prefix is that of our own methods.
const prefix = "copilot-bridge/"

// call answers a request. It runs on a goroutine of its own.
type call func(ctx context.Context, s *Server, params jsontext.Value) (any, error)

// allCalls are all requests the server answers: LSP's, and the verbs that are methods.
func allCalls() map[string]call {
	calls := map[string]call{
		protocol.MethodInitialize:                   initialize,
		protocol.MethodShutdown:                     shutdownCall,
		protocol.MethodTextDocumentCodeAction:       codeAction,
		protocol.MethodTextDocumentCodeLens:         codeLens,
		protocol.MethodTextDocumentHover:            hover,
		protocol.MethodWorkspaceExecuteCommand:      executeCommand,
		protocol.MethodWorkspaceTextDocumentContent: textDocumentContent,
	}
	for _, v := range verbs() {
		if v.method != "" {
			calls[prefix+v.method] = func(ctx context.Context, s *Server, params jsontext.Value) (any, error) {
				return v.run(&asked{s: s, ctx: ctx}, params)
			}
		}
	}
	return calls
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
		protocol.MethodWorkspaceDidCreateFiles:            didCreateFiles,
		protocol.MethodWorkspaceDidRenameFiles:            didRenameFiles,
		protocol.MethodWorkspaceDidDeleteFiles:            didDeleteFiles,
		protocol.MethodWorkspaceDidChangeConfiguration:    didChangeConfiguration,
		protocol.MethodWorkspaceDidChangeWorkspaceFolders: didChangeFolders,
		protocol.MethodWindowWorkDoneProgressCancel:       progressCancel,
		prefix + "focus/didChange":                        focusChanged,
	}
}

// customMethods are the names of our own requests, sorted, for the capabilities.
func customMethods() []string {
	return slices.DeleteFunc(slices.Sorted(maps.Keys(allCalls())), func(name string) bool { return !strings.HasPrefix(name, prefix) })
}
