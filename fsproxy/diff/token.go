package diff

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// lineByLine merges a stretch in which each line of the base still has its
// counterpart on both sides.
func lineByLine(base, ours, theirs []string) ([]string, bool) {
	if len(base) != len(ours) || len(base) != len(theirs) {
		return nil, false
	}
	out := make([]string, len(base))
	for i, b := range base {
		switch o, t := ours[i], theirs[i]; {
		case o == t, t == b:
			out[i] = o
		case o == b:
			out[i] = t
		default:
			var ok bool
			if out[i], ok = mergeLine(b, o, t); !ok {
				return nil, false
			}
		}
	}
	return out, true
}

// mergeLine merges two edits of one line. It is safe because it is timid: the
// changes of the two sides must be the same or have a token between them that
// neither changed and that is not blank, and the two must not put in or take
// out an equal token, which could be one change read in two ways. Everything
// else is for people to decide.
func mergeLine(base, ours, theirs string) (string, bool) {
	if max(len(base), len(ours), len(theirs)) > maxTokenLine {
		return "", false
	}
	b, o, t := tokens(base), tokens(ours), tokens(theirs)
	x, y := tokenHunks(b, o), tokenHunks(b, t)
	var out strings.Builder
	var in, gone [2][]string
	at, end, last := 0, -1, -1 // end and side of the change before
	for len(x) > 0 || len(y) > 0 {
		var h Hunk
		var to []string
		side := 0
		switch {
		case len(x) > 0 && len(y) > 0 && x[0].OldStart == y[0].OldStart && x[0].OldEnd == y[0].OldEnd &&
			join(o[x[0].NewStart:x[0].NewEnd]) == join(t[y[0].NewStart:y[0].NewEnd]):
			h, to, side = x[0], o[x[0].NewStart:x[0].NewEnd], 2
			x, y = x[1:], y[1:]
		case len(y) == 0 || len(x) > 0 && before(x[0], y[0]):
			h, to, side = x[0], o[x[0].NewStart:x[0].NewEnd], 0
			x = x[1:]
		default:
			h, to, side = y[0], t[y[0].NewStart:y[0].NewEnd], 1
			y = y[1:]
		}
		if end >= 0 && side != last && (h.OldStart < end || blank(join(b[end:h.OldStart]))) {
			return "", false
		}
		if side != 2 {
			in[side] = append(in[side], telling(to)...)
			gone[side] = append(gone[side], telling(b[h.OldStart:h.OldEnd])...)
		}
		out.WriteString(join(b[at:h.OldStart]))
		out.WriteString(join(to))
		at, end, last = h.OldEnd, h.OldEnd, side
	}
	out.WriteString(join(b[at:]))
	if meet(in[0], in[1]) || meet(gone[0], gone[1]) {
		return "", false
	}
	return out.String(), true
}

// tokenHunks compares two lists of tokens; pure insertions and deletions stand
// as far to the right as they can, so that equal ones compare equal.
func tokenHunks(a, b []string) []Hunk {
	ia, ib, n := intern(a, b)
	c := newComparison(ia, ib, n)
	c.run()
	hs := c.hunks()
	for i := range hs {
		h := &hs[i]
		toks, lo, hi, room := b, h.NewStart, h.NewEnd, len(a)-h.OldEnd
		if lo == hi {
			toks, lo, hi = a, h.OldStart, h.OldEnd
		} else if h.OldStart != h.OldEnd {
			continue
		}
		if i+1 < len(hs) {
			room = hs[i+1].OldStart - h.OldEnd
		}
		by := 0
		for by < room && toks[lo+by] == toks[hi+by] {
			by++
		}
		*h = Hunk{h.OldStart + by, h.OldEnd + by, h.NewStart + by, h.NewEnd + by}
	}
	return coalesce(hs)
}

// tokens cuts a line into words, runs of blanks, line ends and single other
// characters.
func tokens(line string) []string {
	var out []string
	for line != "" {
		n := 0
		switch r, size := utf8.DecodeRuneInString(line); {
		case isWord(r):
			n = run(line, isWord)
		case r == ' ' || r == '\t':
			n = run(line, func(r rune) bool { return r == ' ' || r == '\t' })
		case strings.HasPrefix(line, "\r\n"):
			n = 2
		default:
			n = size
		}
		out = append(out, line[:n])
		line = line[n:]
	}
	return out
}

func run(s string, in func(rune) bool) int {
	if n := strings.IndexFunc(s, func(r rune) bool { return !in(r) }); n >= 0 {
		return n
	}
	return len(s)
}

func isWord(r rune) bool {
	return r == '_' || unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r)
}
