package diff

import "slices"

// search settles the stretches that have no anchors.
func (c *comparison) search() {
	slices.SortStableFunc(c.left, func(x, y stretch) int { return x.size() - y.size() })
	var p path
	for _, s := range c.left {
		if !p.solve(c, s) {
			mark(c.goneA, s.aLo, s.aHi)
			mark(c.goneB, s.bLo, s.bHi)
		}
	}
}

// path is Myers' shortest edit path in linear space. Its buffers are reused
// from stretch to stretch.
type path struct {
	a, b     []int32 // the lines that both sides of the stretch have
	atA, atB []int32 // where they stand in the comparison
	fwd, bwd []int32
	c        *comparison
}

// solve marks the changed lines of s; false means that the effort is spent and
// the marks within s are not to be trusted.
func (p *path) solve(c *comparison, s stretch) bool {
	if c.effort -= s.size(); c.effort < 0 {
		return false
	}
	p.c = c
	c.count(s)
	p.a, p.atA = both(c.a, s.aLo, s.aHi, c.countB, c.goneA, p.a[:0], p.atA[:0])
	p.b, p.atB = both(c.b, s.bLo, s.bHi, c.countA, c.goneB, p.b[:0], p.atB[:0])
	c.forget(s)
	if n := len(p.a) + len(p.b) + 3; cap(p.fwd) < n {
		p.fwd, p.bwd = make([]int32, n), make([]int32, n)
	}
	return p.walk(0, len(p.a), 0, len(p.b))
}

// both keeps the lines that the other side has too and marks the rest.
func both(ids []int32, lo, hi int, other []int32, gone []bool, keep, at []int32) ([]int32, []int32) {
	for i := lo; i < hi; i++ {
		if other[ids[i]] == 0 {
			gone[i] = true
			continue
		}
		keep = append(keep, ids[i])
		at = append(at, int32(i))
	}
	return keep, at
}

func (p *path) walk(aLo, aHi, bLo, bHi int) bool {
	for {
		for aLo < aHi && bLo < bHi && p.a[aLo] == p.b[bLo] {
			aLo++
			bLo++
		}
		for aLo < aHi && bLo < bHi && p.a[aHi-1] == p.b[bHi-1] {
			aHi--
			bHi--
		}
		if aLo == aHi || bLo == bHi {
			for i := aLo; i < aHi; i++ {
				p.c.goneA[p.atA[i]] = true
			}
			for j := bLo; j < bHi; j++ {
				p.c.goneB[p.atB[j]] = true
			}
			return true
		}
		x, y, ok := p.middle(aLo, aHi, bLo, bHi)
		if !ok {
			return false
		}
		if !p.walk(aLo, x, bLo, y) {
			return false
		}
		aLo, bLo = x, y
	}
}

// unreached marks a diagonal that no path of the current length gets to.
const unreached = -1

// middle finds a point on a shortest path from one corner to the other, neither
// of them, by searching from both until the searches meet. The lines at both
// ends of the rectangle differ, so that the path has at least two steps.
func (p *path) middle(aLo, aHi, bLo, bHi int) (x, y int, ok bool) {
	a, b := p.a[aLo:aHi], p.b[bLo:bHi]
	n, m := len(a), len(b)
	if p.c.effort -= n + m; p.c.effort < 0 {
		return 0, 0, false
	}
	// Diagonal k is where x-y == k. fwd[off+k] is the furthest x reached on it
	// from the start; bwd the same on the reversed texts. The cells beyond the
	// first and last diagonal stay unreached.
	off, delta := m+1, n-m
	fwd, bwd := p.fwd[:n+m+3], p.bwd[:n+m+3]
	for i := range fwd {
		fwd[i], bwd[i] = unreached, unreached
	}
	for d := 0; d <= (n+m+1)/2; d++ {
		lo, hi := -d, d
		if d > m {
			lo = -m + (d-m)&1
		}
		if d > n {
			hi = n - (d-n)&1
		}
		if p.c.effort -= hi - lo + 2; p.c.effort < 0 {
			return 0, 0, false
		}
		for k := lo; k <= hi; k += 2 {
			x := step(fwd, off+k, k, n, m, d)
			if x == unreached {
				continue
			}
			start := x
			for y := x - k; x < n && y < m && a[x] == b[y]; y++ {
				x++
			}
			p.c.effort -= x - start
			fwd[off+k] = int32(x)
			if back := int(bwd[off+delta-k]); delta&1 != 0 && back != unreached && x+back >= n {
				return aLo + x, bLo + x - k, true
			}
		}
		for k := lo; k <= hi; k += 2 {
			x := step(bwd, off+k, k, n, m, d)
			if x == unreached {
				continue
			}
			start := x
			for y := x - k; x < n && y < m && a[n-1-x] == b[m-1-y]; y++ {
				x++
			}
			p.c.effort -= x - start
			bwd[off+k] = int32(x)
			if ahead := int(fwd[off+delta-k]); delta&1 == 0 && ahead != unreached && x+ahead >= n {
				return aHi - x, bHi - (x - k), true
			}
		}
	}
	return 0, 0, false // not reached: the searches meet half way at the latest
}

// step gives the x at which round d enters diagonal k (cell i of v): from the
// diagonal below by taking a line of a, or from the one above by taking a line
// of b, whichever leads further.
func step(v []int32, i, k, n, m, d int) int {
	if d == 0 {
		return 0
	}
	x := int(v[i+1])
	if x-(k+1) >= m {
		x = unreached
	}
	if below := int(v[i-1]); below != unreached && below < n && below+1 > x {
		x = below + 1
	}
	return x
}
