package fsproxy

import (
	"strings"

	"github.com/copilot-bridge/copilot-bridge/fsproxy/disk"
	"github.com/copilot-bridge/copilot-bridge/fsproxy/text"
)

// SameText reports whether a and b are the same text to an editor: Neovim never
// shows a '\r' before a '\n' nor a missing final newline, and some add the latter
// when they save. Some show a byte order mark as the first character (Emacs).
func SameText(a, b text.Text) bool {
	if a.Equal(b) {
		return true
	}
	if a.Lines() != b.Lines() && a.Lines()-b.Lines() != 1 && b.Lines()-a.Lines() != 1 {
		return false
	}
	return plain(a.String()) == plain(b.String())
}

// plain is s without a byte order mark, with '\n' for every line end but a lone '\r', and none at its end.
func plain(s string) string {
	if strings.Contains(s, "\r\n") {
		s = strings.ReplaceAll(s, "\r\n", "\n")
	}
	return strings.TrimSuffix(strings.TrimPrefix(s, disk.BOM), "\n")
}
