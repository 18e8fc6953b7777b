package await

import (
	"fmt"
	"os"
	"runtime"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

func TestMain(m *testing.M) { os.Exit(Watch(m).Run()) }

// run is tests that are one function.
type run func()

func (f run) Run() int { f(); return 3 }

// standing waits in a test of its own for a channel, until what is done.
func standing(t *testing.T, what func(stacks func() string)) {
	t.Helper()
	t.Run("stands", func(t *testing.T) {
		hold := make(chan struct{})
		t.Run("there", func(t *testing.T) {
			var wg sync.WaitGroup
			wg.Go(func() {
				defer close(hold)
				what(func() string {
					for {
						buf := make([]byte, 1<<20)
						if s := string(buf[:runtime.Stack(buf, true)]); strings.Contains(s, "await.standHere") && strings.Contains(s, "[chan receive") {
							return s
						}
						runtime.Gosched()
					}
				})
			})
			standHere(hold)
			wg.Wait()
		})
	})
}

func standHere(on chan struct{}) { <-on }

func TestATestThatStandsStillIsNamedWithItsPlace(t *testing.T) {
	standing(t, func(stacks func() string) {
		seen, began := sightings{}, time.Now()
		if g := seen.note(stacks(), began); g != nil {
			t.Errorf("at once: %+v", g)
		}
		if g := seen.note(stacks(), began.Add(watchLimit-time.Second)); g != nil {
			t.Errorf("too early: %+v", g)
		}
		g := seen.note(stacks(), began.Add(watchLimit))
		if g == nil || !strings.Contains(g.test, "standing") || !strings.Contains(g.text, "standHere") || !strings.Contains(g.place, "watch_test.go:") {
			t.Fatalf("%+v", g)
		}
	})
}

const sample = `goroutine 7 [%s]:
example.com/x.wait(0x1)
	/x/x_test.go:%d +0x1
example.com/x.TestX(0xc000)
	/x/x_test.go:9 +0x2
testing.tRunner(0xc000, 0x1)
	/go/testing.go:1 +0x3
created by testing.(*T).Run in goroutine 1
	/go/testing.go:2 +0x4
`

func TestWhatMovesIsNotNamed(t *testing.T) {
	for name, c := range map[string]struct {
		first, second string
		named         bool
	}{
		"it stands":                  {fmt.Sprintf(sample, "chan receive", 5), fmt.Sprintf(sample, "chan receive", 5), true},
		"for a minute":               {fmt.Sprintf(sample, "select", 5), fmt.Sprintf(sample, "select, 1 minutes", 5), true},
		"in a bubble":                {fmt.Sprintf(sample, "select (durable), synctest bubble 1", 5), fmt.Sprintf(sample, "select (durable), synctest bubble 1", 5), true},
		"for a process":              {fmt.Sprintf(sample, "syscall", 5), fmt.Sprintf(sample, "syscall", 5), true},
		"with its goroutine's state": {strings.Replace(fmt.Sprintf(sample, "IO wait", 5), "7 [", "7 gp=0xc0 m=nil [", 1), fmt.Sprintf(sample, "IO wait", 5), true},
		"it has gone on":             {fmt.Sprintf(sample, "chan receive", 5), fmt.Sprintf(sample, "chan receive", 6), false},
		"it runs":                    {fmt.Sprintf(sample, "running", 5), fmt.Sprintf(sample, "running", 5), false},
		"it may run":                 {fmt.Sprintf(sample, "runnable", 5), fmt.Sprintf(sample, "runnable", 5), false},
		"it is another":              {fmt.Sprintf(sample, "select", 5), strings.Replace(fmt.Sprintf(sample, "select", 5), "goroutine 7", "goroutine 8", 1), false},
		"for a test below": {strings.Replace(fmt.Sprintf(sample, "chan receive", 5), "example.com/x.wait", "testing.(*T).Run", 1),
			strings.Replace(fmt.Sprintf(sample, "chan receive", 5), "example.com/x.wait", "testing.(*T).Run", 1), false},
		"no test": {strings.Replace(fmt.Sprintf(sample, "select", 5), "testing.tRunner", "x.serve", 1), strings.Replace(fmt.Sprintf(sample, "select", 5), "testing.tRunner", "x.serve", 1), false},
	} {
		now := time.Now()
		seen := sightings{}
		seen.note(c.first, now)
		g := seen.note(c.second, now.Add(watchLimit))
		if (g != nil) != c.named || g != nil && g.test != "example.com/x.TestX" {
			t.Errorf("%s: %+v", name, g)
		}
	}
}

func TestTheWatchEndsWithTheTests(t *testing.T) {
	synctest.Test(t, func(t *testing.T) { // it would be left in the bubble
		w := &Watched{run(func() { time.Sleep(3 * look) }), func(string) { t.Error("it stopped tests that go on") }}
		if code := w.Run(); code != 3 {
			t.Errorf("code %d", code)
		}
	})
}

// failing is a test that notes how it fails.
type failing struct {
	testing.TB
	said string
}

func (f *failing) Helper() {}
func (f *failing) Fatalf(format string, args ...any) {
	f.said = fmt.Sprintf(format, args...)
	runtime.Goexit()
}

func TestAWaitSaysForWhat(t *testing.T) {
	for name, wait := range map[string]func(testing.TB){
		"value":     func(t testing.TB) { Receive(t, "the answer", make(chan int)) },
		"condition": func(t testing.TB) { Until(t, "the answer", func() bool { return false }) },
	} {
		synctest.Test(t, func(t *testing.T) {
			f, began := &failing{}, time.Now()
			var wg sync.WaitGroup
			wg.Go(func() { wait(f) })
			wg.Wait()
			if took := time.Since(began); !strings.Contains(f.said, "for the answer") || took < Limit || took > Limit+time.Second {
				t.Errorf("%s: %q after %v", name, f.said, took)
			}
		})
	}
	full := make(chan int, 1)
	full <- 4
	n := 0
	Until(t, "three looks", func() bool { n++; return n == 3 })
	if v := Receive(t, "the value", full); v != 4 || n != 3 {
		t.Error(v, n)
	}
}
