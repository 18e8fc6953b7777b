// Package plain shows what the agent does, and asks, with what every LSP client has: diagnostics, code lenses, progress,
// messages with buttons, and files to read (docs/dev/protocol.md, the plain tier).
//
// It promises that plain LSP is enough for the whole loop, and that each concern acts only while no plugin has taken it
// over: all of them follow what happens, so that a concern can come back at any time. One message with buttons is on the
// screen at a time, and a permission question comes before all others.
//
// It leaves to package lspfront what a user asks for: commands, code actions, documents, sessions.
//
// [Tier.Show] runs on the goroutine that shows events, in order. All else may run on any goroutine but the one that reads
// from the editor, because it may wait for the editor.
package plain
