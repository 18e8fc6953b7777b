package text

import (
	"crypto/sha256"
	"encoding/binary"
	"strings"
	"testing"
	"unicode/utf8"
)

// pieces are what edits of the fuzz test insert: everything that line ends and
// encodings could be got wrong with, and enough text to split and join leaves.
var pieces = []string{
	"", "a", "\n", "\r", "\r\n", "\n\r", "é", "€", "😀", "\u2028", "\uFEFF", "\x00",
	"fn main() {\n", strings.Repeat("x", minLeaf), strings.Repeat("0123456789\r\n", 300),
	strings.Repeat("😀é\r", 1000), "\r\r\n\n", "\x80", "\xF0\x9F", "\xFF",
}

// FuzzEdits applies edits to a Text and to a string and compares them after each.
// An edit is five bytes: where from, how much, what.
func FuzzEdits(f *testing.F) {
	f.Add("hello\r\nworld", []byte{0, 5, 0, 1, 2, 0, 6, 0, 1, 3})
	f.Add(strings.Repeat("line\n", 1000), []byte{0, 200, 3, 0, 0, 1, 0, 0, 0, 14, 0, 9, 255, 255, 13})
	f.Add("\r", []byte{0, 1, 0, 0, 2, 0, 1, 0, 0, 8, 0, 2, 0, 0, 17})
	f.Fuzz(func(t *testing.T, start string, script []byte) {
		x, m := New(start), model(start)
		checkBytes(t, x, m)
		for step := 0; len(script) >= 5 && step < 40 && len(m) < 1<<17; step++ {
			at := int(binary.BigEndian.Uint16(script)) % (len(m) + 1)
			n := int(binary.BigEndian.Uint16(script[2:])) % (len(m) - at + 1)
			piece := pieces[int(script[4])%len(pieces)]
			before, kept := x, string(m)
			x = x.Replace(at, at+n, piece)
			m = m[:at] + model(piece) + m[at+n:]
			script = script[5:]

			if len(m) < 2*maxLeaf { // every line of a long text takes too long each time
				checkBytes(t, x, m)
			}
			checkShape(t, x)
			if x.String() != string(m) || x.Lines() != strings.Count(string(m), "\n")+strings.Count(string(m), "\r")-strings.Count(string(m), "\r\n")+1 {
				t.Fatalf("text is %q with %d lines, want %q", x.String(), x.Lines(), m)
			}
			if before.String() != kept {
				t.Fatal("an edit changed the text it was made from")
			}
			if got := x.Slice(at, at+len(piece)); got != piece {
				t.Fatalf("slice of what was inserted is %q, want %q", got, piece)
			}
			if !x.Equal(New(string(m))) || x.Equal(before) != (kept == string(m)) {
				t.Fatal("Equal is wrong")
			}
			if x.Hash() != Hash(sha256.Sum256([]byte(m))) {
				t.Fatal("Hash depends on the way the text was made")
			}
			for _, enc := range encodings { // never a panic, whatever the bytes
				p := x.PositionOf(at, enc)
				if _, err := x.OffsetOf(p, enc); err != nil {
					t.Fatalf("the position of offset %d: %v", at, err)
				}
			}
			if utf8.ValidString(string(m)) {
				checkPositions(t, x, m, at, Position{Line: uint32(n % 9), Character: uint32(at % 50)})
			}
		}
	})
}

// FuzzPositions converts between offsets and positions of valid text.
func FuzzPositions(f *testing.F) {
	f.Add("a😀b\r\né€\rz\n", 3, uint32(0), uint32(2))
	f.Add("", 0, uint32(1), uint32(0))
	f.Add("x\r", 2, uint32(2), uint32(1))
	f.Add("\n\n", 1, uint32(1<<31), uint32(1<<32-1))
	f.Fuzz(func(t *testing.T, s string, at int, line, character uint32) {
		s = strings.ToValidUTF8(s, "😀")
		if at < 0 || at > len(s) {
			at = len(s)
		}
		m := model(s)
		checkPositions(t, New(s), m, at, Position{line, character})
		// The same as a tree of several leaves, cut in every way.
		pad := strings.Repeat("é\r\n😀", 300)
		x := New(pad).Replace(at%len(pad)/7, at%len(pad)/7, "")
		x = x.Replace(x.Len(), x.Len(), s)
		checkPositions(t, x, model(pad+s), len(pad)+at, Position{line%700 + 299, character})
	})
}
