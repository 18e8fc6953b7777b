package await

import (
	"bytes"
	"fmt"
	"hash/maphash"
	"io"
	"os"
	"runtime"
	"strings"
	"time"
)

const (
	// look is how often the tests are looked at.
	look = 2 * time.Second
	// stacks is room for the stacks of some thousand goroutines. A test behind those is not seen.
	stacks = 2 << 20
	// tests is how many tests may run at once before looking at them takes memory.
	tests = 64
)

// Watched are tests to be run, as goleak takes them.
type Watched struct {
	tests interface{ Run() int }
	stop  func(report string)
	buf   []byte
	seen  []sighting
	seed  maphash.Seed
}

// Watch returns the tests of a package under watch: one that stands still for 30 s at the same place is named, with that
// place and all goroutines, and ends the test binary. m is the *testing.M that TestMain is given.
func Watch(m interface{ Run() int }) *Watched {
	return watch(m, func(report string) {
		_, _ = io.WriteString(os.Stderr, report)
		os.Exit(2)
	})
}

// watch takes all memory now: while a test counts allocations, looking at it makes none.
func watch(m interface{ Run() int }, stop func(string)) *Watched {
	return &Watched{tests: m, stop: stop, buf: make([]byte, stacks), seen: make([]sighting, 0, tests), seed: maphash.MakeSeed()}
}

// Run runs the tests. Nothing of the watch is left when it returns.
func (w *Watched) Run() int {
	over, ended := make(chan struct{}), make(chan struct{})
	tick := time.NewTicker(look)
	defer tick.Stop()
	go func() {
		defer close(ended)
		for {
			select {
			case <-over:
				return
			case now := <-tick.C:
				all := w.buf[:runtime.Stack(w.buf, true)]
				if late := w.note(all, now); late != nil {
					w.stop(fmt.Sprintf("%s has waited %v here:\n%s\n\nAll goroutines:\n\n%s\n", testOf(late), watchLimit, late, all))
					return
				}
			}
		}
	}()
	code := w.tests.Run()
	close(over)
	<-ended
	return code
}

// sighting says since when a test's goroutine has stood at the same place.
type sighting struct {
	id    uint64 // of the goroutine, hashed
	place uint64 // its stack, hashed
	since time.Time
	here  bool
}

// note takes a look at all goroutines, as [runtime.Stack] prints them, and returns one that has stood still for too long.
func (w *Watched) note(all []byte, now time.Time) (late []byte) {
	for i := range w.seen {
		w.seen[i].here = false
	}
	for len(all) > 0 {
		var text []byte
		text, all, _ = bytes.Cut(all, []byte("\n\n"))
		id, body, ok := waits(text)
		if ok && w.sight(maphash.Bytes(w.seed, id), maphash.Bytes(w.seed, body), now) {
			late = text
		}
	}
	kept := w.seen[:0]
	for _, s := range w.seen {
		if s.here { // what runs now, or has ended, does not stand
			kept = append(kept, s)
		}
	}
	w.seen = kept
	return late
}

// sight says whether a goroutine has stood at a place for too long.
func (w *Watched) sight(id, place uint64, now time.Time) bool {
	for i := range w.seen {
		s := &w.seen[i]
		if s.id != id {
			continue
		}
		if s.place != place {
			s.place, s.since = place, now
		}
		s.here = true
		return now.Sub(s.since) >= watchLimit
	}
	w.seen = append(w.seen, sighting{id, place, now, true})
	return false
}

var (
	word   = []byte("goroutine ")
	runner = []byte("\ntesting.tRunner(")
	run    = []byte("run") // running, runnable
)

// waits reads one goroutine and says whether it runs a test that waits for something, other than for a test below it, or
// for its turn among the tests: then testing itself is the innermost function. id is its number, body its functions and
// lines; how long it has waited already is in neither.
func waits(text []byte) (id, body []byte, ok bool) {
	header, body, _ := bytes.Cut(text, []byte("\n"))
	id, rest, _ := bytes.Cut(bytes.TrimPrefix(header, word), []byte(" "))
	_, state, _ := bytes.Cut(rest, []byte("["))
	ok = bytes.HasPrefix(header, word) && bytes.Contains(text, runner) && !bytes.HasPrefix(state, run) &&
		!bytes.HasPrefix(body, []byte("testing.")) && !bytes.HasPrefix(body, []byte("internal/synctest."))
	return id, body, ok
}

// testOf is the function of a test that a goroutine runs.
func testOf(text []byte) string {
	before, _, _ := bytes.Cut(text, runner)
	lines := strings.Split(string(before), "\n")
	if len(lines) < 2 {
		return "a test"
	}
	name := lines[len(lines)-2] // the last line is where it is
	if i := strings.LastIndex(name, "("); i > 0 {
		name = name[:i]
	}
	return name
}
