package text

// Equal reports whether both hold the same bytes. Parts the two share, as a text
// and its edited successor do, are not compared.
func (t Text) Equal(u Text) bool {
	if t.root == u.root {
		return true
	}
	if t.root == nil || u.root == nil || t.root.counts != u.root.counts {
		return false
	}
	a, b := walk{t.root}, walk{u.root}
	var x, y string // what is left of the leaves at hand
	for {
		if x == "" && y == "" {
			skipShared(&a, &b)
			if len(a) == 0 {
				return true
			}
		}
		if x == "" {
			x = a.leaf()
		}
		if y == "" {
			y = b.leaf()
		}
		n := min(len(x), len(y))
		if x[:n] != y[:n] {
			return false
		}
		x, y = x[n:], y[n:]
	}
}

// walk is what is still to be visited of a tree, the next node last.
type walk []*node

// open replaces the next node by its children.
func (w *walk) open() {
	n := (*w)[len(*w)-1]
	*w = (*w)[:len(*w)-1]
	for i := len(n.kids) - 1; i >= 0; i-- {
		*w = append(*w, n.kids[i])
	}
}

// leaf takes the next leaf.
func (w *walk) leaf() string {
	for (*w)[len(*w)-1].height > 0 {
		w.open()
	}
	n := (*w)[len(*w)-1]
	*w = (*w)[:len(*w)-1]
	return n.leaf
}

// skipShared drops the nodes that both walks come to next, and leaves each walk
// at a leaf that is not the other's, or both at their end.
// Precondition: both are at the same offset of texts of the same length.
func skipShared(a, b *walk) {
	for len(*a) > 0 {
		x, y := (*a)[len(*a)-1], (*b)[len(*b)-1]
		switch {
		case x == y:
			*a, *b = (*a)[:len(*a)-1], (*b)[:len(*b)-1]
		case x.height == 0 && y.height == 0:
			return
		default:
			if x.height >= y.height {
				a.open()
			}
			if y.height >= x.height {
				b.open()
			}
		}
	}
}
