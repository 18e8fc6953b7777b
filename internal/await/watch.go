package await

import (
	"fmt"
	"io"
	"os"
	"regexp"
	"runtime"
	"strings"
	"testing"
	"time"
)

// maxStacks bounds the stacks that are looked at: some thousand goroutines.
const maxStacks = 8 << 20

// look is how often the tests are looked at.
const look = time.Second

// Watch returns the tests of a package under watch: one that stands still for 30 s at the same place is named, with that
// place and all goroutines, and ends the test binary. It is for TestMain.
func Watch(m *testing.M) *Watched {
	return &Watched{m, func(report string) {
		_, _ = io.WriteString(os.Stderr, report)
		os.Exit(2)
	}}
}

// Watched are tests to be run, as goleak takes them.
type Watched struct {
	m    interface{ Run() int }
	stop func(report string)
}

// Run runs the tests. Nothing of the watch is left when it returns.
func (w *Watched) Run() int {
	over, ended := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(ended)
		w.watch(over)
	}()
	code := w.m.Run()
	close(over)
	<-ended
	return code
}

func (w *Watched) watch(over <-chan struct{}) {
	tick := time.NewTicker(look)
	defer tick.Stop()
	seen := sightings{}
	for buf := make([]byte, 64<<10); ; {
		select {
		case <-over:
			return
		case <-tick.C:
		}
		n := runtime.Stack(buf, true)
		for n == len(buf) && n < maxStacks {
			buf = make([]byte, 2*n)
			n = runtime.Stack(buf, true)
		}
		if g := seen.note(string(buf[:n]), time.Now()); g != nil {
			w.stop(fmt.Sprintf("%s has waited %v here:\n%s\n\nAll goroutines:\n\n%s\n", g.test, watchLimit, g.text, buf[:n]))
			return
		}
	}
}

// sightings say since when a test's goroutine, by its number, has stood at the same place.
type sightings map[string]sighting

type sighting struct {
	place string
	since time.Time
}

// note takes a look at all goroutines, as [runtime.Stack] prints them, and returns one that has stood still for too long.
// A goroutine that is seen running has not.
func (s sightings) note(stacks string, now time.Time) *waiting {
	here := map[string]bool{}
	var late *waiting
	for _, text := range strings.Split(stacks, "\n\n") {
		g := parse(text)
		if g == nil {
			continue
		}
		here[g.id] = true
		if old, known := s[g.id]; !known || old.place != g.place {
			s[g.id] = sighting{g.place, now}
		} else if now.Sub(old.since) >= watchLimit {
			late = g
		}
	}
	for id := range s {
		if !here[id] {
			delete(s, id)
		}
	}
	return late
}

// waiting is a goroutine that runs a test and waits for something.
type waiting struct {
	id    string
	test  string // its function
	place string // the functions and lines it is in
	text  string
}

var (
	header = regexp.MustCompile(`^goroutine (\d+) [^\[]*\[([^\],(]+)`)
	frame  = regexp.MustCompile(`(?m)^(\S.*)\([^()]*\)\n\t(\S+:\d+)`)
)

// parse reads one goroutine; nil if it does not run a test, or runs, or waits for other tests: for those below it, or for
// its turn.
func parse(text string) *waiting {
	h := header.FindStringSubmatch(text)
	if h == nil || strings.HasPrefix(h[2], "run") { // running, runnable
		return nil
	}
	g := &waiting{id: h[1], text: text}
	var places []string
	for i, f := range frame.FindAllStringSubmatch(text, -1) {
		switch {
		case i == 0 && (strings.HasPrefix(f[1], "testing.") || strings.HasPrefix(f[1], "internal/synctest.")):
			return nil
		case f[1] == "testing.tRunner":
			g.place = strings.Join(places, "\n")
			return g
		}
		g.test = f[1]
		places = append(places, f[1]+" "+f[2])
	}
	return nil
}
