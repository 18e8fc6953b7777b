package diff

import (
	"slices"
	"strings"
)

// A Conflict is a stretch of the base that both sides changed in ways that
// cannot both be kept. Start and End are its lines in the base, 0-based, half
// open; the texts are what each of the three has there, as whole lines.
type Conflict struct {
	Start, End         int
	Base, Ours, Theirs string
}

// Merge3 combines what ours and theirs each made of base, line by line. Without
// conflicts merged holds every change of both sides:
//
//   - a change made by one side only is taken, also where it lies directly
//     beside a change of the other side;
//   - the same change made by both is taken once, also where one side inserted
//     more beside it;
//   - whether the last line has an end is merged by itself;
//   - a line edited by both is merged token by token (see mergeLine) where every
//     line of the stretch still has its counterpart.
//
// Everything else is a conflict: lines changed by one side and deleted or
// rewritten by the other, different insertions at one place (their order would
// be a guess), and neighbouring changes that may be the same change told twice.
// With conflicts, merged shows both sides between markers, for people; it is
// not to be written anywhere.
//
// The result does not depend on which side is called ours, but for the order
// within the markers.
func Merge3(base, ours, theirs string) (merged string, conflicts []Conflict) {
	switch {
	case ours == theirs, theirs == base:
		return ours, nil
	case ours == base:
		return theirs, nil
	}
	// A comparison reads differently when its sides are swapped, so the sides get
	// an order of their own.
	m := merger{base: split(base), swapped: theirs < ours}
	if m.swapped {
		ours, theirs = theirs, ours
	}
	m.ours, m.theirs = split(ours), split(theirs)
	ended := m.endLines()
	m.a, m.b = changes(m.base, m.ours), changes(m.base, m.theirs)
	m.run()
	merged = join(m.out)
	if !ended {
		merged = strings.TrimSuffix(merged, "\n")
		merged = strings.TrimSuffix(merged, "\r")
	}
	return merged, m.conflicts
}

// endLines gives the last line of each text an end, so that a line put after it
// does not look like a change of it, and says whether the result is to have one:
// that question is merged by itself.
func (m *merger) endLines() bool {
	eol := "\n"
	for _, lines := range [][]string{m.base, m.ours, m.theirs} {
		if len(lines) > 0 && strings.HasSuffix(lines[0], "\r\n") {
			eol = "\r\n"
		}
	}
	end := func(lines []string, without bool) bool {
		if len(lines) == 0 {
			return without
		}
		if l := &lines[len(lines)-1]; !strings.HasSuffix(*l, "\n") {
			if strings.HasSuffix(*l, "\r") {
				*l += "\r\n" // so that its own '\r' survives the way back
			} else {
				*l += eol
			}
			return false
		}
		return true
	}
	base := end(m.base, true)
	ours, theirs := end(m.ours, base), end(m.theirs, base)
	if ours != base {
		return ours
	}
	return theirs
}

// change is a hunk and where else it could stand: from and to bound the lines of
// the base that it touches in any of its readings.
type change struct {
	Hunk
	from, to int
}

func changes(base, side []string) []change {
	hs := diffLines(base, side)
	cs := make([]change, len(hs))
	for i, h := range hs {
		cs[i] = change{h, h.OldStart, h.OldEnd}
		up, down := h.OldStart, len(base)-h.OldEnd
		if i > 0 {
			up -= hs[i-1].OldEnd
		}
		if i+1 < len(hs) {
			down = hs[i+1].OldStart - h.OldEnd
		}
		switch {
		case h.OldStart == h.OldEnd:
			up, down = room(side, h.NewStart, h.NewEnd, up, down)
		case h.NewStart == h.NewEnd:
			up, down = room(base, h.OldStart, h.OldEnd, up, down)
		default:
			continue
		}
		cs[i].from -= up
		cs[i].to += down
	}
	return cs
}

type merger struct {
	base, ours, theirs []string
	swapped            bool     // ours is the caller's theirs
	a, b               []change // of ours and theirs
	out                []string
	conflicts          []Conflict
}

// run walks over the changes of both sides and the suspect spans. What touches
// forms a group, which is settled as a whole; the base between the groups is
// copied.
func (m *merger) run() {
	doubt := suspects(m.a, m.b, diffLines(m.ours, m.theirs), len(m.ours), len(m.theirs))
	at, i, j, k := 0, 0, 0, 0
	for {
		const end = int(^uint(0) >> 1)
		next := end
		if i < len(m.a) {
			next = min(next, m.a[i].from)
		}
		if j < len(m.b) {
			next = min(next, m.b[j].from)
		}
		if k < len(doubt) {
			next = min(next, doubt[k].lo)
		}
		if next == end {
			break
		}
		g := group{span: span{next, next}}
		i0, j0, k0 := i, j, k
		for grew := true; grew; {
			switch {
			case i < len(m.a) && m.a[i].from <= g.hi:
				g.hi = max(g.hi, m.a[i].to)
				i++
			case j < len(m.b) && m.b[j].from <= g.hi:
				g.hi = max(g.hi, m.b[j].to)
				j++
			case k < len(doubt) && doubt[k].lo <= g.hi:
				g.hi = max(g.hi, doubt[k].hi)
				k++
			default:
				grew = false
			}
		}
		g.a, g.b, g.doubt = m.a[i0:i], m.b[j0:j], k > k0
		m.out = append(m.out, m.base[at:g.lo]...)
		m.resolve(g)
		at = g.hi
	}
	m.out = append(m.out, m.base[at:]...)
}

// group is a stretch of the base with the changes of both sides in it. Where
// there is doubt, what is one change and what are two cannot be told.
type group struct {
	span
	a, b  []change
	doubt bool
}

// region gives what a side has in place of the stretch.
func region(g group, base, side []string, cs []change) []string {
	if len(cs) == 0 {
		return base[g.lo:g.hi]
	}
	first, last := cs[0], cs[len(cs)-1]
	return side[first.NewStart-(first.OldStart-g.lo) : last.NewEnd+(g.hi-last.OldEnd)]
}

func (m *merger) resolve(g group) {
	base := m.base[g.lo:g.hi]
	ours, theirs := region(g, m.base, m.ours, g.a), region(g, m.base, m.theirs, g.b)
	switch {
	case slices.Equal(ours, theirs), slices.Equal(theirs, base):
		m.out = append(m.out, ours...)
		return
	case slices.Equal(ours, base):
		m.out = append(m.out, theirs...)
		return
	}
	if lines, ok := sameAndMore(base, ours, theirs); ok {
		m.out = append(m.out, lines...)
		return
	}
	if !g.doubt {
		if lines, ok := m.sideBySide(g); ok {
			m.out = append(m.out, lines...)
			return
		}
		if lines, ok := lineByLine(base, ours, theirs); ok {
			m.out = append(m.out, lines...)
			return
		}
	}
	if m.swapped {
		ours, theirs = theirs, ours
	}
	c := Conflict{g.lo, g.hi, join(base), join(ours), join(theirs)}
	m.conflicts = append(m.conflicts, c)
	m.out = append(m.out, "<<<<<<< ours\n", c.Ours, "=======\n", c.Theirs, ">>>>>>> theirs\n")
}
