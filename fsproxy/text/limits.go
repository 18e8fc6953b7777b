package text

// The tree's proportions. A leaf is copied on each edit and scanned on each
// conversion, a node is copied on each level of each edit; these values keep
// an edit of a 10 MB text near a microsecond and the overhead of an untouched
// text under a tenth.
const (
	// maxLeaf is the most bytes one leaf holds. It is a size class of the
	// allocator, so a full leaf wastes nothing.
	maxLeaf = 2048
	// minLeaf is the least bytes a leaf holds, unless it is the whole text:
	// low enough that a leaf just split needs many deletions before it is
	// joined again.
	minLeaf = 512
	// newLeaf is the size New cuts to: room to type before the first split,
	// and a size class of the allocator as well.
	newLeaf = 1536
	// maxKids and minKids bound the children of an inner node.
	maxKids = 16
	minKids = 4
)
