package review

import (
	"crypto/sha256"
	"errors"
	"slices"
	"strings"

	"github.com/copilot-bridge/copilot-bridge/bridge/review/lines"
)

var errNoPast = errors.New("a text came back that the file never had")

// past is what was pending in a text that the file had before: until the user took hunks out of it, or when it
// was saved. An editor's undo and redo, a buffer that is closed without being saved, or one that is back, bring exactly that
// text again: then what was pending in it is pending again, whatever was done on the way, except for what was kept. Never
// changed in place: copies of files share it.
type past struct {
	Size  int               `json:"size"`
	Sum   [sha256.Size]byte `json:"sum"` // of the text
	Hunks []hunk            `json:"hunks,omitzero"`
	Texts []string          `json:"texts,omitzero"` // of the hunks
	Marks []mark            `json:"marks,omitzero"`
	Op    string            `json:"op,omitzero"` // id of the pending change of the file itself, "" for none
}

// leave gives the past that the file has now, to be completed by its text; nil if its text is not known.
func (f *file) leave() *past {
	if !f.Exists || f.Blind {
		return nil
	}
	p := &past{Size: len(f.Text), Hunks: slices.Clone(f.Hunks), Marks: slices.Clone(f.Marks)}
	if f.Op != nil {
		p.Op = f.Op.ID
	}
	for i := range f.Hunks {
		p.Texts = append(p.Texts, f.Slice(f.Hunks[i].Start, f.Hunks[i].End))
	}
	return p
}

// left remembers a past that leave gave before a change of text, if the change took hunks away; text is the one before it.
func (f *file) left(p *past, text string) {
	if p == nil || !f.Exists || !slices.ContainsFunc(p.Hunks, func(h hunk) bool { return f.hunk(h.ID) < 0 }) {
		return
	}
	p.of(text)
	all := slices.DeleteFunc(slices.Clone(f.Pasts), func(q *past) bool { return q.Sum == p.Sum })
	if over := len(all) + 1 - maxPasts; over > 0 {
		all = slices.Delete(all, 0, over)
	}
	f.Pasts = append(all, p)
}

// of completes a past of a text.
func (p *past) of(text string) {
	p.Sum = sha256.Sum256([]byte(text))
	for i, s := range p.Texts {
		p.Texts[i] = strings.Clone(s) // the whole text is not to stay in memory for them
	}
}

// is says that two pasts are of one text with the same changes in it.
func (p *past) is(o *past) bool {
	if p == nil || o == nil {
		return p == o
	}
	return p.Sum == o.Sum && p.Op == o.Op && slices.EqualFunc(p.Hunks, o.Hunks, func(a, b hunk) bool { return a.ID == b.ID && a.Old == b.Old })
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
	all := append(slices.Clip(f.Pasts), f.Saved)
	if onDisk {
		all = append([]*past{f.Saved}, f.Pasts...)
	}
	for _, p := range all {
		if p == nil || p.Size != len(text) || f.Op != nil && f.Op.ID != p.Op {
			continue
		}
		if !hashed {
			sum, hashed = sha256.Sum256([]byte(text)), true
		}
		if p.Sum == sum {
			return p
		}
	}
	return nil
}

// comesBack says that a text of before is there again. While a change of the agent is on its way it is that change's to say.
func (b *Book) comesBack(f *file, text string) bool {
	return f.Exists && f.pastOf(text, false) != nil && len(b.st.flightsOf(f.Path)) == 0
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
	for i := range f.Hunks {
		if h := &f.Hunks[i]; !slices.ContainsFunc(p.Hunks, func(q hunk) bool { return q.ID == h.ID }) {
			st.note(f, h, "")
		}
	}
	for i := range p.Hunks {
		st.unnote(p.Hunks[i].ID)
	}
	f.Hunks, f.Marks = slices.Clone(p.Hunks), slices.Clone(p.Marks)
	f.left(was, text)
	st.shown[f.Path] = true
	return nil
}

// shed undoes the hunks without which the text is nearer to one that was found in its place: a buffer was closed without being
// saved, and the file never had them. Compared as typing, the two could differ in anything.
func (b *Book) shed(f *file, text string) {
	if !f.Exists || f.Blind || f.Text == text || len(f.Hunks) > maxShed || len(b.st.flightsOf(f.Path)) > 0 {
		return
	}
	op, now := &undoOp{Path: f.Path}, f.Text
	var ks []lines.Block
	for i := range f.Hunks {
		h := &f.Hunks[i]
		fewer := append(slices.Clip(ks), h.block(h.Old))
		if without := f.Weave(0, f.Lines(), fewer); lines.Nearer(text, without, now) {
			op.Items = append(op.Items, undoItem{ID: h.ID})
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
	now := f.Slice(h.Start, h.End)
	f.eachPast(func(p *past) {
		i := slices.IndexFunc(p.Hunks, func(q hunk) bool { return q.ID == h.ID })
		if i < 0 || p.Texts[i] != now {
			return
		}
		p.Marks = append(slices.Clone(p.Marks), mark{Kind: kept, Hunk: p.Hunks[i]})
		p.Hunks = slices.Delete(slices.Clone(p.Hunks), i, i+1)
		p.Texts = slices.Delete(slices.Clone(p.Texts), i, i+1)
	})
}

// partPast parts a hunk in the texts that the file had before as well, where it is the same there.
func (f *file) partPast(h *hunk, parts []hunk) {
	now := f.Slice(h.Start, h.End)
	f.eachPast(func(p *past) {
		i := slices.IndexFunc(p.Hunks, func(q hunk) bool { return q.ID == h.ID && q.Old == h.Old && len(q.Layers) == len(h.Layers) })
		if i < 0 || p.Texts[i] != now {
			return
		}
		there, texts := slices.Clone(parts), make([]string, len(parts))
		for n := range there {
			texts[n] = strings.Clone(f.Slice(parts[n].Start, parts[n].End))
			there[n].Start, there[n].End, there[n].Rank = parts[n].Start-h.Start+p.Hunks[i].Start, parts[n].End-h.Start+p.Hunks[i].Start, p.Hunks[i].Rank
		}
		p.Hunks = slices.Replace(slices.Clone(p.Hunks), i, i+1, there...)
		p.Texts = slices.Replace(slices.Clone(p.Texts), i, i+1, texts...)
	})
}

// dropMarks forgets what was kept and undone of a turn, and the texts in which something of it was pending.
func (f *file) dropMarks(turn string) {
	of := func(m mark) bool { return m.turnMatches(turn) }
	f.Marks = slices.DeleteFunc(f.Marks, of)
	f.Pasts = slices.DeleteFunc(slices.Clone(f.Pasts), func(p *past) bool {
		return slices.ContainsFunc(p.Hunks, func(h hunk) bool { return h.has(turn) })
	})
	f.eachPast(func(p *past) { p.Marks = slices.DeleteFunc(slices.Clone(p.Marks), of) })
}

// eachPast changes copies of all pasts, and makes them those of the file.
func (f *file) eachPast(change func(*past)) {
	if f.Saved != nil {
		p := *f.Saved
		change(&p)
		f.Saved = &p
	}
	f.Pasts = slices.Clone(f.Pasts)
	for i, p := range f.Pasts {
		q := *p
		change(&q)
		f.Pasts[i] = &q
	}
}

// back gives the hunks that a change of the text brings back among other things: an editor may tell of its redo together with
// what was typed after it.
func (f *file) back(ks []lines.Block) (ids []string) {
	for _, p := range f.markPieces() {
		if slices.ContainsFunc(ks, func(k lines.Block) bool {
			return f.Off(k.Start) == p.start && f.Off(k.End) == p.end && k.Text == p.text
		}) && !slices.Contains(ids, p.id) {
			ids = append(ids, p.id)
		}
	}
	return ids
}
