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
	ID    string `json:"id"`
	Start int    `json:"a"`
	End   int    `json:"b"`
	Old   string `json:"old,omitzero"`

	// Layers has one entry for each time that a turn began to change the hunk,
	// oldest first, at least one. The first one's before is old. Never changed in
	// place: copies of hunks share it.
	Layers []layer `json:"layers"`

	// Touched says that the user changed the hunk since the agent last did. For a
	// hunk of several layers, After is its text before that.
	Touched bool   `json:"touched,omitzero"`
	After   string `json:"after,omitzero"`

	// Rank is where the hunk stands among all hunks and marks of the file. It decides
	// where several of them stand at one place because they have no lines.
	Rank int `json:"rank"`

	// Group is the change of the agent that last made or joined the hunk: what an
	// editor's undo takes back in one step.
	Group uint64 `json:"group,omitzero"`
}

// layer is the part of one turn in a hunk.
type layer struct {
	Session string `json:"session"`
	Turn    string `json:"turn"`
	Change  uint64 `json:"change"`          // the change that began it
	Before  string `json:"before,omitzero"` // the hunk's text until then
}

// block puts a text in place of the hunk.
func (h *hunk) block(text string) lines.Block {
	return lines.Block{Start: h.Start, End: h.End, Text: text, Rank: h.Rank}
}

func (h *hunk) turn() string    { return h.Layers[len(h.Layers)-1].Turn }
func (h *hunk) session() string { return h.Layers[len(h.Layers)-1].Session }

// has says that a turn has a part in the hunk.
func (h *hunk) has(turn string) bool {
	return slices.ContainsFunc(h.Layers, func(l layer) bool { return l.Turn == turn })
}

// only says that no other turn has a part in the hunk.
func (h *hunk) only(turn string) bool {
	return !slices.ContainsFunc(h.Layers, func(l layer) bool { return l.Turn != turn })
}

// at gives the text of the hunk just before a change began, now being its text by now.
func (h *hunk) at(change uint64, now string) string {
	for _, l := range h.Layers {
		if l.Change >= change {
			return l.Before
		}
	}
	return now
}

// written gives the text of the hunk when its last layer was last written by the agent.
func (h *hunk) written(now string) string {
	if h.Touched && len(h.Layers) > 1 {
		return h.After
	}
	return now
}

// join makes one hunk of several that follow each other. lo and hi bound its
// lines in b, the text the hunks are positioned in, and may reach into the lines
// around and between them, which are the same in all versions.
func join(b *lines.Body, lo, hi int, hs []hunk) hunk {
	j := hunk{Start: lo, End: hi}
	if len(hs) > 0 {
		j.ID, j.Rank = hs[0].ID, hs[0].Rank
	}
	// over gives the region with the text of each hunk chosen by pick.
	over := func(pick func(h *hunk) string) string {
		var out strings.Builder
		at := lo
		for i := range hs {
			out.WriteString(b.Slice(at, hs[i].Start))
			out.WriteString(pick(&hs[i]))
			at = hs[i].End
		}
		out.WriteString(b.Slice(at, hi))
		return out.String()
	}
	now := func(h *hunk) string { return b.Slice(h.Start, h.End) }
	j.Old = over(func(h *hunk) string { return h.Old })
	var all []layer
	for i := range hs {
		all = append(all, hs[i].Layers...)
		j.Touched = j.Touched || hs[i].Touched
		j.Group = max(j.Group, hs[i].Group)
	}
	slices.SortStableFunc(all, func(x, y layer) int { return cmp.Compare(x.Change, y.Change) })
	for _, l := range all {
		if n := len(j.Layers); n > 0 && j.Layers[n-1].Turn == l.Turn {
			continue
		}
		l.Before = over(func(h *hunk) string { return h.at(l.Change, now(h)) })
		j.Layers = append(j.Layers, l)
	}
	if len(j.Layers) > 0 {
		j.Layers[0].Before = j.Old
	}
	if j.Touched && len(j.Layers) > 1 {
		j.After = over(func(h *hunk) string { return h.written(now(h)) })
	}
	return j
}

// trim takes lines at the ends of the hunk out of it that are the same in all its versions.
func (h *hunk) trim(b *lines.Body) {
	now := lines.New(b.Slice(h.Start, h.End))
	rest := []string{h.Old}
	for _, l := range h.Layers[1:] {
		rest = append(rest, l.Before)
	}
	if h.Touched && len(h.Layers) > 1 {
		rest = append(rest, h.After)
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
	h.Start, h.End, h.Old = h.Start+head, h.End-tail, cut(h.Old)
	layers := slices.Clone(h.Layers)
	for i := range layers {
		layers[i].Before = cut(layers[i].Before)
	}
	layers[0].Before = h.Old
	h.Layers = layers
	if h.After != "" {
		h.After = cut(h.After)
	}
}
