package diff

import (
	"strings"
	"unicode/utf8"
)

// Distance is about how many characters have to be put in or taken out to get from
// a to b. It is exact within the limits of this package, and never less than the
// least number.
func Distance(a, b string) int {
	n := 0
	for _, e := range Fine(a, b) {
		n += utf8.RuneCountInString(a[e.Start:e.End]) + utf8.RuneCountInString(e.New)
	}
	return n
}

// Fine gives the edits from old to new character by character, as far as they can
// be told apart: what was typed in two places of a line is two edits. They are
// ascending and at rune boundaries, but may come between a '\r' and its '\n'; they
// are for telling where things are, not for sending.
func Fine(old, new string) []Edit {
	if old == new {
		return nil
	}
	if p, s := sharedEnds(old, new, runeBoundary); max(len(old), len(new))-p-s <= maxFine {
		// Without regard to lines, of which some may look as if they had moved.
		return fine(p, old[p:len(old)-s], new[p:len(new)-s])
	}
	a, b := split(old), split(new)
	var out []Edit
	for at, h := range located(a, diffLines(a, b)) {
		out = append(out, fine(at, join(a[h.OldStart:h.OldEnd]), join(b[h.NewStart:h.NewEnd]))...)
	}
	return out
}

// fine is Fine for a hunk that begins at offset at.
func fine(at int, from, to string) []Edit {
	rs, ends := runes(from)
	rt, endsTo := runes(to)
	ia, ib, n := intern(rs, rt)
	c := newComparison(ia, ib, n)
	c.left = []stretch{{0, len(ia), 0, len(ib)}}
	c.search()
	var out []Edit
	for _, h := range c.hunks() {
		out = append(out, Edit{at + ends[h.OldStart], at + ends[h.OldEnd], to[endsTo[h.NewStart]:endsTo[h.NewEnd]]})
	}
	return out
}

// runes cuts s into characters; ends[i] is where the one before i ends.
func runes(s string) (rs []string, ends []int) {
	ends = append(ends, 0)
	for i := 0; i < len(s); {
		_, n := utf8.DecodeRuneInString(s[i:])
		rs = append(rs, s[i:i+n])
		i += n
		ends = append(ends, i)
	}
	return rs, ends
}

// Weave makes two lists of edits of one text together, character by character and
// without asking what they mean: what either puts in is there, in case of doubt
// that of b first, what either takes out is not. An edit that is in both is made
// once. Use Merge3 for what people and programs wrote; Weave is for taking back
// what went wrong at a known place. Edits are as Fine gives them.
func Weave(base string, a, b []Edit) string {
	var out strings.Builder
	at := 0 // up to where base is copied or taken out
	for len(a) > 0 || len(b) > 0 {
		var e Edit
		switch {
		case len(a) == 0 || len(b) > 0 && b[0].Start <= a[0].Start:
			e = b[0]
			b = b[1:]
			if len(a) > 0 && a[0] == e {
				a = a[1:]
			}
		default:
			e = a[0]
			a = a[1:]
		}
		if e.Start > at {
			out.WriteString(base[at:e.Start])
		}
		out.WriteString(e.New)
		at = max(at, e.Start, e.End)
	}
	out.WriteString(base[at:])
	return out.String()
}
