package diff

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// An Edit replaces the bytes [Start, End) of a text by New.
type Edit struct {
	Start, End int
	New        string
}

// Edits gives small edits that lead from old to new: ascending, not touching
// each other, at rune boundaries, and never between a '\r' and the '\n' after
// it in either text, because editors that keep CRLF as one line end cannot
// place an edit there. Unchanged lines are in no edit. Nor is the place behind the
// last line end, where the same can be said without it: editors that keep lines
// have none there, and Neovim 0.10 puts in an empty line besides what it is given.
func Edits(old, new string) []Edit {
	if old == new {
		return nil
	}
	a, b := split(old), split(new)
	var out []Edit
	add := func(at int, from, to string) {
		e, changed := trimEdit(at, from, to)
		if !changed {
			return
		}
		if n := len(out); n > 0 && out[n-1].End == e.Start {
			out[n-1].End = e.End
			out[n-1].New += e.New
			return
		}
		out = append(out, e)
	}
	for at, h := range located(a, diffLines(a, b)) {
		from, to := a[h.OldStart:h.OldEnd], b[h.NewStart:h.NewEnd]
		if len(from) == len(to) {
			// As many lines as before: most likely each was edited in place.
			for i := range from {
				add(at, from[i], to[i])
				at += len(from[i])
			}
		} else {
			add(at, join(from), join(to))
		}
	}
	return beforeLastEnd(old, out)
}

// beforeLastEnd moves an edit that reaches to the end of a text in front of its last
// line end, if that leads to the same text: "\nx" is put in behind the last line
// instead of "x\n" behind its end.
func beforeLastEnd(s string, es []Edit) []Edit {
	end := "\n"
	if strings.HasSuffix(s, "\r\n") {
		end = "\r\n"
	}
	n := len(es)
	if n == 0 || es[n-1].End < len(s) || !strings.HasSuffix(s, end) {
		return es
	}
	e := es[n-1]
	at := e.Start - len(end)
	if at < 0 || n > 1 && at < es[n-2].End {
		return es
	}
	moved, ok := strings.CutSuffix(s[at:e.Start]+e.New, end)
	if !ok || !boundary(s, at) || strings.HasSuffix(moved, "\r") && end == "\n" {
		return es
	}
	es[n-1] = Edit{at, e.End - len(end), moved}
	if n > 1 && at == es[n-2].End {
		es[n-2].End, es[n-2].New = es[n-1].End, es[n-2].New+moved
		es = es[:n-1]
	}
	return es
}

// trimEdit takes off what from and to have in common at their ends.
func trimEdit(at int, from, to string) (Edit, bool) {
	if from == to {
		return Edit{}, false
	}
	p, s := sharedEnds(from, to, boundary)
	return Edit{at + p, at + len(from) - s, to[p : len(to)-s]}, true
}

// sharedEnds says how many bytes a and b share at their two ends, without overlap, where both may be cut.
func sharedEnds(a, b string, may func(s string, i int) bool) (head, tail int) {
	head = CommonPrefix(a, b)
	for !may(a, head) || !may(b, head) {
		head--
	}
	tail = CommonSuffix(a[head:], b[head:])
	for !may(a, len(a)-tail) || !may(b, len(b)-tail) {
		tail--
	}
	return head, tail
}

// boundary reports whether a text may be cut at i: not within a rune, not
// within a CRLF.
func boundary(s string, i int) bool {
	return runeBoundary(s, i) && !(i > 0 && i < len(s) && s[i] == '\n' && s[i-1] == '\r')
}

func runeBoundary(s string, i int) bool { return i == 0 || i == len(s) || utf8.RuneStart(s[i]) }

// comparedAtOnce is how many bytes are compared by the machine's own means.
const comparedAtOnce = 4096

// CommonPrefix says how many bytes a and b share at their start.
func CommonPrefix(a, b string) int {
	n, i := min(len(a), len(b)), 0
	for i+comparedAtOnce <= n && a[i:i+comparedAtOnce] == b[i:i+comparedAtOnce] {
		i += comparedAtOnce
	}
	for i < n && a[i] == b[i] {
		i++
	}
	return i
}

// CommonSuffix says how many bytes a and b share at their end.
func CommonSuffix(a, b string) int {
	n, i := min(len(a), len(b)), 0
	for i+comparedAtOnce <= n && a[len(a)-i-comparedAtOnce:len(a)-i] == b[len(b)-i-comparedAtOnce:len(b)-i] {
		i += comparedAtOnce
	}
	for i < n && a[len(a)-i-1] == b[len(b)-i-1] {
		i++
	}
	return i
}

// Apply carries out edits, which must be ascending and within the text.
func Apply(s string, edits []Edit) (string, error) {
	var b strings.Builder
	at := 0
	for i, e := range edits {
		if e.Start < at || e.End < e.Start || e.End > len(s) {
			return "", fmt.Errorf("edit %d covers bytes %d to %d of a text of %d bytes, after byte %d", i, e.Start, e.End, len(s), at)
		}
		b.WriteString(s[at:e.Start])
		b.WriteString(e.New)
		at = e.End
	}
	b.WriteString(s[at:])
	return b.String(), nil
}
