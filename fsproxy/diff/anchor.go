package diff

import "sort"

// trim leaves out what s has in common at its ends.
func (c *comparison) trim(s stretch) stretch {
	for s.aLo < s.aHi && s.bLo < s.bHi && c.a[s.aLo] == c.b[s.bLo] {
		s.aLo++
		s.bLo++
	}
	for s.aLo < s.aHi && s.bLo < s.bHi && c.a[s.aHi-1] == c.b[s.bHi-1] {
		s.aHi--
		s.bHi--
	}
	return s
}

// cut splits s at its anchors, again and again; stretches without anchors are
// left for search.
func (c *comparison) cut(s stretch, depth int) {
	s = c.trim(s)
	if s.aLo == s.aHi || s.bLo == s.bHi {
		mark(c.goneA, s.aLo, s.aHi)
		mark(c.goneB, s.bLo, s.bHi)
		return
	}
	var anchors []pair
	if depth < maxAnchorDepth {
		anchors = c.anchors(s)
	}
	if len(anchors) == 0 {
		c.left = append(c.left, s)
		return
	}
	aLo, bLo := s.aLo, s.bLo
	for _, p := range anchors {
		c.cut(stretch{aLo, int(p.a), bLo, int(p.b)}, depth+1)
		aLo, bLo = int(p.a)+1, int(p.b)+1
	}
	c.cut(stretch{aLo, s.aHi, bLo, s.bHi}, depth+1)
}

type pair struct{ a, b int32 }

// anchors gives the longest run of lines that occur exactly once on each side
// of s and in the same order on both.
func (c *comparison) anchors(s stretch) []pair {
	c.count(s)
	for j, id := range c.b[s.bLo:s.bHi] {
		c.posB[id] = int32(s.bLo + j)
	}
	var unique []pair
	for i, id := range c.a[s.aLo:s.aHi] {
		if c.countA[id] == 1 && c.countB[id] == 1 {
			unique = append(unique, pair{int32(s.aLo + i), c.posB[id]})
		}
	}
	c.forget(s)
	return rising(unique)
}

// count counts the lines on either side of s, until forget.
func (c *comparison) count(s stretch) {
	for _, id := range c.a[s.aLo:s.aHi] {
		c.countA[id]++
	}
	for _, id := range c.b[s.bLo:s.bHi] {
		c.countB[id]++
	}
}

func (c *comparison) forget(s stretch) {
	for _, id := range c.a[s.aLo:s.aHi] {
		c.countA[id] = 0
	}
	for _, id := range c.b[s.bLo:s.bHi] {
		c.countB[id] = 0
	}
}

// rising gives the longest subsequence of ps (ordered by a) that also rises in b.
func rising(ps []pair) []pair {
	if len(ps) < 2 {
		return ps
	}
	tails := make([]int32, 0, len(ps)) // tails[k]: index of the smallest end of a run of k+1
	prev := make([]int32, len(ps))
	for i, p := range ps {
		k := len(tails)
		if k > 0 && ps[tails[k-1]].b > p.b {
			k = sort.Search(len(tails), func(k int) bool { return ps[tails[k]].b > p.b })
		}
		prev[i] = -1
		if k > 0 {
			prev[i] = tails[k-1]
		}
		if k == len(tails) {
			tails = append(tails, int32(i))
		} else {
			tails[k] = int32(i)
		}
	}
	out := make([]pair, len(tails))
	for i, k := tails[len(tails)-1], len(tails)-1; k >= 0; i, k = prev[i], k-1 {
		out[k] = ps[i]
	}
	return out
}
