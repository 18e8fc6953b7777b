package fsproxy

import (
	"github.com/copilot-bridge/copilot-bridge/fsproxy/diff"
	"github.com/copilot-bridge/copilot-bridge/fsproxy/text"
)

// trace is what is known of a request under way.
type trace struct {
	p       *plan
	texts   []text.Text   // the last of the buffer since the request, oldest first
	moves   [][]diff.Edit // what led from the plan's text to the last of texts, step by step
	torn    bool          // the buffer was closed and opened, or there were too many steps: moves are of no use
	partly  bool          // a hunk was seen to be made
	closed  bool
	answer  *answer
	verdict *verdict // once a text settled it
}

func (tr *trace) last() text.Text { return tr.texts[len(tr.texts)-1] }

func (tr *trace) untouched() bool { return tr.p.untouched(tr.last()) }

// saw looks at each text that a change of the buffer went through.
func (tr *trace) saw(c Change) {
	if c.Closed {
		tr.closed = true
		return
	}
	if c.Before == nil { // opened again, perhaps because of the edit
		tr.closed, tr.torn, tr.texts, tr.moves, tr.p.life = false, true, nil, nil, nil
	}
	if c.Before != nil && len(tr.texts) > 0 && tr.untouched() && tr.p.untouched(c.Before.Text) && tr.p.is(c.After.Text) {
		// From the text the edit was for to the one wanted, nothing else can have come between. VS Code 1.139 makes an edit letter by
		// letter, and the texts on the way may look like the edit in another place.
		tr.verdict = &verdict{kind: made, exact: true}
		return
	}
	steps := c.Steps // also those that changed nothing: an editor may tell of each hunk
	if len(steps) == 0 && (len(tr.texts) == 0 || !tr.last().Equal(c.After.Text)) {
		steps = []Step{{TextEdit{0, -1, ""}, c.After.Text}}
	}
	for _, now := range steps {
		if tr.verdict = tr.recognise(now.Text); tr.verdict != nil {
			// What comes after this is somebody else's.
			tr.verdict.exact = tr.verdict.kind == made && tr.p.is(c.After.Text)
			return
		}
		tr.remember(now)
	}
}

// remember keeps a text that says nothing about the edit yet.
func (tr *trace) remember(now Step) {
	tr.partly = tr.partly || tr.isHunk(now.Edit)
	switch {
	case tr.torn:
	case len(tr.moves) == maxMoves:
		tr.torn, tr.moves = true, nil
	case now.Edit.Start == 0 && (now.Edit.End < 0 || now.Edit.End == tr.last().Len()):
		tr.moves = append(tr.moves, diff.Fine(tr.last().String(), now.Text.String()))
	default:
		tr.moves = append(tr.moves, []diff.Edit{diff.Edit(now.Edit)})
	}
	tr.texts = append(tr.texts, now.Text)
	if n := len(tr.texts) - 1 - max(1, min(len(tr.p.edits), maxStepsLooked)); n > 0 {
		tr.texts = tr.texts[n:]
	}
}

// isHunk reports whether a step is one of the plan's edits, wherever it was made.
func (tr *trace) isHunk(step TextEdit) bool {
	if len(tr.texts) == 0 || step.End < step.Start {
		return false
	}
	was := tr.last().Slice(step.Start, step.End)
	for _, e := range tr.p.edits {
		if len(e.New)+len(was) >= minTelling && step.New == e.New && was == tr.p.from.Text.Slice(e.Start, e.End) {
			return true
		}
	}
	return false
}

// recognise looks whether a text shows the edit: made in the text it was for,
// carried over to a newer one, or made there without regard; in one step, or in one
// for each of its hunks.
func (tr *trace) recognise(now text.Text) *verdict {
	// The hunks first: one made twice looks like one made once.
	for _, i := range []int{len(tr.texts) - len(tr.p.edits), len(tr.texts) - 1} {
		if i < 0 {
			continue
		}
		there := tr.texts[i]
		carried, whole, ok := tr.carryOver(i)
		switch ok = ok && carried == now.String(); {
		case ok && whole:
			return &verdict{kind: made}
		case !ok && !tr.p.misplaced(there, now):
			continue
		case tr.p.mergedInto(there) == now.String():
			return &verdict{kind: made} // as good as in the right place
		}
		// It took with it what had been typed in its place, or is in another.
		return &verdict{kind: again, damaged: true, there: there.String(), base: now.String(), life: tr.p.life}
	}
	if tr.p.holds(now) {
		return &verdict{kind: made}
	}
	return nil
}

// carryOver makes the edits in texts[i], moved by what has changed since the plan
// (Zed does that). whole says that just the text they were to replace went for them.
func (tr *trace) carryOver(i int) (s string, whole, ok bool) {
	if tr.torn {
		return "", false, false
	}
	edits := make([]diff.Edit, len(tr.p.edits))
	for k, e := range tr.p.edits {
		edits[k] = diff.Edit(e)
	}
	return carry(edits, tr.moves[:len(tr.moves)-(len(tr.texts)-1-i)], tr.texts[i].String())
}

// carry makes edits in s, which moves have made of the text they were for. whole
// says that they replace just what they were to replace.
func carry(edits []diff.Edit, moves [][]diff.Edit, s string) (out string, whole, ok bool) {
	shifted := make([]diff.Edit, len(edits))
	whole = true
	for k, e := range edits {
		m := e
		for _, step := range moves {
			m.Start = moved(m.Start, step, true)
			m.End = max(m.Start, moved(m.End, step, false))
		}
		whole = whole && m.End-m.Start == e.End-e.Start
		shifted[k] = m
	}
	out, err := diff.Apply(s, shifted)
	return out, whole, err == nil
}

// moved gives where an offset is after edits; one at which text is put in goes
// behind it if after is set.
func moved(at int, edits []diff.Edit, after bool) int {
	shift := 0
	for _, e := range edits {
		switch {
		case at < e.Start || at == e.Start && !after:
			return at + shift
		case at < e.End:
			return e.Start + shift
		}
		shift += len(e.New) - (e.End - e.Start)
	}
	return at + shift
}
