package review

import (
	"cmp"
	"slices"
	"strings"

	"github.com/copilot-bridge/copilot-bridge/bridge/review/lines"
)

// hunk is a changed region: lines [start, end) of the current text, which stand
// for the text old of the base.
type hunk struct {
	id         string
	start, end int
	old        string

	// layers has one entry for each time that a turn began to change the hunk,
	// oldest first, at least one. The first one's before is old. Never changed in
	// place: copies of hunks share it.
	layers []layer

	// touched says that the user changed the hunk since the agent last did. For a
	// hunk of several layers, after is its text before that.
	touched bool
	after   string

	// rank is the hunk's place among all hunks and marks of the file. It decides
	// where several of them stand at one place because they have no lines.
	rank int

	// group is the change of the agent that last made or joined the hunk: what an
	// editor's undo takes back in one step.
	group uint64
}

// layer is the part of one turn in a hunk.
type layer struct {
	session, turn string
	change        uint64 // the change that began it
	before        string // the hunk's text until then
}

// block puts a text in place of the hunk.
func (h *hunk) block(text string) lines.Block {
	return lines.Block{Start: h.start, End: h.end, Text: lines.Blob(text), Rank: h.rank}
}

func (h *hunk) turn() string    { return h.layers[len(h.layers)-1].turn }
func (h *hunk) session() string { return h.layers[len(h.layers)-1].session }

// has says that a turn has a part in the hunk.
func (h *hunk) has(turn string) bool {
	return slices.ContainsFunc(h.layers, func(l layer) bool { return l.turn == turn })
}

// only says that no other turn has a part in the hunk.
func (h *hunk) only(turn string) bool {
	return !slices.ContainsFunc(h.layers, func(l layer) bool { return l.turn != turn })
}

// at gives the text of the hunk just before a change began, now being its text by now.
func (h *hunk) at(change uint64, now string) string {
	for _, l := range h.layers {
		if l.change >= change {
			return l.before
		}
	}
	return now
}

// written gives the text of the hunk when its last layer was last written by the agent.
func (h *hunk) written(now string) string {
	if h.touched && len(h.layers) > 1 {
		return h.after
	}
	return now
}

// join makes one hunk of several that follow each other. lo and hi bound its
// lines in b, the text the hunks are positioned in, and may reach into the lines
// around and between them, which are the same in all versions.
func join(b *lines.Body, lo, hi int, hs []hunk) hunk {
	j := hunk{start: lo, end: hi}
	if len(hs) > 0 {
		j.id, j.rank = hs[0].id, hs[0].rank
	}
	// over gives the region with the text of each hunk chosen by pick.
	over := func(pick func(h *hunk) string) string {
		var out strings.Builder
		at := lo
		for i := range hs {
			out.WriteString(b.Slice(at, hs[i].start))
			out.WriteString(pick(&hs[i]))
			at = hs[i].end
		}
		out.WriteString(b.Slice(at, hi))
		return out.String()
	}
	now := func(h *hunk) string { return b.Slice(h.start, h.end) }
	j.old = over(func(h *hunk) string { return h.old })
	var all []layer
	for i := range hs {
		all = append(all, hs[i].layers...)
		j.touched = j.touched || hs[i].touched
		j.group = max(j.group, hs[i].group)
	}
	slices.SortStableFunc(all, func(x, y layer) int { return cmp.Compare(x.change, y.change) })
	for _, l := range all {
		if n := len(j.layers); n > 0 && j.layers[n-1].turn == l.turn {
			continue
		}
		l.before = over(func(h *hunk) string { return h.at(l.change, now(h)) })
		j.layers = append(j.layers, l)
	}
	if len(j.layers) > 0 {
		j.layers[0].before = j.old
	}
	if j.touched && len(j.layers) > 1 {
		j.after = over(func(h *hunk) string { return h.written(now(h)) })
	}
	return j
}

// trim takes lines at the ends of the hunk out of it that are the same in all its versions.
func (h *hunk) trim(b *lines.Body) {
	now := lines.New(b.Slice(h.start, h.end))
	rest := []string{h.old}
	for _, l := range h.layers[1:] {
		rest = append(rest, l.before)
	}
	if h.touched && len(h.layers) > 1 {
		rest = append(rest, h.after)
	}
	head, tail := now.Lines(), now.Lines()
	for _, r := range rest {
		o := lines.New(r)
		head, tail = min(head, o.Lines()), min(tail, o.Lines())
		p := 0
		for p < head && now.Slice(p, p+1) == o.Slice(p, p+1) {
			p++
		}
		head = p
		q := 0
		for q < min(tail, now.Lines()-head, o.Lines()-head) && now.Slice(now.Lines()-q-1, now.Lines()-q) == o.Slice(o.Lines()-q-1, o.Lines()-q) {
			q++
		}
		tail = q
	}
	// A later version may have shortened head after an earlier one bounded tail by it: only ever to less.
	if head == 0 && tail == 0 {
		return
	}
	cut := func(s string) string {
		o := lines.New(s)
		return strings.Clone(o.Slice(head, o.Lines()-tail))
	}
	h.start, h.end, h.old = h.start+head, h.end-tail, cut(h.old)
	layers := slices.Clone(h.layers)
	for i := range layers {
		layers[i].before = cut(layers[i].before)
	}
	layers[0].before = h.old
	h.layers = layers
	if h.after != "" {
		h.after = cut(h.after)
	}
}
