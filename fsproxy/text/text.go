package text

import (
	"fmt"
	"strings"
)

// Text is an immutable text. The zero Text is empty. Copying a Text is free, and
// any number of goroutines may read one.
type Text struct {
	root *node // nil when empty
	// hash is where Hash keeps its answer; nil for the empty text.
	hash *hashOnce
}

func wrap(n *node) Text {
	if n == nil {
		return Text{}
	}
	return Text{root: n, hash: new(hashOnce)}
}

// New returns the text s. It copies s, once and in pieces, so that neither the
// message s was cut from nor a part of s that is later edited away is kept alive.
func New(s string) Text { return wrap(tree(s)) }

// tree builds the nodes of s, none for "".
func tree(s string) *node {
	pieces := (len(s) + newLeaf - 1) / newLeaf
	leaves := make([]*node, pieces)
	for i := range leaves {
		leaves[i] = newLeafNode(clone(s[i*len(s)/pieces : (i+1)*len(s)/pieces]))
	}
	return build(leaves)
}

func clone(s string) string { return strings.Clone(s) }

// Len is the length in bytes.
func (t Text) Len() int {
	if t.root == nil {
		return 0
	}
	return t.root.bytes
}

// chunks gives the bytes [from, to) of n in pieces, without copying.
func (n *node) chunks(from, to int, piece func(string)) {
	if n.height == 0 {
		piece(n.leaf[from:to])
		return
	}
	for _, k := range n.kids {
		if from < k.bytes && to > 0 {
			k.chunks(max(from, 0), min(to, k.bytes), piece)
		}
		from, to = from-k.bytes, to-k.bytes
	}
}

// String returns the whole text. It copies; use Slice where that
// matters.
func (t Text) String() string { return t.Slice(0, t.Len()) }

// Slice returns the bytes [from, to). A slice of one leaf shares its memory.
func (t Text) Slice(from, to int) string {
	t.check(from, to)
	if from == to {
		return ""
	}
	n, from, to := t.root.narrow(from, to)
	if n.height == 0 {
		return n.leaf[from:to]
	}
	var b strings.Builder
	b.Grow(to - from)
	n.chunks(from, to, func(s string) { b.WriteString(s) })
	return b.String()
}

// narrow returns the lowest node that holds all of [from, to), and the range
// relative to it.
func (n *node) narrow(from, to int) (*node, int, int) {
	for n.height > 0 {
		k, before := n.child(from)
		if to > before+k.bytes {
			break
		}
		n, from, to = k, from-before, to-before
	}
	return n, from, to
}

// child returns the child that holds the byte at offset i, or the last one for
// the end, and the bytes before it.
func (n *node) child(i int) (k *node, before int) {
	for _, k = range n.kids[:len(n.kids)-1] {
		if i < before+k.bytes {
			return k, before
		}
		before += k.bytes
	}
	return n.kids[len(n.kids)-1], before
}

// Byte returns the byte at offset i.
func (t Text) Byte(i int) byte {
	t.check(i, i+1)
	n, i, _ := t.root.narrow(i, i+1)
	return n.leaf[i]
}

// Replace returns the text with the bytes [from, to) replaced by s.
func (t Text) Replace(from, to int, s string) Text {
	t.check(from, to)
	if from == to && s == "" {
		return t
	}
	if t.root == nil {
		return New(s)
	}
	if n, ok := replaceInLeaf(t.root, from, to, s, true); ok {
		return wrap(n)
	}
	left, rest := split(t.root, from)
	_, right := split(rest, to-from)
	return wrap(join(join(left, tree(s)), right))
}

func (t Text) check(from, to int) {
	if from < 0 || to < from || to > t.Len() {
		panic(fmt.Sprintf("text: range [%d:%d] of a text of %d bytes", from, to, t.Len()))
	}
}
