package diff

import "strings"

// slide moves hunks that only insert or only delete to the place where a reader
// expects them. The same change can often be told in several ways (which of two
// equal closing braces is the new one?); of those the best is the one that
// ends with a blank line, then the one that starts with one, then the lowest.
// Hunks that meet become one. Nothing but looks depends on this.
func slide(old, new []string, hs []Hunk) []Hunk {
	for i := range hs {
		h := &hs[i]
		ins := h.OldStart == h.OldEnd
		if !ins && h.NewStart != h.NewEnd {
			continue
		}
		up, down := h.OldStart, len(old)-h.OldEnd
		if i > 0 {
			up -= hs[i-1].OldEnd
		}
		if i+1 < len(hs) {
			down = hs[i+1].OldStart - h.OldEnd
		}
		by := 0
		if ins {
			by = bestSlide(new, h.NewStart, h.NewEnd, up, down)
		} else {
			by = bestSlide(old, h.OldStart, h.OldEnd, up, down)
		}
		h.OldStart, h.OldEnd = h.OldStart+by, h.OldEnd+by
		h.NewStart, h.NewEnd = h.NewStart+by, h.NewEnd+by
	}
	return coalesce(hs)
}

// room says how far the block [lo, hi) of lines can move up and down without
// changing what is told, within the given bounds.
func room(lines []string, lo, hi, up, down int) (first, last int) {
	up, down = min(up, maxSlide), min(down, maxSlide)
	for first < up && lines[lo-first-1] == lines[hi-first-1] {
		first++
	}
	for last < down && lines[lo+last] == lines[hi+last] {
		last++
	}
	return first, last
}

// bestSlide says how far to move the block [lo, hi) of lines.
func bestSlide(lines []string, lo, hi, up, down int) int {
	first, last := room(lines, lo, hi, up, down)
	best, score := 0, -1
	for by := -first; by <= last; by++ {
		s := 0
		if blank(lines[hi+by-1]) {
			s = 2
		} else if blank(lines[lo+by]) {
			s = 1
		}
		if s >= score {
			best, score = by, s
		}
	}
	return best
}

func blank(line string) bool { return strings.TrimSpace(line) == "" }

// coalesce joins hunks without an unchanged line between them.
func coalesce(hs []Hunk) []Hunk {
	out := hs[:0]
	for _, h := range hs {
		if n := len(out); n > 0 && out[n-1].OldEnd == h.OldStart {
			out[n-1].OldEnd, out[n-1].NewEnd = h.OldEnd, h.NewEnd
			continue
		}
		out = append(out, h)
	}
	return out
}
