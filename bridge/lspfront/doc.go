// Package lspfront is the editor side in LSP 3.18: the bridge as a language server.
//
// It keeps the editor's open documents in the bridge's overlay, in the order of the wire, carries the bridge's edits
// and questions to the editor, and shows what the agent does: to any client with what LSP has (the plain tier), to a
// client that says so with methods of its own (the rich tier, docs/dev/protocol.md). Each concern goes back to the plain
// tier by itself, for the connection, when the client answers its method with an error.
//
// Three rules must stay true. Document notifications are handled one after the other on the reading goroutine; calls
// run beside them. Nobody but the writer waits for the editor's pipe, except the goroutine that shows updates. A
// request of ours to the editor never runs on the reading goroutine.
//
// It is composed by hand: protocol.NewServer and its handlers run notifications concurrently, and 202 of 2,000
// didChange were handled out of order (go.lsp.dev/protocol v1.0.1).
//
// What goes over the wire of the rich tier is typed here; go generate writes the types of the clients from it.
package lspfront

//go:generate go run ./internal/gen
