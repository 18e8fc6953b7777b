package review

import (
	"fmt"
	"io/fs"
	"maps"
	"slices"

	"github.com/copilot-bridge/copilot-bridge/bridge/review/lines"
)

// fileRec is a whole file in a snapshot.
type fileRec struct {
	Path    string      `json:"path"`
	Text    lines.Blob  `json:"text,omitempty"`
	Exists  bool        `json:"exists,omitempty"`
	Based   bool        `json:"based,omitempty"`
	Missing bool        `json:"missing,omitempty"`
	Blind   bool        `json:"blind,omitempty"`
	From    string      `json:"from,omitempty"`
	Op      *opRec      `json:"op,omitempty"`
	Opaque  *opRec      `json:"opaque,omitempty"`
	Mode    fs.FileMode `json:"mode,omitempty"`
	BOM     bool        `json:"bom,omitempty"`
	Remode  bool        `json:"remode,omitempty"`
	Hunks   []hunkRec   `json:"hunks,omitempty"`
	Marks   []markRec   `json:"marks,omitempty"`
	Pasts   []*pastRec  `json:"pasts,omitempty"`
	Saved   *pastRec    `json:"saved,omitempty"`
	Image   *imageRec   `json:"image,omitempty"`
}

type pastRec struct {
	Size  int          `json:"size"`
	Sum   []byte       `json:"sum"`
	Hunks []hunkRec    `json:"hunks,omitempty"`
	Texts []lines.Blob `json:"texts,omitempty"`
	Marks []markRec    `json:"marks,omitempty"`
	Op    string       `json:"op,omitempty"`
}

type opRec struct {
	ID      string   `json:"id"`
	Session string   `json:"session"`
	Turn    string   `json:"turn"`
	Kind    Kind     `json:"kind"`
	From    string   `json:"from,omitempty"`
	To      string   `json:"to,omitempty"`
	Dirs    []string `json:"dirs,omitempty"`
	Reason  string   `json:"reason,omitempty"`
	Mixed   bool     `json:"mixed,omitempty"`
}

type hunkRec struct {
	ID      string     `json:"id"`
	Start   int        `json:"a"`
	End     int        `json:"b"`
	Old     lines.Blob `json:"old,omitempty"`
	Layers  []layerRec `json:"layers"`
	Touched bool       `json:"touched,omitempty"`
	After   lines.Blob `json:"after,omitempty"`
	Group   uint64     `json:"group,omitempty"`
	Rank    int        `json:"rank"`
}

type layerRec struct {
	Session string     `json:"session"`
	Turn    string     `json:"turn"`
	Change  uint64     `json:"change"`
	Before  lines.Blob `json:"before,omitempty"` // not for the first: that is the hunk's old text
}

type markRec struct {
	Kind  markKind   `json:"kind"`
	Hunk  hunkRec    `json:"hunk"`
	Text  lines.Blob `json:"text,omitempty"`
	Part  bool       `json:"part,omitempty"`
	File  *opRec     `json:"file,omitempty"`
	Group uint64     `json:"group,omitempty"`
	Stale bool       `json:"stale,omitempty"`
	Turn  string     `json:"turn,omitempty"`
	Fresh bool       `json:"fresh,omitempty"`
}

// restRec is everything that is not a file.
type restRec struct {
	Turns   []string    `json:"turns,omitempty"`
	Notes   []note      `json:"notes,omitempty"`
	Flights []flightRec `json:"flights,omitempty"`
	Taken   []taken     `json:"taken,omitempty"`
	Hunk    uint64      `json:"hunk"`
	Change  uint64      `json:"change"`
	Flight  uint64      `json:"flight"`
	Group   uint64      `json:"group"`
}

type flightRec struct {
	ID     uint64    `json:"id"`
	Change changeRec `json:"change"`
	Landed bool      `json:"landed,omitempty"`
}

func (o *fileOp) record() *opRec {
	if o == nil {
		return nil
	}
	return &opRec{o.id, o.session, o.turn, o.kind, o.from, o.to, o.dirs, o.reason, o.mixed}
}

func (r *opRec) op() *fileOp {
	if r == nil {
		return nil
	}
	return &fileOp{r.ID, r.Session, r.Turn, r.Kind, r.From, r.To, r.Dirs, r.Reason, r.Mixed}
}

func (h *hunk) record() hunkRec {
	r := hunkRec{ID: h.id, Start: h.start, End: h.end, Old: lines.Blob(h.old), Touched: h.touched, After: lines.Blob(h.after), Group: h.group, Rank: h.rank}
	for i, l := range h.layers {
		lr := layerRec{l.session, l.turn, l.change, lines.Blob(l.before)}
		if i == 0 {
			lr.Before = ""
		}
		r.Layers = append(r.Layers, lr)
	}
	return r
}

func (r *hunkRec) hunk() hunk {
	h := hunk{id: r.ID, start: r.Start, end: r.End, old: string(r.Old), touched: r.Touched, after: string(r.After), group: r.Group, rank: r.Rank}
	for i, l := range r.Layers {
		before := string(l.Before)
		if i == 0 {
			before = h.old
		}
		h.layers = append(h.layers, layer{l.Session, l.Turn, l.Change, before})
	}
	return h
}

func (f *file) record() *fileRec {
	r := &fileRec{
		Path: f.path, Text: lines.Blob(f.Text), Exists: f.exists, Based: f.based, Missing: f.missing, Blind: f.blind, From: f.from,
		Op: f.op.record(), Opaque: f.opaque.record(), Mode: f.mode, BOM: f.bom, Remode: f.remode,
	}
	for i := range f.hunks {
		r.Hunks = append(r.Hunks, f.hunks[i].record())
	}
	r.Marks = recordMarks(f.marks)
	for _, p := range f.pasts {
		r.Pasts = append(r.Pasts, p.record())
	}
	r.Saved, r.Image = f.saved.record(), f.image.record()
	return r
}

func (p *past) record() *pastRec {
	if p == nil {
		return nil
	}
	r := &pastRec{Size: p.size, Sum: p.sum[:], Marks: recordMarks(p.marks), Op: p.op}
	for i := range p.hunks {
		r.Hunks, r.Texts = append(r.Hunks, p.hunks[i].record()), append(r.Texts, lines.Blob(p.texts[i]))
	}
	return r
}

func recordMarks(ms []mark) (out []markRec) {
	for i := range ms {
		m := &ms[i]
		out = append(out, markRec{m.kind, m.h.record(), lines.Blob(m.text), m.part, m.file.record(), m.group, m.stale, m.undoneTurn, m.fresh})
	}
	return out
}

// mark is nil for one that belongs to nothing.
func (m *markRec) mark() *mark {
	if len(m.Hunk.Layers) == 0 {
		return nil
	}
	return &mark{m.Kind, m.Hunk.hunk(), string(m.Text), m.Part, m.File.op(), m.Group, m.Stale, m.Turn, m.Fresh}
}

// past is nil for one that is damaged: then the text that comes back is the user's.
func (r *pastRec) past() *past {
	if r == nil {
		return nil
	}
	p := &past{size: r.Size, op: r.Op}
	if copy(p.sum[:], r.Sum) != len(p.sum) || len(r.Hunks) != len(r.Texts) {
		return nil
	}
	at := 0
	for i := range r.Hunks {
		h := &r.Hunks[i]
		if len(h.Layers) == 0 || h.Start < at || h.End-h.Start != lines.Count(string(r.Texts[i])) {
			return nil
		}
		at = h.End
		p.hunks, p.texts = append(p.hunks, h.hunk()), append(p.texts, string(r.Texts[i]))
	}
	for i := range r.Marks {
		m := r.Marks[i].mark()
		if m == nil {
			return nil
		}
		p.marks = append(p.marks, *m)
	}
	return p
}

func (st *state) restoreFile(r *fileRec) error {
	f := &file{
		path: r.Path, Body: lines.New(string(r.Text)), exists: r.Exists, based: r.Based, missing: r.Missing, blind: r.Blind, from: r.From,
		op: r.Op.op(), opaque: r.Opaque.op(), mode: r.Mode, bom: r.BOM, remode: r.Remode,
	}
	var ks []lines.Block
	for i := range r.Hunks {
		if len(r.Hunks[i].Layers) == 0 {
			return fmt.Errorf("hunk %s of %s belongs to no turn", r.Hunks[i].ID, f.path)
		}
		f.hunks = append(f.hunks, r.Hunks[i].hunk())
		ks = append(ks, lines.Block{Start: r.Hunks[i].Start, End: r.Hunks[i].End})
	}
	for _, m := range r.Marks {
		is := m.mark()
		if is == nil || !is.stale && f.Fits([]lines.Block{{Start: is.h.start, End: is.h.end}}) != nil {
			return fmt.Errorf("mark %s of %s is nowhere", m.Hunk.ID, f.path)
		}
		f.marks = append(f.marks, *is)
	}
	for i := range r.Pasts {
		if p := r.Pasts[i].past(); p != nil {
			f.pasts = append(f.pasts, p)
		}
	}
	f.saved, f.image = r.Saved.past(), r.Image.image()
	if err := f.Fits(ks); err != nil {
		return err
	}
	st.files[f.path] = f
	return nil
}

func (st *state) rest() *restRec {
	r := &restRec{Turns: st.turns, Notes: st.notes, Taken: st.taken, Hunk: st.nextHunk, Change: st.nextChange, Flight: st.nextFlight, Group: st.nextGroup}
	for _, fl := range st.all() {
		c := fl.c.record()
		c.After = fl.blocks
		r.Flights = append(r.Flights, flightRec{fl.id, c, fl.landed})
	}
	return r
}

func (st *state) restoreRest(r *restRec) error {
	st.turns, st.notes, st.taken = r.Turns, r.Notes, r.Taken
	st.nextHunk, st.nextChange, st.nextFlight, st.nextGroup = r.Hunk, r.Change, r.Flight, r.Group
	for _, fr := range r.Flights {
		if was := lines.New(string(fr.Change.Before)); was.Fits(fr.Change.After) != nil {
			return fmt.Errorf("a change of %s that does not fit its text", fr.Change.Path)
		}
		st.flights[fr.ID] = &flight{id: fr.ID, c: fr.Change.change(string(fr.Change.Before)), blocks: fr.Change.After, landed: fr.Landed}
	}
	return nil
}

// snapshot gives the records that lead to the state, without the header, and makes the state what they lead to.
func (st *state) snapshot(each func(any) error) error {
	for _, fl := range st.flights {
		fl.saved = nil // not in the snapshot
	}
	for _, path := range slices.Sorted(maps.Keys(st.files)) {
		if err := each(record{File: st.files[path].record()}); err != nil {
			return err
		}
	}
	return each(record{Rest: st.rest()})
}

// weight says roughly how many bytes a snapshot takes.
func (st *state) weight() int {
	n := 0
	hunk := func(h *hunk) {
		n += 200 + len(h.old) + len(h.after)
		for _, l := range h.layers[min(1, len(h.layers)):] {
			n += 100 + len(l.before)
		}
	}
	for _, f := range st.files {
		n += 200 + len(f.Text)
		if f.image != nil {
			n += len(f.image.disk)
		}
		for i := range f.hunks {
			hunk(&f.hunks[i])
		}
		marks := func(ms []mark) {
			for i := range ms {
				n += len(ms[i].text)
				hunk(&ms[i].h)
			}
		}
		marks(f.marks)
		for _, p := range append(slices.Clip(f.pasts), f.saved) {
			if p == nil {
				continue
			}
			marks(p.marks)
			for i := range p.hunks {
				n += len(p.texts[i])
				hunk(&p.hunks[i])
			}
		}
	}
	for _, fl := range st.flights {
		n += len(fl.c.Before) + len(fl.c.After)
	}
	return n
}

// oldest gives the turn whose change is the oldest that can still be undone or redone.
func (st *state) oldest() (turn string, ok bool) {
	var at uint64
	see := func(h *hunk) {
		for _, l := range h.layers {
			if !ok || l.change < at {
				turn, at, ok = l.turn, l.change, true
			}
		}
	}
	for _, f := range st.files {
		for i := range f.hunks {
			see(&f.hunks[i])
		}
		for i := range f.marks {
			see(&f.marks[i].h)
		}
	}
	return turn, ok
}
