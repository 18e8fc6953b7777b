package text

// node is a leaf (kids is nil) or an inner node (leaf is ""). Nodes are never
// changed once they are reachable from a Text.
//
// Invariants: all leaves are at the same depth; every node but the root has at
// least minKids children or minLeaf bytes, and none has more than maxKids or
// maxLeaf; an inner root has at least two children; no leaf is empty.
type node struct {
	counts
	height int // 0 for a leaf
	leaf   string
	kids   []*node
}

func newLeafNode(s string) *node { return &node{counts: count(s), leaf: s} }

func newInner(kids []*node) *node {
	n := &node{height: kids[0].height + 1, kids: kids}
	for _, k := range kids {
		n.counts = n.counts.add(k.counts)
	}
	return n
}

// tooSmall reports whether n may not stay as it is beside a sibling.
func (n *node) tooSmall() bool {
	if n.height == 0 {
		return len(n.leaf) < minLeaf
	}
	return len(n.kids) < minKids
}

// build makes a balanced tree of nodes of one height. It returns nil for none.
func build(level []*node) *node {
	for len(level) > 1 {
		parents := (len(level) + maxKids - 1) / maxKids
		next := make([]*node, 0, parents)
		for i := range parents {
			from, to := i*len(level)/parents, (i+1)*len(level)/parents
			kids := make([]*node, to-from)
			copy(kids, level[from:to])
			next = append(next, newInner(kids))
		}
		level = next
	}
	if len(level) == 0 {
		return nil
	}
	return level[0]
}

// join returns the text of a followed by that of b. Either may be nil.
func join(a, b *node) *node {
	switch {
	case a == nil:
		return b
	case b == nil:
		return a
	case a.height == b.height:
		if !a.tooSmall() && !b.tooSmall() {
			return newInner([]*node{a, b})
		}
		if a.height == 0 {
			return joinLeaves(a, b)
		}
		return pack(a.kids, b.kids)
	case a.height < b.height:
		left := join(a, b.kids[0])
		if left.height < b.height {
			return pack([]*node{left}, b.kids[1:])
		}
		return pack(left.kids, b.kids[1:])
	default:
		last := len(a.kids) - 1
		right := join(a.kids[last], b)
		if right.height < a.height {
			return pack(a.kids[:last], []*node{right})
		}
		return pack(a.kids[:last], right.kids)
	}
}

// joinLeaves joins two leaves of which one is too small.
func joinLeaves(a, b *node) *node {
	s := a.leaf + b.leaf
	if len(s) <= maxLeaf {
		return newLeafNode(s)
	}
	return newInner([]*node{newLeafNode(clone(s[:len(s)/2])), newLeafNode(clone(s[len(s)/2:]))})
}

// pack makes one node of siblings, or a node of two when there are too many.
func pack(a, b []*node) *node {
	kids := make([]*node, 0, len(a)+len(b))
	kids = append(append(kids, a...), b...)
	if len(kids) <= maxKids {
		return newInner(kids)
	}
	half := len(kids) / 2
	return newInner([]*node{newInner(kids[:half:half]), newInner(kids[half:])})
}

// split cuts n at byte offset at. Either half is nil when it is empty.
func split(n *node, at int) (left, right *node) {
	switch {
	case n == nil || at <= 0:
		return nil, n
	case at >= n.bytes:
		return n, nil
	case n.height == 0:
		return newLeafNode(clone(n.leaf[:at])), newLeafNode(clone(n.leaf[at:]))
	}
	i := 0
	for at > n.kids[i].bytes {
		at -= n.kids[i].bytes
		i++
	}
	left, right = split(n.kids[i], at)
	return join(group(n.kids[:i]), left), join(right, group(n.kids[i+1:]))
}

// group makes a tree of siblings, which may be fewer than a node needs: join
// takes care of that.
func group(kids []*node) *node {
	switch len(kids) {
	case 0:
		return nil
	case 1:
		return kids[0]
	}
	return newInner(kids)
}

// replaceInLeaf replaces [from, to) by s if that touches one leaf and leaves
// the tree's shape alone, and reports whether it did. This is the way of nearly
// every keystroke: one leaf and its ancestors are copied.
func replaceInLeaf(n *node, from, to int, s string, root bool) (*node, bool) {
	if n.height == 0 {
		size := len(n.leaf) - (to - from) + len(s)
		if size > maxLeaf || size == 0 || size < minLeaf && !root {
			return nil, false
		}
		return newLeafNode(n.leaf[:from] + s + n.leaf[to:]), true
	}
	for i, k := range n.kids {
		// An insertion between two leaves goes to the end of the left one.
		if from > k.bytes {
			from, to = from-k.bytes, to-k.bytes
			continue
		}
		if to > k.bytes {
			return nil, false
		}
		changed, ok := replaceInLeaf(k, from, to, s, false)
		if !ok {
			return nil, false
		}
		kids := make([]*node, len(n.kids))
		copy(kids, n.kids)
		kids[i] = changed
		return newInner(kids), true
	}
	return nil, false
}
