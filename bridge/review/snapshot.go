package review

import (
	"fmt"
	"maps"
	"slices"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/copilot-bridge/copilot-bridge/bridge/review/lines"
)

// restRec is everything that is not a file.
type restRec struct {
	rest
	Flights []flightRec `json:"flights,omitzero"`
}

type flightRec struct {
	ID     uint64    `json:"id"`
	Change changeRec `json:"change"`
	Landed bool      `json:"landed,omitzero"`
}

// hunkFields is a hunk without its methods.
type hunkFields hunk

// MarshalJSONTo leaves the text before the first layer out: it is the hunk's old text.
func (h hunk) MarshalJSONTo(enc *jsontext.Encoder) error {
	if len(h.Layers) > 0 {
		h.Layers = slices.Clone(h.Layers)
		h.Layers[0].Before = ""
	}
	return json.MarshalEncode(enc, hunkFields(h))
}

// UnmarshalJSONFrom puts it in again.
func (h *hunk) UnmarshalJSONFrom(dec *jsontext.Decoder) error {
	if err := json.UnmarshalDecode(dec, (*hunkFields)(h)); err != nil || len(h.Layers) == 0 {
		return err
	}
	h.Layers[0].Before = h.Old
	return nil
}

// damaged says of a past that came from a journal that it belongs to nothing: then the text that comes back is the user's.
func (p *past) damaged() bool {
	if len(p.Hunks) != len(p.Texts) {
		return true
	}
	at := 0
	for i, h := range p.Hunks {
		if len(h.Layers) == 0 || h.Start < at || h.End-h.Start != lines.Count(p.Texts[i]) {
			return true
		}
		at = h.End
	}
	return slices.ContainsFunc(p.Marks, func(m mark) bool { return len(m.Hunk.Layers) == 0 })
}

// restoreFile takes in a file of a snapshot.
func (st *state) restoreFile(f *file) error {
	f.Body = lines.New(f.Text)
	var ks []lines.Block
	for _, h := range f.Hunks {
		if len(h.Layers) == 0 {
			return fmt.Errorf("hunk %s of %s belongs to no turn", h.ID, f.Path)
		}
		ks = append(ks, lines.Block{Start: h.Start, End: h.End})
	}
	for _, m := range f.Marks {
		if len(m.Hunk.Layers) == 0 || !m.Stale && f.Fits([]lines.Block{{Start: m.Hunk.Start, End: m.Hunk.End}}) != nil {
			return fmt.Errorf("mark %s of %s is nowhere", m.Hunk.ID, f.Path)
		}
	}
	f.Pasts = slices.DeleteFunc(f.Pasts, (*past).damaged)
	if f.Saved != nil && f.Saved.damaged() {
		f.Saved = nil
	}
	if err := f.Fits(ks); err != nil {
		return err
	}
	st.files[f.Path] = f
	return nil
}

// restoreRest takes in the end of a snapshot.
func (st *state) restoreRest(r *restRec) error {
	st.rest = r.rest
	for _, fr := range r.Flights {
		if was := lines.New(fr.Change.Before); was.Fits(fr.Change.Blocks) != nil {
			return fmt.Errorf("a change of %s that does not fit its text", fr.Change.Path)
		}
		st.flights[fr.ID] = &flight{id: fr.ID, c: fr.Change.change(fr.Change.Before), blocks: fr.Change.Blocks, landed: fr.Landed}
	}
	return nil
}

// snapshot gives the records that lead to the state, without the header, and makes the state what they lead to.
func (st *state) snapshot(each func(any) error) error {
	for _, fl := range st.flights {
		fl.saved = nil // not in the snapshot
	}
	for _, path := range slices.Sorted(maps.Keys(st.files)) {
		if err := each(record{File: st.files[path]}); err != nil {
			return err
		}
	}
	r := &restRec{rest: st.rest}
	for _, fl := range st.all() {
		r.Flights = append(r.Flights, flightRec{fl.id, changeRec{Change: fl.c, Blocks: fl.blocks}, fl.landed})
	}
	return each(record{Rest: r})
}

// weight says roughly how many bytes a snapshot takes.
func (st *state) weight() int {
	n := 0
	hunk := func(h *hunk) {
		n += 200 + len(h.Old) + len(h.After)
		for _, l := range h.Layers[min(1, len(h.Layers)):] {
			n += 100 + len(l.Before)
		}
	}
	for _, f := range st.files {
		n += 200 + len(f.Text)
		if f.Image != nil {
			n += len(f.Image.Disk)
		}
		for i := range f.Hunks {
			hunk(&f.Hunks[i])
		}
		marks := func(ms []mark) {
			for i := range ms {
				n += len(ms[i].Text)
				hunk(&ms[i].Hunk)
			}
		}
		marks(f.Marks)
		for _, p := range append(slices.Clip(f.Pasts), f.Saved) {
			if p == nil {
				continue
			}
			marks(p.Marks)
			for i := range p.Hunks {
				n += len(p.Texts[i])
				hunk(&p.Hunks[i])
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
		for _, l := range h.Layers {
			if !ok || l.Change < at {
				turn, at, ok = l.Turn, l.Change, true
			}
		}
	}
	for _, f := range st.files {
		for i := range f.Hunks {
			see(&f.Hunks[i])
		}
		for i := range f.Marks {
			see(&f.Marks[i].Hunk)
		}
	}
	return turn, ok
}
