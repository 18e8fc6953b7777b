package text

import "fmt"

// Encoding is the unit that Position.Character counts (LSP PositionEncodingKind).
type Encoding uint8

// The three encodings of LSP 3.17 and later. The zero value is the one every
// client has.
const (
	UTF16 Encoding = iota
	UTF8
	UTF32
)

// String is LSP's name of the encoding.
func (e Encoding) String() string {
	switch e {
	case UTF8:
		return "utf-8"
	case UTF32:
		return "utf-32"
	default:
		return "utf-16"
	}
}

// Position is an LSP position: line and character count from 0, characters in
// units of the connection's Encoding.
type Position struct {
	Line, Character uint32
}

// String is the position as people and compilers write it, counted from 1.
func (p Position) String() string { return fmt.Sprintf("%d:%d", p.Line+1, p.Character+1) }

// PositionError is a position that no rule of LSP gives a place in the text. The
// peer's idea of the text is not ours.
type PositionError struct {
	Position Position
	Lines    int // how many lines the text has
}

func (e *PositionError) Error() string {
	return fmt.Sprintf("position %s is outside the text, which has %d lines", e.Position, e.Lines)
}

// Lines is the number of lines: one more than there are line ends, so at least 1.
func (t Text) Lines() int {
	if t.root == nil {
		return 1
	}
	return t.root.breaks() + 1
}

// LineStart is the offset at which line n (from 0) begins: Len for every line
// past the last.
func (t Text) LineStart(n int) int {
	switch {
	case n <= 0:
		return 0
	case n >= t.Lines():
		return t.Len()
	}
	// The n-th line end is the byte at which the count of line ends reaches n.
	at := t.root.breakEnd(n)
	if t.Byte(at-1) == '\r' && at < t.Len() && t.Byte(at) == '\n' {
		at++
	}
	return at
}

// breakEnd returns the shortest prefix with want line ends, a trailing "\r" being
// one. Precondition: 1 <= want <= n.breaks().
func (n *node) breakEnd(want int) int {
	var before counts
	for n.height > 0 {
		for _, k := range n.kids {
			with := before.add(k.counts)
			if with.breaks() >= want {
				n = k
				break
			}
			before = with
		}
	}
	at, seen := before.bytes, before.breaks()
	afterCR := before.lastCR
	for i := range len(n.leaf) {
		c := n.leaf[i]
		if c == '\r' || c == '\n' && !afterCR {
			if seen++; seen == want {
				return at + i + 1
			}
		}
		afterCR = c == '\r'
	}
	panic("text: fewer line ends than counted")
}

// LineEnd is the offset at which the text of line n ends, before its line end:
// Len for the last line and every line past it.
func (t Text) LineEnd(n int) int {
	if n < 0 {
		return 0
	}
	if n >= t.Lines()-1 {
		return t.Len()
	}
	return t.root.breakEnd(n+1) - 1 // of a "\r\n", the "\r" is what is counted
}

// Line returns line n without its line end, "" for a line past the last.
func (t Text) Line(n int) string {
	start := t.LineStart(n)
	return t.Slice(start, max(start, t.LineEnd(n)))
}

// OffsetOf returns the byte offset of p. A character past the end of its line is
// the line's end, before the line end's bytes; one in the middle of a surrogate
// pair or of a UTF-8 sequence is the start of that character. The start of the
// line after the last one is the end of the text, as clients send it when they
// replace everything; beyond that there is nothing, and a *PositionError.
func (t Text) OffsetOf(p Position, enc Encoding) (int, error) {
	line, lines := int(p.Line), t.Lines()
	if line == lines && p.Character == 0 {
		return t.Len(), nil
	}
	if line >= lines {
		return 0, &PositionError{Position: p, Lines: lines}
	}
	start, end := t.LineStart(line), t.LineEnd(line)
	if p.Character == 0 || start == end {
		return start, nil
	}
	if enc == UTF8 {
		return t.characterStart(start, min(start+int(p.Character), end)), nil
	}
	want := t.unitsBefore(start, enc) + int(p.Character)
	return max(start, min(end, t.root.atUnit(want, enc))), nil
}

// PositionOf returns the position of the byte offset at, which is taken to be
// within [0, Len]. An offset in the middle of a character or of a "\r\n", which no
// position can name, is that of the character's or line end's start.
func (t Text) PositionOf(at int, enc Encoding) Position {
	at = max(0, min(at, t.Len()))
	if t.root == nil || at == 0 {
		return Position{}
	}
	if at < t.Len() && t.Byte(at) == '\n' && t.Byte(at-1) == '\r' {
		at--
	}
	before := t.root.prefix(at)
	line := before.breaks()
	start := t.LineStart(line)
	at = t.characterStart(start, at)
	if enc == UTF8 {
		return Position{Line: uint32(line), Character: uint32(at - start)}
	}
	units := t.unitsBefore(at, enc) - t.unitsBefore(start, enc)
	return Position{Line: uint32(line), Character: uint32(units)}
}

// maxContinuation is how many bytes of a UTF-8 sequence can follow its first.
const maxContinuation = 3

// characterStart returns the start of the character that at is inside of, or at.
// It does not go before floor, nor further back than a UTF-8 sequence is long:
// a longer run of continuation bytes is not text, and stays as it is.
func (t Text) characterStart(floor, at int) int {
	if at >= t.Len() {
		return at
	}
	for back := at; back >= floor && at-back <= maxContinuation; back-- {
		if isLead(t.Byte(back)) == 1 {
			return back
		}
	}
	return at
}

// prefix returns the counts of the first at bytes.
func (n *node) prefix(at int) counts {
	var before counts
	for n.height > 0 {
		for i, k := range n.kids {
			if at <= k.bytes || i == len(n.kids)-1 {
				n = k
				break
			}
			before, at = before.add(k.counts), at-k.bytes
		}
	}
	return before.add(count(n.leaf[:at]))
}

func (t Text) unitsBefore(at int, enc Encoding) int { return t.root.prefix(at).units(enc) }

// atUnit returns the offset of the character that unit number want (from 0) is
// of, the text's length if there is none.
func (n *node) atUnit(want int, enc Encoding) int {
	if want >= n.units(enc) {
		return n.bytes
	}
	at, seen := 0, 0
	for n.height > 0 {
		for _, k := range n.kids {
			if seen+k.units(enc) > want {
				n = k
				break
			}
			at, seen = at+k.bytes, seen+k.units(enc)
		}
	}
	for i := range len(n.leaf) {
		seen += int(isLead(n.leaf[i]))
		if enc == UTF16 {
			seen += int(isAstral(n.leaf[i]))
		}
		if seen > want {
			return at + i
		}
	}
	panic("text: fewer characters than counted")
}
