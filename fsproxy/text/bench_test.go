package text

import (
	"fmt"
	"math/rand/v2"
	"runtime"
	"runtime/metrics"
	"slices"
	"strings"
	"testing"
	"time"
)

// source is a text of about n bytes that looks like a program.
func source(n int) string {
	const line = "	if err := d.visit(ctx, path, create); err != nil { // größer\n"
	return strings.Repeat(line, n/len(line)+1)[:n/len(line)*len(line)]
}

// sizes are a usual file and the one that the promises are about.
var sizes = map[string]int{"100KB": 100 << 10, "10MB": 10 << 20}

// BenchmarkEdit is 10,000 single-character edits at random places, as typed and
// deleted by turns. It reports the median edit beside the mean that b gives.
// "string" is the plain way: every edit copies the text.
func BenchmarkEdit(b *testing.B) {
	for name, size := range sizes {
		s := source(size)
		b.Run("rope/"+name, func(b *testing.B) {
			x := New(s)
			edits(b, func() int { return x.Len() }, func(at, n int, s string) { x = x.Replace(at, at+n, s) })
		})
		b.Run("string/"+name, func(b *testing.B) {
			x := s
			edits(b, func() int { return len(x) }, func(at, n int, s string) { x = x[:at] + s + x[at+n:] })
		})
	}
}

func edits(b *testing.B, length func() int, edit func(at, n int, s string)) {
	r := rand.New(rand.NewPCG(1, 2))
	var took []time.Duration
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		at := r.IntN(length())
		start := time.Now()
		if i%2 == 0 {
			edit(at, 0, "x")
		} else {
			edit(at, 1, "")
		}
		took = append(took, time.Since(start))
	}
	slices.Sort(took)
	b.ReportMetric(float64(took[len(took)/2].Nanoseconds()), "median-ns")
	b.ReportMetric(float64(took[len(took)*99/100].Nanoseconds()), "p99-ns")
}

// BenchmarkPosition converts at random places of 10 MB, and of 10 MB that are one
// line. "string" is the plain way with an index of line starts, kept for free.
func BenchmarkPosition(b *testing.B) {
	lines := source(10 << 20)
	for name, s := range map[string]string{"lines": lines, "one-line": strings.ReplaceAll(lines, "\n", " ")} {
		x := New(s)
		starts, ends := model(s).lines()
		r := rand.New(rand.NewPCG(1, 2))
		for _, enc := range encodings {
			b.Run(fmt.Sprintf("rope/%s/%s", name, enc), func(b *testing.B) {
				for b.Loop() {
					at := r.IntN(len(s))
					if _, err := x.OffsetOf(x.PositionOf(at, enc), enc); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
		b.Run("string/"+name+"/utf-16", func(b *testing.B) {
			for b.Loop() {
				at := r.IntN(len(s))
				line, ok := slices.BinarySearch(starts, at)
				if !ok {
					line--
				}
				n := 0
				for _, c := range s[starts[line]:min(at, ends[line])] {
					n += 1 + int(isAstral(byte(min(c>>16, 1))*0xF0))
				}
				for _, c := range s[starts[line]:ends[line]] {
					if n -= 1 + int(isAstral(byte(min(c>>16, 1))*0xF0)); n <= 0 {
						break
					}
				}
			}
		})
	}
}

// BenchmarkOpenBuffers opens 5,000 buffers of 100 MB together and edits each ten
// times; it reports what the heap holds for each byte of text.
func BenchmarkOpenBuffers(b *testing.B) {
	const buffers, total = 5000, 100 << 20
	for _, contender := range []string{"rope", "rope-edited", "string"} {
		b.Run(contender, func(b *testing.B) {
			var ratio float64
			for b.Loop() {
				ratio = heapRatio(contender, buffers, total)
			}
			b.ReportMetric(ratio, "heap/text")
		})
	}
}

func heapRatio(contender string, buffers, total int) float64 {
	r := rand.New(rand.NewPCG(1, 2))
	before, size := heap(), 0
	texts, strs := make([]Text, 0, buffers), make([]string, 0, buffers)
	for i := range buffers {
		// From 1 KB to 40 KB, and each from a message that is garbage afterwards.
		s := source(total / buffers * (i%40 + 1) * 2 / 41)
		size += len(s)
		if contender == "string" {
			strs = append(strs, strings.Clone(s))
			continue
		}
		x := New(s)
		for range 10 {
			if contender == "rope-edited" {
				at := r.IntN(x.Len())
				x = x.Replace(at, at, "x")
			}
		}
		texts = append(texts, x)
	}
	used := heap() - before
	runtime.KeepAlive(texts)
	runtime.KeepAlive(strs)
	return float64(used) / float64(size)
}

// heap is how many bytes live objects take, with what the allocator's size classes
// waste inside them.
func heap() uint64 {
	runtime.GC()
	runtime.GC()
	sample := []metrics.Sample{{Name: "/memory/classes/heap/objects:bytes"}}
	metrics.Read(sample)
	return sample[0].Value.Uint64()
}

// The promise about memory, as a test.
func TestOpenBuffersCostLittleMoreThanTheirText(t *testing.T) {
	if ratio := heapRatio("rope-edited", 500, 10<<20); ratio > 1.5 {
		t.Errorf("%.2f bytes for each byte of text, want at most 1.5", ratio)
	}
}

// The promise that an edit copies no text but a leaf and the nodes above it, as a
// test: of 10 MB, 10,000 keystrokes allocate a few kilobytes each.
func TestAnEditCopiesNoText(t *testing.T) {
	const keystrokes, most = 10_000, 4096
	x := New(source(10 << 20))
	r := rand.New(rand.NewPCG(1, 2))
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	for range keystrokes {
		at := r.IntN(x.Len())
		x = x.Replace(at, at, "x")
	}
	runtime.ReadMemStats(&after)
	if each := (after.TotalAlloc - before.TotalAlloc) / keystrokes; each > most {
		t.Errorf("a keystroke allocates %d bytes, want at most %d", each, most)
	}
}

// BenchmarkNew and BenchmarkHash are what a file costs once.
func BenchmarkNew(b *testing.B) {
	s := source(1 << 20)
	b.SetBytes(int64(len(s)))
	for b.Loop() {
		New(s)
	}
}

func BenchmarkHash(b *testing.B) {
	x := New(source(1 << 20))
	b.SetBytes(int64(x.Len()))
	for b.Loop() {
		_ = wrap(x.root).Hash()
	}
}
