package fsproxy

import (
	"strings"

	"github.com/copilot-bridge/copilot-bridge/fsproxy/diff"
	"github.com/copilot-bridge/copilot-bridge/fsproxy/text"
)

// plan is one edit that was, or is about to be, sent: from is the buffer it is for,
// want the text it leads to. Its methods say what a later text of the buffer tells
// about it; they are pure.
type plan struct {
	from  *Snapshot
	want  string
	edits []TextEdit
	saved *string // what the buffer and the disk had in common last, nil if nothing
	life  *int    // of the document that is edited, see Overlay.lifeOf

	// The two texts as an editor may show them (see plain). Equal when only line
	// ends or the final newline are to change; then bytes are compared.
	plainFrom, plainWant string
}

func newPlan(from *Snapshot, want string) *plan {
	s := from.Text.String()
	p := &plan{from: from, want: want, plainFrom: plain(s), plainWant: plain(want)}
	for _, e := range diff.Edits(s, want) {
		p.edits = append(p.edits, TextEdit(e))
	}
	return p
}

func (p *plan) bytesOnly() bool { return p.plainFrom == p.plainWant }

// is reports whether t is the text wanted.
func (p *plan) is(t text.Text) bool {
	if p.bytesOnly() {
		return t.Equal(text.New(p.want))
	}
	return plain(t.String()) == p.plainWant
}

// untouched reports whether t is the text the edit started from.
func (p *plan) untouched(t text.Text) bool { return t.Equal(p.from.Text) }

// holds reports whether t is the text wanted, perhaps with more changes: merging
// the edit into it changes nothing.
func (p *plan) holds(t text.Text) bool {
	if p.is(t) {
		return true
	}
	if p.bytesOnly() {
		return false
	}
	now := plain(t.String())
	if now == p.plainFrom {
		return false
	}
	merged, conflicts := diff.Merge3(p.plainFrom, p.plainWant, now)
	return len(conflicts) == 0 && merged == now
}

// mergedInto is the edit merged into a text, with conflicts where there are any.
func (p *plan) mergedInto(t text.Text) string {
	merged, _ := diff.Merge3(p.from.Text.String(), p.want, t.String())
	return merged
}

// absent reports whether t is closer to the text the edit started from than to
// the one wanted. When the edit does not show in t it is then not in it; otherwise
// somebody may be typing within what it put there.
func (p *plan) absent(t text.Text) bool {
	now := plain(t.String())
	return diff.Distance(p.plainFrom, now) < diff.Distance(p.plainWant, now)
}

// partly reports whether some hunk of the edit, though perhaps not all, is in t.
// It errs on the side of yes.
func (p *plan) partly(t text.Text) bool {
	if p.untouched(t) {
		return false
	}
	if p.bytesOnly() {
		return true
	}
	if p.appears(t) {
		return true
	}
	now := plain(t.String())
	edits := diff.Edits(p.plainFrom, p.plainWant)
	if len(edits) > maxPartsLooked {
		return true
	}
	for _, e := range edits {
		one, err := diff.Apply(p.plainFrom, []diff.Edit{e})
		if err != nil {
			return true
		}
		if merged, conflicts := diff.Merge3(p.plainFrom, one, now); len(conflicts) == 0 && merged == now {
			return true
		}
	}
	return !p.absent(t)
}

// appears reports whether something that the edit puts in is in t more often than
// in the text the edit started from, wherever it is.
func (p *plan) appears(t text.Text) bool {
	now, from := t.String(), p.from.Text.String()
	for _, e := range p.edits {
		put := strings.TrimSpace(e.New)
		if len(put) >= minTelling && strings.Count(now, put) > strings.Count(from, put) {
			return true
		}
	}
	return false
}

// misplaced reports whether now is what comes of making the edits in before, which
// is not the text they were for, at the lines and columns they had in that text:
// kak-lsp does not look at the version.
func (p *plan) misplaced(before, now text.Text) bool {
	if before.Equal(p.from.Text) || before.Equal(now) {
		return false
	}
	for _, enc := range []text.Encoding{text.UTF16, text.UTF8} {
		if wrong, ok := p.misplace(before, enc); ok && wrong.Equal(now) {
			return true
		}
	}
	return false
}

func (p *plan) misplace(t text.Text, enc text.Encoding) (text.Text, bool) {
	end := t.Len()
	for i := len(p.edits) - 1; i >= 0; i-- {
		e := p.edits[i]
		from, err := t.OffsetOf(p.from.Text.PositionOf(e.Start, enc), enc)
		if err != nil {
			return t, false
		}
		to, err := t.OffsetOf(p.from.Text.PositionOf(e.End, enc), enc)
		if err != nil || to < from || to > end {
			return t, false
		}
		t = t.Replace(from, to, e.New)
		end = from
	}
	return t, true
}
