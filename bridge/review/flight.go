package review

import (
	"slices"

	"github.com/copilot-bridge/copilot-bridge/bridge/review/lines"
	"github.com/copilot-bridge/copilot-bridge/fsproxy/diff"
)

// flight is a change between Begin and its end.
type flight struct {
	id     uint64
	c      Change
	blocks []lines.Block // from before to after
	landed bool          // the text shows it
	guess  bool          // it only looks more like it than not: some of it may be still to come
	change uint64        // its number as a change, once landed
	orphan bool          // nobody will end it: the next text decides

	renamed bool // the user renamed the file since Begin

	// at is blocks in the text as it is now, moved along with the user's typing;
	// nil where that has come too near to them.
	at []lines.Block

	// saved is the file as it was at Begin, as long as nobody decided about a hunk
	// since. If the change turns out to have been in the text although it did not
	// look so, or not although it did, everything since is judged anew from there.
	saved *file
}

// path is where the file is while the change has not been applied.
func (fl *flight) path() string {
	if fl.c.Kind == KindMove && !fl.landed {
		return fl.c.From
	}
	return fl.c.Path
}

// waitsFor says that a hunk is of this change and may not have been in the text yet: nobody can have undone it.
func (fl *flight) waitsFor(h *hunk) bool {
	return fl.landed && fl.guess && len(h.Layers) == 1 && h.Layers[0].Change == fl.change
}

// guesses says that a text looked like a change of which some may be still to come: a hunk that is not there need not have
// been undone.
func (st *state) guesses(path string) bool {
	return slices.ContainsFunc(st.flightsOf(path), func(fl *flight) bool { return fl.landed && fl.guess })
}

// textual says that the change can be seen in a text.
func (fl *flight) textual() bool {
	return fl.c.NoImage == "" && (fl.c.Kind == KindEdit || fl.c.Kind == KindCreate)
}

// target gives the text of the file with the change in it, if that can be told.
func (fl *flight) target(f *file) (string, bool) {
	if f.Text == fl.c.Before {
		return fl.c.After, true
	}
	if fl.at != nil {
		return f.Weave(0, f.Lines(), fl.at), true
	}
	if f.binary() {
		return "", false
	}
	merged, conflicts := diff.Merge3(fl.c.Before, fl.c.After, f.Text)
	return merged, len(conflicts) == 0
}

// elsewhere says that a new text of f differs from the last only where the change
// is not: what a keystroke is told by, without comparing whole texts.
func (fl *flight) elsewhere(f *file, text string) bool {
	if fl.at == nil || !f.Exists || text == f.Text {
		return false
	}
	lo, hi, _ := f.Window(text, lines.SharedEnds(f.Text, text))
	return slices.ContainsFunc(fl.at, func(k lines.Block) bool { return k.End < lo || k.Start > hi })
}

// land makes a change true that was applied, whatever the text looked like so far.
func (b *Book) land(fl *flight) {
	f := b.st.files[fl.path()]
	op := &landOp{ID: fl.id}
	switch {
	case !fl.textual() || f == nil || f.Text == fl.c.Before:
		op.Own = true
	case fl.saved != nil:
		op.Rewind = true
	default:
		if m, ok := fl.target(f); ok {
			op.Blocks = f.BlocksTo(m)
		} else {
			b.userText(f, fl.c.Before)
			op.Own = true
		}
	}
	b.do(record{Land: op})
}

// arrive looks whether a new text of f shows a change in flight.
func (b *Book) arrive(f *file, text string) {
	for _, fl := range b.st.flightsOf(f.Path) {
		if fl.landed && fl.guess && fl.saved != nil && text == fl.c.After && text != f.Text {
			// The last of several edits that are told one by one: those before it were no typing either.
			b.do(record{Land: &landOp{ID: fl.id, Rewind: true}})
		}
		if !fl.textual() {
			continue
		}
		if fl.landed || fl.elsewhere(f, text) {
			// It has been decided already, or the text is as it was where the change would show.
		} else if m, ok := fl.target(f); ok && (text != f.Text || !f.Exists) && lines.Shows(text, m, f.Text) {
			op := &landOp{ID: fl.id, Own: f.Text == fl.c.Before, Guess: text != m}
			// An editor may tell of the edits of one change one by one; what looked like typing on the way was not.
			op.Rewind = !op.Own && text == fl.c.After && fl.saved != nil
			if !op.Own && !op.Rewind {
				op.Blocks = f.BlocksTo(m)
			}
			b.do(record{Land: op})
		}
		if fl.orphan {
			b.do(record{Close: &closeOp{ID: fl.id}})
		}
	}
}

// end closes a change that was not applied. If a text had looked like it, that
// text is judged anew without it.
func (b *Book) end(fl *flight) {
	f := b.st.files[fl.path()]
	if f == nil || !fl.landed || fl.saved == nil {
		b.do(record{Close: &closeOp{ID: fl.id}})
		return
	}
	now := f.Text
	b.do(record{Close: &closeOp{ID: fl.id, Back: true}})
	if f = b.st.files[fl.c.Path]; f != nil {
		b.userText(f, now)
	}
}

// takeBack makes a change that a text had looked like one in flight again, which
// starts from the text before.
func (b *Book) takeBack(fl *flight, before string) {
	f := b.st.files[fl.path()]
	switch {
	case f == nil || !f.Exists:
	case fl.saved != nil:
		b.end(fl)
	default:
		b.do(record{Land: &landOp{ID: fl.id, Blocks: f.BlocksTo(before), Back: true}})
	}
}
