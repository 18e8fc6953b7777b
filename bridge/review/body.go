package review

import (
	"cmp"
	"slices"
	"sort"
	"strings"
)

// body is a text and where its lines start. A line ends after its '\n'; the last
// one may lack it; a text without characters has no lines.
type body struct {
	text   string
	starts []int
}

func newBody(text string) body {
	return body{text, lineStarts(make([]int, 0, strings.Count(text, "\n")+1), text, 0)}
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

// countLines says how many lines text has.
func countLines(text string) int {
	n := strings.Count(text, "\n")
	if text != "" && text[len(text)-1] != '\n' {
		n++
	}
	return n
}

// open says that text ends in a line without its line end.
func open(text string) bool { return text != "" && text[len(text)-1] != '\n' }

func (b *body) lines() int { return len(b.starts) }

// off gives the offset at which a line starts, the end of the text for the line after the last.
func (b *body) off(line int) int {
	if line >= len(b.starts) {
		return len(b.text)
	}
	return b.starts[line]
}

// slice gives the text of lines [lo, hi).
func (b *body) slice(lo, hi int) string { return b.text[b.off(lo):b.off(hi)] }

// lineAt gives the line that holds an offset.
func (b *body) lineAt(off int) int {
	return sort.SearchInts(b.starts, off+1) - 1
}

// block replaces lines [Start, End) with Text.
type block struct {
	Start int  `json:"a"`
	End   int  `json:"b"`
	Text  blob `json:"t,omitempty"`
	rank  int  // of the hunk or mark it belongs to, 0 for none: decides between insertions at one place
}

// inOrder sorts blocks by their place; an insertion stands before what starts where it is.
func inOrder(ks []block) {
	slices.SortStableFunc(ks, block.compare)
}

func (k block) compare(o block) int {
	return cmp.Or(cmp.Compare(k.Start, o.Start), cmp.Compare(k.End, o.End), cmp.Compare(k.rank, o.rank))
}

func (k block) delta() int { return countLines(string(k.Text)) - (k.End - k.Start) }

// weave gives lines [lo, hi) with the blocks within them replaced.
func (b *body) weave(lo, hi int, ks []block) string {
	if len(ks) == 0 {
		return b.slice(lo, hi)
	}
	if len(ks) == 1 && ks[0].Start == lo && ks[0].End == hi {
		return string(ks[0].Text)
	}
	var out strings.Builder
	for _, k := range ks {
		out.WriteString(b.slice(lo, k.Start))
		out.WriteString(string(k.Text))
		lo = k.End
	}
	out.WriteString(b.slice(lo, hi))
	return out.String()
}

// replace makes the blocks true. full is the whole new text if the caller has it already.
func (b *body) replace(ks []block, full string) {
	if len(ks) == 0 {
		return
	}
	lo, hi := ks[0].Start, ks[len(ks)-1].End
	window := b.weave(lo, hi, ks)
	from, to := b.off(lo), b.off(hi)
	if full == "" {
		full = b.text[:from] + window + b.text[to:]
	}
	shift := len(full) - len(b.text)
	b.text = full
	fresh := lineStarts(nil, window, from)
	b.starts = slices.Replace(b.starts, lo, hi, fresh...)
	if shift != 0 {
		for i := lo + len(fresh); i < len(b.starts); i++ {
			b.starts[i] += shift
		}
	}
}
