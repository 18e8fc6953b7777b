package lines

import (
	"sort"
	"strings"

	"github.com/copilot-bridge/copilot-bridge/fsproxy/diff"
)

// Ends are the bytes that two texts share at their two ends, without overlap.
type Ends struct{ Head, Tail int }

// SharedEnds finds them.
func SharedEnds(old, new string) Ends {
	p := diff.CommonPrefix(old, new)
	return Ends{p, diff.CommonSuffix(old[p:], new[p:])}
}

// Window gives the lines of old that a change to new lies in, and what they became.
func (b *Body) Window(new string, e Ends) (lo, hi int, text string) {
	old, shift := b.Text, len(new)-len(b.Text)
	switch {
	case e.Head < len(old):
		lo = b.LineAt(e.Head)
	case Open(old):
		lo = b.Lines() - 1
	default:
		lo = b.Lines()
	}
	// A line start within the common tail is one on both sides if a line end stands before it on both.
	q := len(old) - e.Tail
	hi = sort.SearchInts(b.starts, q)
	if hi < b.Lines() && b.starts[hi] == q {
		if at := q + shift; at > 0 && new[at-1] != '\n' {
			hi++
		}
	}
	return lo, hi, new[b.Off(lo) : b.Off(hi)+shift]
}

// BlocksTo gives the blocks that lead from b to the text new.
func (b *Body) BlocksTo(new string) []Block {
	e := SharedEnds(b.Text, new)
	if e.Head == len(b.Text) && e.Head == len(new) {
		return nil
	}
	return b.BlocksWithin(b.Window(new, e))
}

// BlocksWithin is BlocksTo for lines that are known to become text, of which Window tells.
func (b *Body) BlocksWithin(lo, hi int, text string) []Block {
	if hi-lo <= 1 && Count(text) <= 1 || lo == hi || text == "" {
		return []Block{{Start: lo, End: hi, Text: text}}
	}
	was := b.Slice(lo, hi)
	is := New(text)
	var ks []Block
	for _, h := range diff.Lines(was, text) {
		ks = append(ks, Block{Start: lo + h.OldStart, End: lo + h.OldEnd, Text: is.Slice(h.NewStart, h.NewEnd)})
	}
	return ks
}

// distance says how far apart two texts are: in lines taken out and put in, and
// in bytes within those.
func distance(from, to string) (lines, bytes int) {
	b := New(from)
	for _, k := range b.BlocksTo(to) {
		was := b.Slice(k.Start, k.End)
		e := SharedEnds(was, k.Text)
		lines += k.End - k.Start + Count(k.Text)
		bytes += len(was) + len(k.Text) - 2*(e.Head+e.Tail)
	}
	return lines, bytes
}

// Shows says that text is what came of bringing was to want: perhaps with what somebody typed, or with a last line end that an
// editor's texts always have.
func Shows(text, want, was string) bool {
	if rest, ok := strings.CutPrefix(text, want); ok && (rest == "" || Open(want) && (rest == "\n" || rest == "\r\n")) {
		return true
	}
	return Nearer(text, want, was)
}

// Nearer says that text rather comes from a than from b.
func Nearer(text, a, b string) bool {
	la, ba := distance(a, text)
	lb, bb := distance(b, text)
	return la < lb || la == lb && ba < bb
}

// OtherEnds says that one text has CRLF and the other LF throughout.
func OtherEnds(a, b string) bool {
	crlf := func(s string) bool { n := strings.Count(s, "\n"); return n > 0 && strings.Count(s, "\r\n") == n }
	lf := func(s string) bool { return strings.Contains(s, "\n") && !strings.Contains(s, "\r\n") }
	return crlf(a) && lf(b) || lf(a) && crlf(b)
}
