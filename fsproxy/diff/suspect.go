package diff

// span is a stretch [lo, hi] of places in the base: before line lo to before
// line hi.
type span struct{ lo, hi int }

func (s span) and(t span) span { return span{min(s.lo, t.lo), max(s.hi, t.hi)} }

// suspects finds where the comparisons of the two sides with the base do not
// agree with the comparison of the sides with each other: a line of ours and a
// line of theirs are the same line, yet one is said to be new and the other the
// base's, or they are said to be different lines of the base. There one change
// may be told in two ways, and putting both together would do it twice. d leads
// from ours to theirs. The spans are ascending and do not touch.
func suspects(a, b []change, d []Hunk, ours, theirs int) []span {
	inA, inB := origins(a, ours), origins(b, theirs)
	var out []span
	o, t := 0, 0
	for k := 0; ; k++ {
		end := ours
		if k < len(d) {
			end = d[k].OldStart
		}
		for ; o < end; o, t = o+1, t+1 {
			x, y := inA[o], inB[t]
			if x == y || x < 0 && y < 0 {
				continue
			}
			s := spanOf(x, a).and(spanOf(y, b))
			for n := len(out); n > 0 && s.lo <= out[n-1].hi; n-- {
				s = s.and(out[n-1])
				out = out[:n-1]
			}
			out = append(out, s)
		}
		if k == len(d) {
			return out
		}
		o, t = d[k].OldEnd, d[k].NewEnd
	}
}

// origins gives for each line of a side its line in the base, or for a new line
// the change it came with, as -1-index.
func origins(cs []change, side int) []int32 {
	out := make([]int32, side)
	i, at := 0, 0
	for k, c := range cs {
		for ; i < c.NewStart; i, at = i+1, at+1 {
			out[i] = int32(at)
		}
		for ; i < c.NewEnd; i++ {
			out[i] = int32(-1 - k)
		}
		at = c.OldEnd
	}
	for ; i < side; i, at = i+1, at+1 {
		out[i] = int32(at)
	}
	return out
}

// spanOf gives where in the base an origin is.
func spanOf(origin int32, cs []change) span {
	if origin >= 0 {
		return span{int(origin), int(origin) + 1}
	}
	c := cs[-1-origin]
	return span{c.from, c.to}
}
