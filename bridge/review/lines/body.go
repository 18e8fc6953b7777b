package lines

import (
	"cmp"
	"fmt"
	"slices"
	"sort"
	"strings"
)

// Body is a text and where its lines start. A line ends after its '\n'; the last
// one may lack it; a text without characters has no lines.
type Body struct {
	Text   string `json:"text,omitzero"`
	starts []int
}

// New finds where the lines of a text start.
func New(text string) Body {
	return Body{text, lineStarts(make([]int, 0, strings.Count(text, "\n")+1), text, 0)}
}

// lineStarts appends the starts of the lines of text, which begins at offset at.
func lineStarts(to []int, text string, at int) []int {
	for i := 0; i < len(text); {
		to = append(to, at+i)
		n := strings.IndexByte(text[i:], '\n')
		if n < 0 {
			break
		}
		i += n + 1
	}
	return to
}

// Count says how many lines text has.
func Count(text string) int {
	n := strings.Count(text, "\n")
	if text != "" && text[len(text)-1] != '\n' {
		n++
	}
	return n
}

// Open says that text ends in a line without its line end.
func Open(text string) bool { return text != "" && text[len(text)-1] != '\n' }

// Lines says how many lines the text has.
func (b *Body) Lines() int { return len(b.starts) }

// Off gives the offset at which a line starts, the end of the text for the line after the last.
func (b *Body) Off(line int) int {
	if line >= len(b.starts) {
		return len(b.Text)
	}
	return b.starts[line]
}

// Slice gives the text of lines [lo, hi).
func (b *Body) Slice(lo, hi int) string { return b.Text[b.Off(lo):b.Off(hi)] }

// LineAt gives the line that holds an offset.
func (b *Body) LineAt(off int) int {
	return sort.SearchInts(b.starts, off+1) - 1
}

// Block replaces lines [Start, End) with Text.
type Block struct {
	Start int    `json:"a"`
	End   int    `json:"b"`
	Text  string `json:"t,omitzero"`
	Rank  int    `json:"-"` // of the hunk or mark it belongs to, 0 for none: decides between insertions at one place
}

// InOrder sorts blocks by their place; an insertion stands before what starts where it is.
func InOrder(ks []Block) {
	slices.SortStableFunc(ks, Block.Compare)
}

// Compare orders blocks by where they are, then by rank.
func (k Block) Compare(o Block) int {
	return cmp.Or(cmp.Compare(k.Start, o.Start), cmp.Compare(k.End, o.End), cmp.Compare(k.Rank, o.Rank))
}

// Delta says by how many lines the text grows.
func (k Block) Delta() int { return Count(k.Text) - (k.End - k.Start) }

// Weave gives lines [lo, hi) with the blocks within them replaced.
func (b *Body) Weave(lo, hi int, ks []Block) string {
	if len(ks) == 0 {
		return b.Slice(lo, hi)
	}
	if len(ks) == 1 && ks[0].Start == lo && ks[0].End == hi {
		return ks[0].Text
	}
	var out strings.Builder
	for _, k := range ks {
		out.WriteString(b.Slice(lo, k.Start))
		out.WriteString(k.Text)
		lo = k.End
	}
	out.WriteString(b.Slice(lo, hi))
	return out.String()
}

// Replace makes the blocks true. full is the whole new text if the caller has it already.
func (b *Body) Replace(ks []Block, full string) {
	if len(ks) == 0 {
		return
	}
	lo, hi := ks[0].Start, ks[len(ks)-1].End
	window := b.Weave(lo, hi, ks)
	from, to := b.Off(lo), b.Off(hi)
	if full == "" {
		full = b.Text[:from] + window + b.Text[to:]
	}
	shift := len(full) - len(b.Text)
	b.Text = full
	fresh := lineStarts(nil, window, from)
	b.starts = slices.Replace(b.starts, lo, hi, fresh...)
	if shift != 0 {
		for i := lo + len(fresh); i < len(b.starts); i++ {
			b.starts[i] += shift
		}
	}
}

// Fits says that blocks lie within a text, in order and without overlap.
func (b *Body) Fits(ks []Block) error {
	at := 0
	for _, k := range ks {
		if k.Start < at || k.End < k.Start || k.End > b.Lines() {
			return fmt.Errorf("lines %d to %d changed in a text of %d lines", k.Start, k.End, b.Lines())
		}
		at = k.End
	}
	return nil
}

// Moved gives blocks after a change of the text, nil if it comes too near to them.
func Moved(ks, by []Block) []Block {
	if ks == nil {
		return nil
	}
	out := make([]Block, 0, len(ks))
	shift := 0
	for _, k := range ks {
		for len(by) > 0 && by[0].End < k.Start {
			shift += by[0].Delta()
			by = by[1:]
		}
		if len(by) > 0 && by[0].Start <= k.End {
			return nil
		}
		k.Start, k.End = k.Start+shift, k.End+shift
		out = append(out, k)
	}
	return out
}
