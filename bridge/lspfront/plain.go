package lspfront

import (
	"github.com/copilot-bridge/copilot-bridge/bridge/lspfront/plain"
	"github.com/copilot-bridge/copilot-bridge/fsproxy/text"
)

// A server is the editor for the plain tier: [plain.Client].
var _ plain.Client = (*server)(nil)

// Go runs work that the end of the server waits for.
func (s *server) Go(f func()) { s.work.Go(f) }

// URI is how the editor calls a file.
func (s *server) URI(path string) string { return s.docs.uri(path) }

// Encoding is what the editor counts characters in.
func (s *server) Encoding() text.Encoding { return s.client.enc }

// Can is what the editor has, as initialize said.
func (s *server) Can() plain.Abilities { return s.client.Abilities }

// DismissKeeps says that a question that is closed unanswered stays open.
func (s *server) DismissKeeps() bool { return s.config.get().OnDismiss == dismissKeeps }
