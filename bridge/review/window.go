package review

import (
	"sort"
	"strings"

	"github.com/copilot-bridge/copilot-bridge/fsproxy/diff"
)

// commonPrefix says how many bytes a and b share at their start.
func commonPrefix(a, b string) int {
	const chunk = 4096 // compared at once, by the machine's own means
	n, i := min(len(a), len(b)), 0
	for i+chunk <= n && a[i:i+chunk] == b[i:i+chunk] {
		i += chunk
	}
	for i < n && a[i] == b[i] {
		i++
	}
	return i
}

// commonSuffix says how many bytes a and b share at their end.
func commonSuffix(a, b string) int {
	const chunk = 4096
	n, i := min(len(a), len(b)), 0
	for i+chunk <= n && a[len(a)-i-chunk:len(a)-i] == b[len(b)-i-chunk:len(b)-i] {
		i += chunk
	}
	for i < n && a[len(a)-i-1] == b[len(b)-i-1] {
		i++
	}
	return i
}

// ends are the bytes that two texts share at their two ends, without overlap.
type ends struct{ head, tail int }

func endsOf(old, new string) ends {
	p := commonPrefix(old, new)
	return ends{p, commonSuffix(old[p:], new[p:])}
}

// window gives the lines of old that a change to new lies in, and what they became.
func (b *body) window(new string, e ends) (lo, hi int, text string) {
	old, shift := b.text, len(new)-len(b.text)
	switch {
	case e.head < len(old):
		lo = b.lineAt(e.head)
	case open(old):
		lo = b.lines() - 1
	default:
		lo = b.lines()
	}
	// A line start within the common tail is one on both sides if a line end stands before it on both.
	q := len(old) - e.tail
	hi = sort.SearchInts(b.starts, q)
	if hi < b.lines() && b.starts[hi] == q {
		if at := q + shift; at > 0 && new[at-1] != '\n' {
			hi++
		}
	}
	return lo, hi, new[b.off(lo) : b.off(hi)+shift]
}

// blocksTo gives the blocks that lead from b to the text new.
func (b *body) blocksTo(new string) []block {
	e := endsOf(b.text, new)
	if e.head == len(b.text) && e.head == len(new) {
		return nil
	}
	return b.blocksWithin(b.window(new, e))
}

func (b *body) blocksWithin(lo, hi int, text string) []block {
	if hi-lo <= 1 && countLines(text) <= 1 || lo == hi || text == "" {
		return []block{{Start: lo, End: hi, Text: blob(text)}}
	}
	was := b.slice(lo, hi)
	is := newBody(text)
	var ks []block
	for _, h := range diff.Lines(was, text) {
		ks = append(ks, block{Start: lo + h.OldStart, End: lo + h.OldEnd, Text: blob(is.slice(h.NewStart, h.NewEnd))})
	}
	return ks
}

// distance says how far apart two texts are: in lines taken out and put in, and
// in bytes within those.
func distance(from, to string) (lines, bytes int) {
	b := newBody(from)
	for _, k := range b.blocksTo(to) {
		was := b.slice(k.Start, k.End)
		e := endsOf(was, string(k.Text))
		lines += k.End - k.Start + countLines(string(k.Text))
		bytes += len(was) + len(k.Text) - 2*(e.head+e.tail)
	}
	return lines, bytes
}

// shows says that text is what came of bringing was to want: perhaps with what somebody typed, or with a last line end that an
// editor's texts always have.
func shows(text, want, was string) bool {
	if rest, ok := strings.CutPrefix(text, want); ok && (rest == "" || open(want) && (rest == "\n" || rest == "\r\n")) {
		return true
	}
	return nearer(text, want, was)
}

// nearer says that text rather comes from a than from b.
func nearer(text, a, b string) bool {
	la, ba := distance(a, text)
	lb, bb := distance(b, text)
	return la < lb || la == lb && ba < bb
}
