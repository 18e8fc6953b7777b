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
type call func(ctx context.Context, s *server, params jsontext.Value) (any, error)

// answering is a call with its params read.
func answering[P any](f func(s *server, p P) (any, error)) call {
	return func(_ context.Context, s *server, raw jsontext.Value) (any, error) {
		var p P
		if err := unmarshal(raw, &p); err != nil {
			return nil, invalid(err.Error())
		}
		return f(s, p)
	}
}

// documentParams name a document, with the URI as the editor writes it: the protocol package would normalise it.
type documentParams struct {
	TextDocument struct {
		URI string `json:"uri"`
	} `json:"textDocument"`
}

// allCalls are all requests the server answers: LSP's, and the verbs that are methods.
func allCalls() map[string]call {
	calls := map[string]call{
		protocol.MethodInitialize:                   initialize,
		protocol.MethodShutdown:                     shutdownCall,
		protocol.MethodTextDocumentCodeAction:       answering(codeAction),
		protocol.MethodTextDocumentCodeLens:         answering(codeLens),
		protocol.MethodTextDocumentHover:            answering(hover),
		protocol.MethodWorkspaceExecuteCommand:      answering(executeCommand),
		protocol.MethodWorkspaceTextDocumentContent: answering(textDocumentContent),
	}
	for _, v := range verbs() {
		if v.method != "" {
			calls[prefix+v.method] = func(ctx context.Context, s *server, params jsontext.Value) (any, error) {
				return v.run(&asked{s: s, ctx: ctx}, params)
			}
		}
	}
	return calls
}

// notification takes one in, on the reading goroutine.
type notification func(s *server, params jsontext.Value) error

// hearing is a notification with its params read.
func hearing[P any](f func(s *server, p P) error) notification {
	return func(s *server, raw jsontext.Value) error {
		var p P
		if err := unmarshal(raw, &p); err != nil {
			return err
		}
		return f(s, p)
	}
}

// allNotifications are those that mean something; they run one after the other.
func allNotifications() map[string]notification {
	return map[string]notification{
		protocol.MethodCancelRequest:                      hearing(cancelRequest),
		protocol.MethodInitialized:                        initialized,
		protocol.MethodExit:                               func(s *server, _ jsontext.Value) error { s.exit(); return nil },
		protocol.MethodTextDocumentDidOpen:                hearing(didOpen),
		protocol.MethodTextDocumentDidChange:              didChange,
		protocol.MethodTextDocumentDidSave:                hearing(didSave),
		protocol.MethodTextDocumentDidClose:               hearing(didClose),
		protocol.MethodWorkspaceDidCreateFiles:            hearing(didCreateFiles),
		protocol.MethodWorkspaceDidRenameFiles:            hearing(didRenameFiles),
		protocol.MethodWorkspaceDidDeleteFiles:            hearing(didDeleteFiles),
		protocol.MethodWorkspaceDidChangeConfiguration:    didChangeConfiguration,
		protocol.MethodWorkspaceDidChangeWorkspaceFolders: hearing(didChangeFolders),
		protocol.MethodWindowWorkDoneProgressCancel:       hearing(progressCancel),
		prefix + "focus/didChange":                        hearing(focusChanged),
	}
}

// customMethods are the names of our own requests, sorted, for the capabilities.
func customMethods() []string {
	return slices.DeleteFunc(slices.Sorted(maps.Keys(allCalls())), func(name string) bool { return !strings.HasPrefix(name, prefix) })
}
