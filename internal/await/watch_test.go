package await

import (
	"bytes"
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

// alone is tests that are one function.
type alone func()

func (f alone) Run() int { f(); return 3 }

// standing waits in a test of its own for a channel, until what is done.
func standing(t *testing.T, what func(stacks func() []byte)) {
	t.Helper()
	t.Run("stands", func(t *testing.T) {
		hold := make(chan struct{})
		t.Run("there", func(t *testing.T) {
			var wg sync.WaitGroup
			wg.Go(func() {
				defer close(hold)
				what(func() []byte {
					for {
						buf := make([]byte, 1<<20)
						if all := buf[:runtime.Stack(buf, true)]; bytes.Contains(all, []byte("]:\ngithub.com/copilot-bridge/copilot-bridge/internal/await.standHere")) && !bytes.Contains(all, []byte("[runnable]:\ngithub.com/copilot-bridge/copilot-bridge/internal/await.standHere")) {
							return all
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
	standing(t, func(stacks func() []byte) {
		w, began := watch(nil, nil), time.Now()
		if late := w.note(stacks(), began); late != nil {
			t.Errorf("at once: %s", late)
		}
		if late := w.note(stacks(), began.Add(watchLimit-time.Second)); late != nil {
			t.Errorf("too early: %s", late)
		}
		late := w.note(stacks(), began.Add(watchLimit))
		if late == nil || !strings.Contains(testOf(late), "await.standing") || !strings.Contains(string(late), "standHere") || !strings.Contains(string(late), "watch_test.go:") {
			t.Errorf("%q", late)
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
		w, now := watch(nil, nil), time.Now()
		w.note([]byte(c.first), now)
		late := w.note([]byte(c.second), now.Add(watchLimit))
		if (late != nil) != c.named || late != nil && testOf(late) != "example.com/x.TestX" {
			t.Errorf("%s: %q", name, late)
		}
	}
}

func TestTheWatchEndsWithTheTests(t *testing.T) {
	synctest.Test(t, func(t *testing.T) { // it would be left in the bubble
		w := watch(alone(func() { time.Sleep(3 * look) }), func(string) { t.Error("it stopped tests that go on") })
		if code := w.Run(); code != 3 {
			t.Errorf("code %d", code)
		}
	})
}

// TestLookingTakesNoMemory: a test that counts allocations counts its own.
func TestLookingTakesNoMemory(t *testing.T) {
	w, now := watch(nil, nil), time.Now()
	if n := testing.AllocsPerRun(10, func() {
		now = now.Add(look)
		w.note(w.buf[:runtime.Stack(w.buf, true)], now)
	}); n != 0 {
		t.Errorf("%v allocations", n)
	}
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
