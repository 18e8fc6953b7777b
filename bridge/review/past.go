package review

import (
	"crypto/sha256"
	"errors"
	"slices"
	"strings"

	"github.com/copilot-bridge/copilot-bridge/bridge/review/lines"
)

var errNoPast = errors.New("a text came back that the file never had")

// past is what was pending in a text that the file had before: until hunks went from it by the hand of the user, or when it
// was saved. An editor's undo and redo, a buffer that is closed without being saved, or one that is back, bring exactly that
// text again: then what was pending in it is pending again, whatever was done on the way, except for what was kept. Never
// changed in place: copies of files share it.
type past struct {
	size  int
	sum   [sha256.Size]byte // of the text
	hunks []hunk
	texts []string // of the hunks
	marks []mark
	op    string // id of the pending change of the file itself, "" for none
}

// leave gives the past that the file has now, to be completed by its text; nil if its text is not known.
func (f *file) leave() *past {
	if !f.exists || f.blind {
		return nil
	}
	p := &past{size: len(f.Text), hunks: slices.Clone(f.hunks), marks: slices.Clone(f.marks)}
	if f.op != nil {
		p.op = f.op.id
	}
	for i := range f.hunks {
		p.texts = append(p.texts, f.Slice(f.hunks[i].start, f.hunks[i].end))
	}
	return p
}

// left remembers a past that leave gave before a change of text, if the change took hunks away; text is the one before it.
func (f *file) left(p *past, text string) {
	if p == nil || !f.exists || !slices.ContainsFunc(p.hunks, func(h hunk) bool { return f.hunk(h.id) < 0 }) {
		return
	}
	p.of(text)
	all := slices.DeleteFunc(slices.Clone(f.pasts), func(q *past) bool { return q.sum == p.sum })
	if over := len(all) + 1 - maxPasts; over > 0 {
		all = slices.Delete(all, 0, over)
	}
	f.pasts = append(all, p)
}

// of completes a past of a text.
func (p *past) of(text string) {
	p.sum = sha256.Sum256([]byte(text))
	for i, s := range p.texts {
		p.texts[i] = strings.Clone(s) // the whole text is not to stay in memory for them
	}
}

// is says that two pasts are of one text with the same changes in it.
func (p *past) is(o *past) bool {
	if p == nil || o == nil {
		return p == o
	}
	return p.sum == o.sum && p.op == o.op && slices.EqualFunc(p.hunks, o.hunks, func(a, b hunk) bool { return a.id == b.id && a.old == b.old })
}

// saving gives the past of the text as it is.
func (f *file) saving() *past {
	p := f.leave()
	if p != nil {
		p.of(f.Text)
	}
	return p
}

// pastOf finds the past of a text, nil if it had none or the file itself has become another one since. onDisk says that the
// text is on disk: then it is rather the one that was saved than one that looked the same.
func (f *file) pastOf(text string, onDisk bool) *past {
	var sum [sha256.Size]byte
	hashed := false
	all := append(slices.Clip(f.pasts), f.saved)
	if onDisk {
		all = append([]*past{f.saved}, f.pasts...)
	}
	for _, p := range all {
		if p == nil || p.size != len(text) || f.op != nil && f.op.id != p.op {
			continue
		}
		if !hashed {
			sum, hashed = sha256.Sum256([]byte(text)), true
		}
		if p.sum == sum {
			return p
		}
	}
	return nil
}

// comesBack says that a text of before is there again. While a change of the agent is on its way it is that change's to say.
func (b *Book) comesBack(f *file, text string) bool {
	return f.exists && f.pastOf(text, false) != nil && len(b.st.flightsOf(f.path)) == 0
}

// recall brings a past back, with its text.
func (st *state) recall(f *file, op *recallOp) error {
	if err := f.Fits(op.Blocks); err != nil {
		return err
	}
	was, text := f.leave(), f.Text
	f.Replace(op.Blocks, op.full)
	p := f.pastOf(f.Text, op.Disk)
	if p == nil {
		return errNoPast
	}
	for i := range f.hunks {
		if h := &f.hunks[i]; !slices.ContainsFunc(p.hunks, func(q hunk) bool { return q.id == h.id }) {
			st.note(f, h, "")
		}
	}
	for i := range p.hunks {
		st.unnote(p.hunks[i].id)
	}
	f.hunks, f.marks = slices.Clone(p.hunks), slices.Clone(p.marks)
	f.left(was, text)
	st.shown[f.path] = true
	return nil
}

// shed undoes the hunks without which the text is nearer to one that was found in its place: a buffer was closed without being
// saved, and the file never had them. Compared as typing, the two could differ in anything.
func (b *Book) shed(f *file, text string) {
	if !f.exists || f.blind || f.Text == text || len(f.hunks) > maxShed || len(b.st.flightsOf(f.path)) > 0 {
		return
	}
	op, now := &undoOp{Path: f.path}, f.Text
	var ks []lines.Block
	for i := range f.hunks {
		h := &f.hunks[i]
		fewer := append(slices.Clip(ks), h.block(h.old))
		if without := f.Weave(0, f.Lines(), fewer); lines.Nearer(text, without, now) {
			op.Items = append(op.Items, undoItem{ID: h.id})
			ks, now = fewer, without
		}
	}
	if len(op.Items) > 0 {
		b.do(record{Undo: op})
	}
}

// keepPast accepts a hunk in the texts that the file had before as well, where it is the same there: it is not pending again
// when one of them comes back.
func (f *file) keepPast(h *hunk) {
	now := f.Slice(h.start, h.end)
	f.eachPast(func(p *past) {
		i := slices.IndexFunc(p.hunks, func(q hunk) bool { return q.id == h.id })
		if i < 0 || p.texts[i] != now {
			return
		}
		p.marks = append(slices.Clone(p.marks), mark{kind: kept, h: p.hunks[i]})
		p.hunks = slices.Delete(slices.Clone(p.hunks), i, i+1)
		p.texts = slices.Delete(slices.Clone(p.texts), i, i+1)
	})
}

// dropMarks forgets what was kept and undone of a turn, and the texts in which something of it was pending.
func (f *file) dropMarks(turn string) {
	of := func(m mark) bool { return m.turnMatches(turn) }
	f.marks = slices.DeleteFunc(f.marks, of)
	f.pasts = slices.DeleteFunc(slices.Clone(f.pasts), func(p *past) bool {
		return slices.ContainsFunc(p.hunks, func(h hunk) bool { return h.has(turn) })
	})
	f.eachPast(func(p *past) { p.marks = slices.DeleteFunc(slices.Clone(p.marks), of) })
}

// eachPast changes copies of all pasts, and makes them those of the file.
func (f *file) eachPast(change func(*past)) {
	if f.saved != nil {
		p := *f.saved
		change(&p)
		f.saved = &p
	}
	f.pasts = slices.Clone(f.pasts)
	for i, p := range f.pasts {
		q := *p
		change(&q)
		f.pasts[i] = &q
	}
}

// back gives the hunks that a change of the text brings back among other things: an editor may tell of its redo together with
// what was typed after it.
func (f *file) back(ks []lines.Block) (ids []string) {
	for _, p := range f.markPieces() {
		if slices.ContainsFunc(ks, func(k lines.Block) bool {
			return f.Off(k.Start) == p.start && f.Off(k.End) == p.end && string(k.Text) == p.text
		}) && !slices.Contains(ids, p.id) {
			ids = append(ids, p.id)
		}
	}
	return ids
}
