package fsproxy

import (
	"strings"

	"github.com/copilot-bridge/copilot-bridge/fsproxy/diff"
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
	return strings.TrimSuffix(strings.TrimPrefix(toLF(s), disk.BOM), "\n")
}

// toLF is s with '\n' for every '\r\n'.
func toLF(s string) string { return strings.ReplaceAll(s, "\r\n", "\n") }

// withEnds gives new the line ends of the text it replaces: a line that was there
// keeps its bytes, a line edited in place its end, and what is put in gets end. A
// new that has a '\r' of its own, or a text without one, leaves nothing to do.
func withEnds(old, new string, end string) string {
	if strings.Contains(new, "\r") {
		return new
	}
	if !strings.Contains(old, "\r\n") {
		return strings.ReplaceAll(new, "\n", end)
	}
	plainOld := toLF(old)
	if plainOld == new {
		return old
	}
	from, to := strings.SplitAfter(old, "\n"), strings.SplitAfter(new, "\n")
	var b strings.Builder
	b.Grow(len(new) + len(new)/16)
	i, j := 0, 0
	keep := func(upTo int) {
		for ; i < upTo; i, j = i+1, j+1 {
			b.WriteString(from[i])
		}
	}
	for _, h := range diff.Lines(plainOld, new) {
		keep(h.OldStart)
		inPlace := h.OldEnd-h.OldStart == h.NewEnd-h.NewStart
		for ; j < h.NewEnd; j++ {
			line, ended := strings.CutSuffix(to[j], "\n")
			b.WriteString(line)
			switch was := ""; {
			case !ended:
			case inPlace && strings.HasSuffix(from[i+j-h.NewStart], "\n"):
				was = from[i+j-h.NewStart]
				b.WriteString(was[len(strings.TrimSuffix(strings.TrimSuffix(was, "\n"), "\r")):])
			default:
				b.WriteString(end)
			}
		}
		i = h.OldEnd
	}
	keep(len(from))
	return b.String()
}

// endFor is how lines end that are put into s: as most of its lines do. A lone
// '\r' is chosen only where there is nothing else, for before a '\n' it would be
// another thing.
func endFor(s string) string {
	crlf := strings.Count(s, "\r\n")
	lf, cr := strings.Count(s, "\n")-crlf, strings.Count(s, "\r")-crlf
	switch {
	case crlf > lf && crlf >= cr:
		return "\r\n"
	case cr > 0 && crlf+lf == 0:
		return "\r"
	}
	return "\n"
}
