package wire

import (
	"context"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/copilot-bridge/copilot-bridge/bridge/conversation"
)

// BenchmarkFastEditor measures how long an update is under way to an editor that keeps up, at 10,000 a second.
func BenchmarkFastEditor(b *testing.B) {
	c := conversation.New(conversation.Config{})
	o := testOutbox(c)
	var took []time.Duration
	sent := make(chan time.Time, 1<<16)
	s := newScreen()
	ctx, cancel := context.WithCancel(context.Background())
	over := make(chan struct{})
	ed := &timed{screen: s, sent: sent, took: &took}
	go func() { defer close(over); o.Run(ctx, ed.Show) }()
	b.ResetTimer()
	start := time.Now()
	for i := range b.N {
		for time.Since(start) < time.Duration(i)*100*time.Microsecond {
			runtime.Gosched()
		}
		sent <- time.Now()
		o.Push(&StatusChanged{})
	}
	o.Flush(ctx)
	b.StopTimer()
	cancel()
	<-over
	slices.Sort(took)
	b.ReportMetric(float64(took[len(took)*99/100].Microseconds()), "p99-µs")
	b.ReportMetric(float64(took[len(took)/2].Nanoseconds())/1e3, "p50-µs")
}

type timed struct {
	*screen
	sent <-chan time.Time
	took *[]time.Duration
}

func (t *timed) Show(context.Context, Event) { *t.took = append(*t.took, time.Since(<-t.sent)) }

// BenchmarkSlowEditor pushes 100-byte chunks while the editor takes one event a millisecond, and reports what is kept.
func BenchmarkSlowEditor(b *testing.B) {
	c := conversation.New(conversation.Config{})
	o := testOutbox(c)
	ctx, cancel := context.WithCancel(context.Background())
	over := make(chan struct{})
	s := newScreen()
	shown := 0
	ed := &slow{screen: s, shown: &shown}
	go func() { defer close(over); o.Run(ctx, ed.Show) }()
	text := strings.Repeat("x", 95)
	b.ReportAllocs()
	b.ResetTimer()
	for i := range b.N {
		o.Push(chunk("s", fmt.Sprintf("%s%05d", text, i%100000)))
	}
	b.StopTimer()
	o.Flush(ctx)
	cancel()
	<-over
	var m runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&m)
	b.ReportMetric(float64(m.HeapAlloc)/float64(b.N), "kept-B/op")
	b.ReportMetric(float64(b.N)/float64(shown), "chunks/event")
	runtime.KeepAlive(c)
}

type slow struct {
	*screen
	shown *int
}

func (s *slow) Show(context.Context, Event) { *s.shown++; time.Sleep(time.Millisecond) }
