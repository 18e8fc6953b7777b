package review

import "github.com/copilot-bridge/copilot-bridge/fsproxy/diff"

// flight is a change between Begin and its end.
type flight struct {
	id     uint64
	c      Change
	blocks []block // from before to after
	landed bool    // the text shows it
	orphan bool    // nobody will end it: the next text decides

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

// textual says that the change can be seen in a text.
func (fl *flight) textual() bool {
	return fl.c.NoImage == "" && (fl.c.Kind == KindEdit || fl.c.Kind == KindCreate)
}

// target gives the text of the file with the change in it, if that can be told.
func (fl *flight) target(f *file) (string, bool) {
	if f.text == fl.c.Before {
		return fl.c.After, true
	}
	if f.binary() {
		return "", false
	}
	merged, conflicts := diff.Merge3(fl.c.Before, fl.c.After, f.text)
	return merged, len(conflicts) == 0
}

// land makes a change true that was applied, whatever the text looked like so far.
func (b *Book) land(fl *flight) {
	f := b.st.files[fl.path()]
	op := &landOp{ID: fl.id}
	switch {
	case !fl.textual() || f == nil || f.text == fl.c.Before:
		op.Own = true
	case fl.saved != nil:
		op.Rewind = true
	default:
		if m, ok := fl.target(f); ok {
			op.Blocks = f.blocksTo(m)
		} else {
			b.userText(f, fl.c.Before)
			op.Own = true
		}
	}
	b.do(record{Land: op})
}

// arrive looks whether a new text of f shows a change in flight.
func (b *Book) arrive(f *file, text string) {
	for _, fl := range b.st.flightsOf(f.path) {
		if fl.landed || !fl.textual() {
			continue
		}
		if m, ok := fl.target(f); ok && (text != f.text || !f.exists) && (text == m || nearer(text, m, f.text)) {
			op := &landOp{ID: fl.id, Own: f.text == fl.c.Before, Guess: text != m}
			if !op.Own {
				op.Blocks = f.blocksTo(m)
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
	now := f.text
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
	case f == nil || !f.exists:
	case fl.saved != nil:
		b.end(fl)
	default:
		b.do(record{Land: &landOp{ID: fl.id, Blocks: f.blocksTo(before), Back: true}})
	}
}
