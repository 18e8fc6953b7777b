package disk

import (
	"errors"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/copilot-bridge/copilot-bridge/fsproxy/text"
)

// wantLines is what ReadLines is to return, the slow way.
func wantLines(content string, first, count int) (string, int) {
	x := text.New(strings.TrimPrefix(content, BOM))
	last := x.Lines()
	if count < last-first {
		last = first + count
	}
	return x.Slice(x.LineStart(first), max(x.LineStart(first), x.LineStart(last))), x.Lines()
}

func TestReadLinesOfAnyFile(t *testing.T) {
	d, root := diskOn(t)
	for name, content := range corpus() {
		path := put(t, filepath.Join(root, name), content)
		for _, first := range []int{0, 1, 2, 5, 10_001, math.MaxInt} {
			for _, count := range []int{0, 1, 2, 7, math.MaxInt} {
				want, all := wantLines(content, first, count)
				got, seen, err := d.ReadLines(t.Context(), path, first, count)
				if err != nil || got != want || got == "" && count > 0 && seen != all && first >= all {
					t.Errorf("%s: %d lines from %d: %q of %d, %v; want %q of %d", name, count, first, got, seen, err, want, all)
				}
				if len(content) > 1000 {
					continue
				}
				// However it is cut into reads.
				l := newLineReader(first, count, 1<<20)
				if err := l.readAll(t.Context(), iotest.OneByteReader(strings.NewReader(content))); err != nil {
					t.Error(err)
				}
				if cut := strings.TrimPrefix(l.kept.String(), BOM); cut != want && first == 0 || first > 0 && l.kept.String() != want {
					t.Errorf("%s: %d lines from %d, byte by byte: %q, want %q", name, count, first, cut, want)
				}
			}
		}
	}
}

func TestReadLinesOfWhatIsTooLargeToRead(t *testing.T) {
	d, root := diskOn(t)
	d.limit = 1000
	path := put(t, root+"/log", strings.Repeat("0123456789\n", 10_000))
	if _, err := d.Read(t.Context(), path); !errors.Is(err, ErrTooLarge) {
		t.Fatal(err)
	}
	if got, _, err := d.ReadLines(t.Context(), path, 9_000, 2); err != nil || got != "0123456789\n0123456789\n" {
		t.Errorf("%q, %v", got, err)
	}
	if _, _, err := d.ReadLines(t.Context(), path, 10, 5000); !errors.Is(err, ErrTooLarge) {
		t.Error(err)
	}
	if _, _, err := d.ReadLines(t.Context(), put(t, root+"/latin", "one\ncaf\xe9\nthree\n"), 1, 1); !errors.Is(err, ErrNotText) {
		t.Error(err)
	}
	if got, _, err := d.ReadLines(t.Context(), root+"/latin", 2, 1); err != nil || got != "three\n" {
		t.Errorf("%q, %v", got, err)
	}
	if _, _, err := d.ReadLines(t.Context(), root+"/nothing", 0, 1); !errors.Is(err, os.ErrNotExist) {
		t.Error(err)
	}
}
