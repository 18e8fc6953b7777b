package outbound

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

// writerFunc is a transport.
type writerFunc func(p []byte) (int, error)

func (f writerFunc) Write(p []byte) (int, error) { return f(p) }

// stuck is a transport that takes nothing until the test is over.
func stuck(t *testing.T) io.Writer {
	t.Helper()
	over := make(chan struct{})
	t.Cleanup(func() { close(over) })
	return writerFunc(func([]byte) (int, error) { <-over; return 0, io.ErrClosedPipe })
}

func put(t *testing.T, q *Queue, text string) {
	t.Helper()
	if _, err := io.WriteString(q, text); err != nil {
		t.Fatal(err)
	}
}

// TestWritesWhatItWasGiven to a transport that is slow, while more is appended: a buffer that is reused too early, or both
// written and filled, would show.
func TestWritesWhatItWasGiven(t *testing.T) {
	var q *Queue
	var got bytes.Buffer
	var mu sync.Mutex
	var want strings.Builder
	n := 0
	add := func() {
		mu.Lock()
		defer mu.Unlock()
		if n < 5000 {
			n++
			text := fmt.Sprintf("message %d;", n)
			if _, err := io.WriteString(q, text); err == nil { // refused once the queue is closing
				want.WriteString(text)
			}
		}
	}
	ready := make(chan struct{})
	q = New(writerFunc(func(p []byte) (int, error) {
		<-ready
		for _, b := range p {
			got.WriteByte(b)
			add()
		}
		return len(p), nil
	}), 1<<20, nil)
	close(ready)
	for range 200 {
		add()
	}
	q.Close(time.Minute)
	if got.String() != want.String() {
		t.Fatalf("it wrote something else than it was given: %.200q", got.String())
	}
}

func TestWritesInPieces(t *testing.T) {
	var got bytes.Buffer
	q := New(writerFunc(func(p []byte) (int, error) {
		if len(p) > writePiece {
			return 0, io.ErrShortBuffer
		}
		return got.Write(p)
	}), 1, func(err error) { t.Error(err) })
	long := strings.Repeat("x", 3*writePiece)
	put(t, q, "short")
	put(t, q, long)
	q.Close(time.Minute)
	if got.String() != "short"+long {
		t.Errorf("wrote %d bytes", got.Len())
	}
	if n := cap(q.pending) + cap(q.spare); n > 2*keepBuffer {
		t.Errorf("%d bytes are kept", n)
	}
}

// TestAppendingNeverWaits, and Admit does from the limit on, until something was written, its context ends or the queue.
func TestAppendingNeverWaits(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const limit = 10
		next := make(chan struct{})
		q := New(writerFunc(func(p []byte) (int, error) { <-next; return len(p), nil }), limit, nil)
		put(t, q, strings.Repeat("x", limit-1))
		synctest.Wait() // it is being written
		if err := q.Admit(t.Context()); err != nil || q.Full() {
			t.Errorf("no room below the limit: %v", err)
		}
		put(t, q, strings.Repeat("x", 1000)) // beyond the limit
		if !q.Full() {
			t.Error("room beyond the limit")
		}
		ctx, cancel := context.WithCancel(t.Context())
		answers := make(chan error, 3)
		go func() { answers <- q.Admit(ctx) }()
		synctest.Wait()
		cancel()
		if err := <-answers; !errors.Is(err, context.Canceled) {
			t.Errorf("waited for %v", err)
		}
		go func() { answers <- q.Admit(t.Context()) }()
		next <- struct{}{} // what was first
		synctest.Wait()
		if len(answers) != 0 {
			t.Error("there was room with 1000 bytes in front of it")
		}
		next <- struct{}{}
		if err := <-answers; err != nil {
			t.Error(err)
		}
		put(t, q, strings.Repeat("x", 2*limit))
		go func() { answers <- q.Admit(t.Context()) }()
		synctest.Wait()
		go q.Close(time.Hour)
		if err := <-answers; !errors.Is(err, ErrClosed) {
			t.Errorf("the end is %v", err)
		}
		close(next)
		<-q.Done()
	})
}

// TestMoreWaits for what follows it, or for Flush, or for the end, and for nothing else.
func TestMoreWaits(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var got bytes.Buffer
		q := New(&got, 1<<20, nil)
		synctest.Wait() // its goroutine waits
		add := func(text string, more bool) {
			t.Helper()
			if _, err := q.Append(more, func(b []byte) []byte { return append(b, text...) }); err != nil {
				t.Fatal(err)
			}
			synctest.Wait()
		}
		want := func(text string) {
			t.Helper()
			if got.String() != text {
				t.Errorf("wrote %q, want %q", got.String(), text)
			}
		}
		q.Flush()
		add("a", true)
		add("b", true)
		want("")
		add("c", false)
		want("abc")
		add("d", true)
		q.Flush()
		synctest.Wait()
		want("abcd")
		add(strings.Repeat("e", writePiece), true) // too much to wait
		want("abcd" + strings.Repeat("e", writePiece))
		add("f", true)
		q.Close(time.Second)
		want("abcd" + strings.Repeat("e", writePiece) + "f")
	})
}

// TestClose waits as long as the peer reads, and no longer.
func TestClose(t *testing.T) {
	const stall = time.Second
	for name, c := range map[string]struct {
		pause time.Duration // of the peer, before each piece
		want  time.Duration
	}{
		"a peer that reads slowly":  {stall / 2, 10 * stall / 2},
		"a peer that stops reading": {time.Hour, stall},
		"a peer that reads at once": {0, 0},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				over := make(chan struct{})
				q := New(writerFunc(func(p []byte) (int, error) {
					select {
					case <-time.After(c.pause):
						return len(p), nil
					case <-over:
						return 0, io.ErrClosedPipe
					}
				}), 1, nil)
				start := time.Now()
				put(t, q, strings.Repeat("x", 10*writePiece))
				q.Close(stall)
				if took := time.Since(start); took != c.want {
					t.Errorf("took %v, want %v", took, c.want)
				}
				if _, err := io.WriteString(q, "late"); !errors.Is(err, ErrClosed) {
					t.Errorf("it took something after its end: %v", err)
				}
				close(over)
				<-q.Done()
			})
		})
	}
}

// TestWhatWasNotWrittenIsLost, once that is certain, and whoever waits or writes hears why.
func TestWhatWasNotWrittenIsLost(t *testing.T) {
	broken := errors.New("broken")
	next := make(chan int)
	failed := make(chan error, 1)
	q := New(writerFunc(func([]byte) (int, error) {
		if n := <-next; n >= 0 {
			return n, nil
		}
		return 1, broken // after one byte
	}), 1, func(err error) { failed <- err })
	add := func(text string) uint64 {
		end, err := q.Append(false, func(b []byte) []byte { return append(b, text...) })
		if err != nil {
			t.Fatal(err)
		}
		return end
	}
	first := add("first")
	next <- len("first")
	second := add("second")
	if q.Lost(first) || q.Lost(second) {
		t.Error("lost before the end")
	}
	waits := make(chan error, 1)
	go func() { waits <- q.Admit(t.Context()) }()
	next <- -1
	for _, c := range []chan error{failed, waits} {
		if err := <-c; !errors.Is(err, broken) {
			t.Errorf("told of %v", err)
		}
	}
	<-q.Done()
	if q.Lost(first) || !q.Lost(second) || q.Written() != first+1 {
		t.Errorf("lost: %v and %v, %d written", q.Lost(first), q.Lost(second), q.Written())
	}
	if _, err := io.WriteString(q, "late"); !errors.Is(err, broken) || q.Full() || len(q.pending) != 0 {
		t.Errorf("after the failure: %v, full %v", err, q.Full())
	}
	q.Close(time.Minute)
}

// TestOverADescriptor: what a pipe has room for is written by who appends it, the rest by the goroutine, in order.
func TestOverADescriptor(t *testing.T) {
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	q := New(w, 1, nil)
	put(t, q, "now")
	if q.now != nil && q.Written() != 3 {
		t.Error("it waits for the goroutine")
	}
	want := "now"
	for i := range 500 { // far more than a pipe holds
		text := fmt.Sprintf("%d %s\n", i, strings.Repeat("x", 1000))
		put(t, q, text)
		want += text
	}
	got := make([]byte, len(want))
	if _, err := io.ReadFull(r, got); err != nil || string(got) != want {
		t.Errorf("%v, or not in order", err)
	}
	q.Close(time.Minute)
	w.Close()
}

// TestManyAppend: each keeps its order, and nothing of one comes between the bytes of another.
func TestManyAppend(t *testing.T) {
	var got bytes.Buffer
	q := New(&got, 100, nil)
	const writers, each = 8, 500
	var all sync.WaitGroup
	for w := range writers {
		all.Go(func() {
			for i := range each {
				if err := q.Admit(t.Context()); err != nil {
					t.Error(err)
				}
				_, _ = q.Append(i%3 == 0, func(b []byte) []byte { return fmt.Appendf(b, "%d %d\n", w, i) })
			}
		})
	}
	all.Wait()
	q.Close(time.Minute)
	next := make([]int, writers)
	for line := range strings.Lines(got.String()) {
		var w, i int
		if _, err := fmt.Sscanf(line, "%d %d\n", &w, &i); err != nil || next[w] != i {
			t.Fatalf("%q after %v: %v", line, next, err)
		}
		next[w]++
	}
	for w, n := range next {
		if n != each {
			t.Errorf("%d lines of %d", n, w)
		}
	}
}

// TestAnEndedQueueHoldsNothing that waits for a transport which cannot be interrupted.
func TestAnEndedQueueHoldsNothing(t *testing.T) {
	q := New(stuck(t), 1, nil)
	put(t, q, "x")
	q.Close(time.Millisecond)
	if err := q.Admit(t.Context()); !errors.Is(err, ErrClosed) {
		t.Error(err)
	}
}
