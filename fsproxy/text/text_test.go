package text

import (
	"crypto/sha256"
	"errors"
	"math/rand/v2"
	"strings"
	"testing"
)

func TestPositionsAsLSPHasThem(t *testing.T) {
	const s = "a😀b\r\né€\rz\n"
	//         0 1 5 6 7 8 10 13 14 15 16
	for _, c := range []struct {
		p    Position
		enc  Encoding
		want int
	}{
		{Position{0, 0}, UTF16, 0},
		{Position{0, 1}, UTF16, 1},
		{Position{0, 2}, UTF16, 1}, // inside the surrogate pair
		{Position{0, 3}, UTF16, 5},
		{Position{0, 4}, UTF16, 6},
		{Position{0, 5}, UTF16, 6}, // beyond the line end
		{Position{0, 1<<32 - 1}, UTF16, 6},
		{Position{0, 2}, UTF8, 1}, // inside the UTF-8 sequence
		{Position{0, 4}, UTF8, 1},
		{Position{0, 5}, UTF8, 5},
		{Position{0, 9}, UTF8, 6},
		{Position{0, 2}, UTF32, 5},
		{Position{0, 3}, UTF32, 6},
		{Position{1, 0}, UTF16, 8},
		{Position{1, 1}, UTF16, 10},
		{Position{1, 1}, UTF8, 8},
		{Position{1, 2}, UTF16, 13},
		{Position{1, 3}, UTF16, 13},
		{Position{2, 0}, UTF16, 14}, // after a lone "\r"
		{Position{2, 7}, UTF16, 15},
		{Position{3, 0}, UTF16, 16}, // the last line is empty
		{Position{3, 9}, UTF16, 16},
		{Position{4, 0}, UTF16, 16}, // the line after the last is the end
	} {
		if got, err := New(s).OffsetOf(c.p, c.enc); err != nil || got != c.want {
			t.Errorf("%+v in %s is %d, %v; want %d", c.p, c.enc, got, err, c.want)
		}
	}
	for _, p := range []Position{{4, 1}, {5, 0}, {1<<32 - 1, 0}} {
		_, err := New(s).OffsetOf(p, UTF16)
		var pe *PositionError
		if !errors.As(err, &pe) || pe.Lines != 4 || !strings.Contains(err.Error(), "which has 4 lines") {
			t.Errorf("%+v: %v", p, err)
		}
	}
	for at, want := range map[int]Position{0: {0, 0}, 1: {0, 1}, 3: {0, 1}, 5: {0, 3}, 6: {0, 4}, 7: {0, 4}, 8: {1, 0}, 9: {1, 0}, 13: {1, 2}, 14: {2, 0}, 15: {2, 1}, 16: {3, 0}} {
		if got := New(s).PositionOf(at, UTF16); got != want {
			t.Errorf("offset %d is %+v, want %+v", at, got, want)
		}
	}
}

func TestOnlyLSPLineEndsEndLines(t *testing.T) {
	for s, want := range map[string]int{
		"": 1, "a": 1, "\n": 2, "\r": 2, "\r\n": 2, "\n\r": 3, "\r\r\n\n": 4, "a\u2028b\u2029c\u0085d\v\f": 1,
	} {
		if got := New(s).Lines(); got != want {
			t.Errorf("%q has %d lines, want %d", s, got, want)
		}
	}
}

// A "\r\n" may be cut by the leaves it is in, or come together by an edit.
func TestLineEndsAcrossLeaves(t *testing.T) {
	for shift := range 4 {
		s := strings.Repeat("x", shift) + strings.Repeat("\r\n", 4*maxLeaf)
		x := New(s)
		if x.Lines() != 4*maxLeaf+1 {
			t.Fatalf("%d lines", x.Lines())
		}
		for n := range x.Lines() {
			if want := min(n*2+min(n, 1)*shift, len(s)); x.LineStart(n) != want {
				t.Fatalf("line %d starts at %d, want %d", n, x.LineStart(n), want)
			}
		}
	}
	x := New(strings.Repeat("\r", maxLeaf*3))
	for i := range 100 {
		x = x.Replace(i*50+i+1, i*50+i+1, "\n")
		checkBytes(t, x, model(x.String()))
	}
}

// Random edits of a larger text than a fuzz test can afford, most of them small as
// typing is, compared at random places.
func TestRandomEdits(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	m := strings.Repeat("func f() { return \"é😀\" }\r\n", 4000)
	x := New(m)
	for step := range 3000 {
		at := r.IntN(len(m) + 1)
		n := 0
		switch r.IntN(10) {
		case 0:
			n = r.IntN(min(4000, len(m)-at+1))
		case 1, 2, 3:
			n = min(1, len(m)-at)
		}
		piece := pieces[r.IntN(10)]
		if r.IntN(50) == 0 {
			piece = pieces[r.IntN(len(pieces))]
		}
		x, m = x.Replace(at, at+n, piece), m[:at]+piece+m[at+n:]
		checkShape(t, x)
		from := r.IntN(len(m))
		to := from + r.IntN(len(m)-from)
		if got := x.Slice(from, to); got != m[from:to] || x.Len() != len(m) {
			t.Fatalf("step %d: [%d:%d] is %q", step, from, to, got)
		}
		if x.Byte(from) != m[from] {
			t.Fatalf("step %d: byte %d", step, from)
		}
	}
	checkBytes(t, x, model(m))
}

func TestEverythingFromNothingAndBack(t *testing.T) {
	x := Text{}
	for i := range 3 * maxLeaf {
		x = x.Replace(x.Len(), x.Len(), string(rune('a'+i%26)))
	}
	checkBytes(t, x, model(strings.Repeat("abcdefghijklmnopqrstuvwxyz", 300)[:3*maxLeaf]))
	for x.Len() > 0 {
		x = x.Replace(0, 1, "")
		checkShape(t, x)
	}
	if !x.Equal(Text{}) || !x.Equal(New("")) || x.Hash() != Hash(sha256.Sum256(nil)) || x.Hash() != New("").Hash() || x.Lines() != 1 {
		t.Error("an emptied text is not the empty text")
	}
	if x.PositionOf(0, UTF16) != (Position{}) || x.Line(0) != "" || x.String() != "" {
		t.Error("the empty text answers wrong")
	}
}

func TestEqual(t *testing.T) {
	s := strings.Repeat("0123456789\n", 5000)
	x := New(s)
	y := Text{} // the same, cut otherwise
	for i := 0; i < len(s); i += 777 {
		y = y.Replace(y.Len(), y.Len(), s[i:min(i+777, len(s))])
	}
	if !x.Equal(y) || !y.Equal(x) || x.Hash() != y.Hash() {
		t.Error("the same text is not equal")
	}
	for _, at := range []int{0, 1, len(s) / 2, len(s) - 1} {
		z := x.Replace(at, at+1, "#")
		if x.Equal(z) || z.Equal(y) {
			t.Errorf("a change at %d is not seen", at)
		}
		if back := z.Replace(at, at+1, s[at:at+1]); !back.Equal(x) || !back.Equal(y) {
			t.Errorf("a change at %d and back is not equal", at)
		}
	}
	if x.Equal(Text{}) || (Text{}).Equal(x) {
		t.Error("something is nothing")
	}
}

func TestOffsetsOutOfRangePanic(t *testing.T) {
	x := New("abc")
	for name, do := range map[string]func(){
		"slice":    func() { x.Slice(1, 4) },
		"negative": func() { x.Slice(-1, 2) },
		"replace":  func() { x.Replace(2, 1, "") },
		"byte":     func() { x.Byte(3) },
		"empty":    func() { Text{}.Byte(0) },
	} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%s did not panic", name)
				}
			}()
			do()
		}()
	}
}
