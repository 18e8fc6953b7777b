package fsproxy

import (
	"strings"

	"github.com/copilot-bridge/copilot-bridge/fsproxy/diff"
	"github.com/copilot-bridge/copilot-bridge/fsproxy/text"
)

// withEnds gives new the line ends of the text it replaces: a line that was there
// keeps its bytes, a line edited in place its end, and what is put in gets eol. A
// new that has a '\r' of its own, or a text without one, leaves nothing to do.
func withEnds(old, new string, eol text.EOL) string {
	if strings.Contains(new, "\r") {
		return new
	}
	if !strings.Contains(old, "\r\n") {
		return text.ConvertEOL(new, eol)
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
				b.WriteString(eol.Bytes())
			}
		}
		i = h.OldEnd
	}
	keep(len(from))
	return b.String()
}

// endsFor is how lines end that are put into s: as most of its lines do. A lone
// '\r' is chosen only where there is nothing else, for before a '\n' it would be
// another thing.
func endsFor(s string) text.EOL {
	t := text.New(s)
	if e := text.MajorityEOL(t); e != text.CR || text.EOLOf(t) == text.CR {
		return e
	}
	return text.LF
}

// Adapted is a change from one text to another, made in a third that came of the first; false if both change the same place.
func Adapted(from, to, cur string) (string, bool) {
	out, conflicts := adapt(from, to, cur)
	return out, len(conflicts) == 0
}

// adapt merges what a writer made of base into cur, the text that is there, and
// says where that cannot be done. It minds the line ends: a writer that knows only
// '\n' changes no '\r\n' into it, and one that read '\r\n' on disk can write to the
// buffer of an editor that hides the '\r'. A writer that brings '\r' into a text
// that had none means it.
func adapt(base, ours, cur string) (string, []diff.Conflict) {
	if ours == base {
		return cur, nil
	}
	crs := func(s string) bool { return strings.Contains(s, "\r") }
	eol := endsFor(cur)
	if eol == text.CR && !crs(ours) {
		ours = text.ConvertEOL(ours, text.CR)
	}
	switch {
	case cur == base:
		if crs(cur) {
			return withEnds(cur, ours, eol), nil
		}
		return ours, nil
	case crs(cur) && !crs(ours), crs(base) && !crs(cur):
		merged, conflicts := diff.Merge3(toLF(base), toLF(ours), toLF(cur))
		return withEnds(cur, merged, eol), conflicts
	default:
		return diff.Merge3(base, ours, cur)
	}
}
