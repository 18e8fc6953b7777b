package diff

import (
	"slices"
	"strings"
)

// sameAndMore settles a stretch where one side only put lines before or after
// it, and the other put the same lines there, whatever else it changed.
func sameAndMore(base, ours, theirs []string) ([]string, bool) {
	b, o, t := base, ours, theirs
	for len(b) > 0 && len(o) > 0 && len(t) > 0 && b[0] == o[0] && b[0] == t[0] {
		b, o, t = b[1:], o[1:], t[1:]
	}
	for len(b) > 0 && len(o) > 0 && len(t) > 0 && last(b) == last(o) && last(b) == last(t) {
		b, o, t = b[:len(b)-1], o[:len(o)-1], t[:len(t)-1]
	}
	switch {
	case wraps(b, o, t):
		return theirs, true
	case wraps(b, t, o):
		return ours, true
	}
	return nil, false
}

func last(lines []string) string { return lines[len(lines)-1] }

// wraps reports whether a is base with lines put before it that b begins with
// too, or after it that b ends with too. Lines that the base also has do not
// count: in b they may be the base's own.
func wraps(base, a, b []string) bool {
	n := len(a) - len(base)
	if n <= 0 || len(b) < n {
		return false
	}
	foreign := func(lines []string) bool {
		return !slices.ContainsFunc(lines, func(l string) bool { return slices.Contains(base, l) })
	}
	return slices.Equal(a[n:], base) && slices.Equal(a[:n], b[:n]) && foreign(a[:n]) ||
		slices.Equal(a[:len(base)], base) && slices.Equal(a[len(base):], b[len(b)-n:]) && foreign(b[len(b)-n:])
}

// sideBySide settles a group whose changes lie beside each other without
// overlapping. It refuses where both sides put in similar lines, or take out an
// equal one: the two may be one change, read differently by the two
// comparisons, or typed on since.
func (m *merger) sideBySide(g group) ([]string, bool) {
	var out []string
	var in, gone [2][]string // by ours and by theirs alone
	at, i, j := g.lo, 0, 0
	for i < len(g.a) || j < len(g.b) {
		var h Hunk
		var to []string
		side := -1
		switch {
		case i < len(g.a) && j < len(g.b) && m.same(g.a[i].Hunk, g.b[j].Hunk):
			h, to = g.a[i].Hunk, m.ours[g.a[i].NewStart:g.a[i].NewEnd]
			i, j = i+1, j+1
		case i < len(g.a) && j < len(g.b) && overlap(g.a[i].Hunk, g.b[j].Hunk):
			return nil, false
		case j == len(g.b) || i < len(g.a) && before(g.a[i].Hunk, g.b[j].Hunk):
			h, to, side = g.a[i].Hunk, m.ours[g.a[i].NewStart:g.a[i].NewEnd], 0
			i++
		default:
			h, to, side = g.b[j].Hunk, m.theirs[g.b[j].NewStart:g.b[j].NewEnd], 1
			j++
		}
		if h.OldStart < at {
			return nil, false
		}
		if side >= 0 {
			in[side] = append(in[side], telling(to)...)
			gone[side] = append(gone[side], telling(m.base[h.OldStart:h.OldEnd])...)
		}
		out = append(out, m.base[at:h.OldStart]...)
		out = append(out, to...)
		at = h.OldEnd
	}
	out = append(out, m.base[at:g.hi]...)
	if akin(in[0], in[1]) || meet(gone[0], gone[1]) {
		return nil, false
	}
	return out, true
}

func (m *merger) same(a, b Hunk) bool {
	return a.OldStart == b.OldStart && a.OldEnd == b.OldEnd &&
		slices.Equal(m.ours[a.NewStart:a.NewEnd], m.theirs[b.NewStart:b.NewEnd])
}

// overlap reports whether two changes touch the same line of the base, or put
// lines at the same place, so that their order would be a guess.
func overlap(a, b Hunk) bool {
	if a.OldStart == b.OldStart && a.OldEnd == b.OldEnd {
		return true
	}
	return a.OldStart < b.OldEnd && b.OldStart < a.OldEnd
}

func before(a, b Hunk) bool {
	return a.OldStart < b.OldStart || a.OldStart == b.OldStart && a.OldEnd < b.OldEnd
}

// telling gives the lines (or tokens) by which a change is known: those that
// are not blank, or all where all are.
func telling(lines []string) []string {
	if i := slices.IndexFunc(lines, func(l string) bool { return !blank(l) }); i < 0 {
		return lines
	}
	return slices.DeleteFunc(slices.Clone(lines), blank)
}

// meet reports whether a and b have an element in common.
func meet(a, b []string) bool {
	if len(a) == 0 || len(b) == 0 {
		return false
	}
	seen := make(map[string]bool, len(a))
	for _, l := range a {
		seen[l] = true
	}
	return slices.ContainsFunc(b, func(l string) bool { return seen[l] })
}

// akin reports whether a line of a is like a line of b: what one has is within
// the other in the same order, as after typing on, or at least half of the
// shorter one's tokens are.
func akin(a, b []string) bool {
	if len(a)*len(b) > maxKinship {
		return true
	}
	for _, x := range a {
		x = strings.TrimSpace(x)
		for _, y := range b {
			y = strings.TrimSpace(y)
			if within(x, y) || within(y, x) || shareTokens(x, y) {
				return true
			}
		}
	}
	return false
}

func within(short, long string) bool {
	i := 0
	for j := 0; i < len(short) && j < len(long); j++ {
		if short[i] == long[j] {
			i++
		}
	}
	return i == len(short)
}

func shareTokens(x, y string) bool {
	tx, ty := telling(tokens(x)), telling(tokens(y))
	count := make(map[string]int, len(tx))
	for _, t := range tx {
		count[t]++
	}
	both := 0
	for _, t := range ty {
		if count[t] > 0 {
			count[t]--
			both++
		}
	}
	return 2*both >= min(len(tx), len(ty))
}
