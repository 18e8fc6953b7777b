package text

import (
	"errors"
	"testing"
	"unicode/utf16"
	"unicode/utf8"
)

// model is the plain way: a string, and a scan of it for every question.
type model string

// lines returns each line's start and end, without its line end's bytes.
func (m model) lines() (starts, ends []int) {
	starts = []int{0}
	for i := 0; i < len(m); i++ {
		switch {
		case m[i] == '\n':
		case m[i] == '\r' && i+1 < len(m) && m[i+1] == '\n':
			ends = append(ends, i)
			i++
			starts = append(starts, i+1)
			continue
		case m[i] == '\r':
		default:
			continue
		}
		ends = append(ends, i)
		starts = append(starts, i+1)
	}
	return starts, append(ends, len(m))
}

// units is the length of valid UTF-8.
func units(s string, enc Encoding) int {
	switch enc {
	case UTF8:
		return len(s)
	case UTF32:
		return utf8.RuneCountInString(s)
	default:
		return len(utf16.Encode([]rune(s)))
	}
}

// offsetOf is OffsetOf for valid UTF-8.
func (m model) offsetOf(p Position, enc Encoding) (int, bool) {
	starts, ends := m.lines()
	line := int(p.Line)
	if line == len(starts) && p.Character == 0 {
		return len(m), true
	}
	if line >= len(starts) {
		return 0, false
	}
	at, left := starts[line], int(p.Character)
	for at < ends[line] {
		_, size := utf8.DecodeRuneInString(string(m[at:]))
		left -= units(string(m[at:at+size]), enc)
		if left < 0 {
			break
		}
		at += size
	}
	return at, true
}

// positionOf is PositionOf for valid UTF-8.
func (m model) positionOf(at int, enc Encoding) Position {
	starts, ends := m.lines()
	line := len(starts) - 1
	for starts[line] > at {
		line--
	}
	at = min(at, ends[line])
	for at < len(m) && !utf8.RuneStart(m[at]) {
		at--
	}
	return Position{Line: uint32(line), Character: uint32(units(string(m[starts[line]:at]), enc))}
}

var encodings = []Encoding{UTF8, UTF16, UTF32}

// checkShape fails the test if a rule of the tree is broken.
func checkShape(t testing.TB, x Text) {
	t.Helper()
	if x.root == nil {
		return
	}
	var visit func(n *node, root bool)
	visit = func(n *node, root bool) {
		var c counts
		if n.height == 0 {
			c = count(n.leaf)
			if len(n.leaf) == 0 || len(n.leaf) > maxLeaf || len(n.leaf) < minLeaf && !root {
				t.Fatalf("leaf of %d bytes (root: %v)", len(n.leaf), root)
			}
		} else {
			if len(n.kids) > maxKids || len(n.kids) < minKids && !root || len(n.kids) < 2 {
				t.Fatalf("node of %d children (root: %v)", len(n.kids), root)
			}
			for _, k := range n.kids {
				if k.height != n.height-1 {
					t.Fatalf("height %d below height %d", k.height, n.height)
				}
				visit(k, false)
				c = c.add(k.counts)
			}
		}
		if c != n.counts {
			t.Fatalf("counts %+v, kept as %+v", c, n.counts)
		}
	}
	visit(x.root, true)
}

// checkBytes compares all that does not need valid UTF-8.
func checkBytes(t testing.TB, x Text, m model) {
	t.Helper()
	checkShape(t, x)
	if got := x.String(); got != string(m) {
		t.Fatalf("text is %q, want %q", got, m)
	}
	starts, ends := m.lines()
	if x.Len() != len(m) || x.Lines() != len(starts) {
		t.Fatalf("%d bytes, %d lines; want %d, %d", x.Len(), x.Lines(), len(m), len(starts))
	}
	for i := range starts {
		if s, e := x.LineStart(i), x.LineEnd(i); s != starts[i] || e != ends[i] {
			t.Fatalf("line %d is [%d:%d], want [%d:%d] in %q", i, s, e, starts[i], ends[i], m)
		}
	}
	if x.LineStart(len(starts)) != len(m) || x.LineEnd(len(starts)) != len(m) || x.Line(len(starts)) != "" {
		t.Fatal("the line past the last is not empty at the end")
	}
}

// checkPositions compares both conversions at a byte offset and at a position.
// Precondition: m is valid UTF-8.
func checkPositions(t testing.TB, x Text, m model, at int, p Position) {
	t.Helper()
	for _, enc := range encodings {
		if got, want := x.PositionOf(at, enc), m.positionOf(at, enc); got != want {
			t.Fatalf("offset %d of %q is %+v in %s, want %+v", at, m, got, enc, want)
		}
		got, err := x.OffsetOf(p, enc)
		want, ok := m.offsetOf(p, enc)
		if ok != (err == nil) || got != want {
			t.Fatalf("%+v of %q is %d, %v in %s, want %d, %v", p, m, got, err, enc, want, ok)
		}
		var pe *PositionError
		if err != nil && (!errors.As(err, &pe) || pe.Lines != x.Lines() || pe.Position != p) {
			t.Fatalf("error is %#v", err)
		}
		// A position that PositionOf gave is that of the offset it gave it for,
		// or of the start of what it is inside of.
		back, err := x.OffsetOf(x.PositionOf(at, enc), enc)
		if err != nil || back > at || m.positionOf(back, enc) != m.positionOf(at, enc) {
			t.Fatalf("offset %d comes back as %d, %v in %s", at, back, err, enc)
		}
	}
}
