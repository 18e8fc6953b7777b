package fsproxy

import (
	"strings"

	"github.com/copilot-bridge/copilot-bridge/fsproxy/diff"
)

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
	end := endFor(cur)
	if end == "\r" && !crs(ours) {
		ours = strings.ReplaceAll(ours, "\n", end)
	}
	switch {
	case cur == base:
		if crs(cur) {
			return withEnds(cur, ours, end), nil
		}
		return ours, nil
	case crs(cur) && !crs(ours), crs(base) && !crs(cur):
		merged, conflicts := diff.Merge3(toLF(base), toLF(ours), toLF(cur))
		return withEnds(cur, merged, end), conflicts
	default:
		return diff.Merge3(base, ours, cur)
	}
}
