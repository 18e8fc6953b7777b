package wire

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"
)

// TestWhatIsPassedKeepsItsPlace mixes messages that are passed, pushed and put into places kept for them, on one
// goroutine as an agent's reader does, with others that push and wait. All is shown once, the reader's in its order,
// nothing while something else is being shown.
func TestWhatIsPassedKeepsItsPlace(t *testing.T) {
	const each, others = 400, 3
	for seed := range uint64(40) {
		var shown []string // unguarded on purpose: the race detector checks that calls do not overlap
		show := func(ev Event) { shown = append(shown, ev.(*StatusChanged).Message) }
		o := New(true, func(ev Event, _ func(Event)) { show(ev) })
		ctx, cancel := context.WithCancel(context.Background())
		over := make(chan struct{})
		go func() { defer close(over); o.Run(ctx, newScreen().Show) }()
		var work sync.WaitGroup
		rnd := rand.New(rand.NewPCG(seed, 11))
		passed := 0
		work.Go(func() {
			for i := range each {
				ev := &StatusChanged{Message: fmt.Sprintf("r %03d", i)}
				switch rnd.IntN(12) {
				case 0:
					o.Push(ev)
				case 1:
					p := o.Reserve()
					if o.ShowNow(func() { t.Errorf("seed %d: passed by a place that is kept", seed) }) {
						return
					}
					work.Go(func() { p.Fill(ev) })
				case 2:
					o.Push(ev)
					o.Flush(ctx)
				default:
					if o.ShowNow(func() { show(ev) }) {
						passed++
					} else {
						o.Push(ev)
					}
				}
			}
		})
		for n := range others {
			work.Go(func() {
				for i := range each / 10 {
					o.Push(&StatusChanged{Message: fmt.Sprintf("%d %03d", n, i)})
					o.Flush(ctx)
				}
			})
		}
		work.Wait()
		o.Flush(ctx)
		cancel()
		<-over
		by := map[byte][]string{}
		for _, s := range shown {
			by[s[0]] = append(by[s[0]], s)
		}
		if len(by['r']) != each || len(shown) != each+others*(each/10) {
			t.Errorf("seed %d: %d of the reader's and %d in all were shown", seed, len(by['r']), len(shown))
		}
		for who, list := range by {
			if !slices.IsSorted(list) {
				t.Errorf("seed %d: %c is out of order: %q", seed, who, list)
			}
		}
		if passed == 0 {
			t.Errorf("seed %d: nothing took the short way", seed)
		}
	}
}

// TestFlushWaitsForWhatIsBeingPassed: who waits for everything so far waits for that too.
func TestFlushWaitsForWhatIsBeingPassed(t *testing.T) {
	o := New(true, func(_ Event, _ func(Event)) {})
	ctx, cancel := context.WithCancel(context.Background())
	over := make(chan struct{})
	go func() { defer close(over); o.Run(ctx, newScreen().Show) }()
	defer func() { cancel(); <-over }()
	began, end, flushed := make(chan struct{}), make(chan struct{}), make(chan struct{})
	go o.ShowNow(func() { close(began); <-end })
	<-began
	if o.ShowNow(func() { t.Error("two at once") }) {
		t.Error("a second one was passed")
	}
	short, stop := context.WithCancel(ctx)
	stop()
	o.Flush(short) // returns for its context only
	go func() { defer close(flushed); o.Flush(ctx) }()
	select {
	case <-flushed:
		t.Error("flushed while a message is being passed")
	default:
	}
	close(end)
	<-flushed
}
