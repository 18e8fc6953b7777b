package terminalproxy

import (
	"bytes"
	"strings"
	"testing"
	"unicode/utf8"
)

//
func TestOutputIsCutAtACharacter(t *testing.T) {
	text := "a🙂é日b\n"
	for limit := range len(text) + 2 {
		var r ring
		r.keep = max(limit, 1)
		for i := range len(text) {
			r.append([]byte{text[i]})
		}
		got := r.tail(limit)
		if !utf8.ValidString(got) || len(got) > limit || !strings.HasSuffix(text, got) {
			t.Errorf("limit %d: %q", limit, got)
		}
		if next := len(text) - len(got); limit < len(text) && len(got) < limit {
			_, size := utf8.DecodeLastRuneInString(text[:next])
			if len(got)+size <= limit {
				t.Errorf("limit %d: %q leaves out a character that fits", limit, got)
			}
		}
	}
}

func TestRingKeepsTheEndInBoundedMemory(t *testing.T) {
	for _, keep := range []int{0, 1, blockSize - 1, blockSize, 5*blockSize + 7} {
		r := ring{keep: keep}
		var all []byte
		for i := range 400 {
			p := bytes.Repeat([]byte{byte('a' + i%26)}, 1+i*7%3000)
			r.append(p)
			all = append(all, p...)
			if got := r.tail(keep); got != string(all[max(0, len(all)-keep):]) {
				t.Fatalf("keep %d, step %d: the tail is wrong", keep, i)
			}
			size := cap(r.spare)
			for _, b := range r.blocks {
				size += cap(b)
			}
			if size > keep+3*blockSize {
				t.Fatalf("keep %d: %d bytes held", keep, size)
			}
		}
		if r.end != int64(len(all)) {
			t.Errorf("keep %d: end %d, want %d", keep, r.end, len(all))
		}
	}
}

func TestSlicesJoinToTheWhole(t *testing.T) {
	text := strings.Repeat("x🙂日é", 3000)
	r := ring{keep: len(text)}
	r.append([]byte(text))
	for _, limit := range []int{4, 5, 7, 100, blockSize} {
		var got strings.Builder
		for at := int64(0); at < r.end; {
			s, next, missing := r.slice(at, limit)
			if missing || !utf8.ValidString(s) || next == at {
				t.Fatalf("limit %d at %d: %q, missing %v", limit, at, s, missing)
			}
			got.WriteString(s)
			at = next
		}
		if got.String() != text {
			t.Errorf("limit %d: the pieces are not the whole", limit)
		}
	}
}

//
func TestSplitCharactersAreJoinedAndBrokenOnesReplaced(t *testing.T) {
	for in, want := range map[string]string{
		"a🙂é":                  "a🙂é",
		"\xff\xfe\n":           "\ufffd\ufffd\n",
		"a\xe2\x82":            "a\ufffd\ufffd",
		"\xe2\x28\xa1":         "\ufffd(\ufffd",
		"\xf0\x9f\x99\xc3\xa9": "\ufffd\ufffd\ufffdé",
		"\xed\xa0\x80x\x80":    "\ufffd\ufffd\ufffdx\ufffd",
	} {
		for i := range len(in) + 1 {
			for j := i; j <= len(in); j++ {
				var d decoder
				var got []byte
				out := func(p []byte) {
					if !utf8.Valid(p) {
						t.Fatalf("%q cut at %d, %d: a piece %q", in, i, j, p)
					}
					got = append(got, p...)
				}
				for _, p := range []string{in[:i], in[i:j], in[j:]} {
					d.decode([]byte(p), out)
				}
				d.end(out)
				if string(got) != want {
					t.Fatalf("%q cut at %d, %d: %q, want %q", in, i, j, got, want)
				}
			}
		}
	}
}

func FuzzTermRing(f *testing.F) {
	f.Add([]byte("a🙂é\xff\xe2\x82"), uint8(3), uint16(5))
	f.Add(bytes.Repeat([]byte("é\xc3"), 70), uint8(1), uint16(20))
	f.Fuzz(func(t *testing.T, in []byte, step uint8, limit uint16) {
		want := string([]rune(string(in)))
		r := ring{keep: int(limit)}
		var d decoder
		for p := in; len(p) > 0; {
			n := min(len(p), int(step)+1)
			d.decode(p[:n], r.append)
			p = p[n:]
		}
		d.end(r.append)
		got := r.tail(int(limit))
		if !strings.HasSuffix(want, got) || !utf8.ValidString(got) || len(got) > int(limit) || r.end != int64(len(want)) {
			t.Fatalf("%q by %d with limit %d: %q, want the end of %q", in, step+1, limit, got, want)
		}
		if len(got) < min(len(want), int(limit))-utf8.UTFMax+1 {
			t.Fatalf("limit %d: only %d bytes of %d", limit, len(got), len(want))
		}
	})
}
