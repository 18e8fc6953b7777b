package acp

import (
	"fmt"
	"io"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/rs/zerolog"
)

// quick is a QuickHandler that writes down what it is called with.
type quick struct {
	recorder
	seen []string // unguarded on purpose: the race detector checks that only the reading goroutine calls
	take func(method string, params jsontext.Value) bool
}

func (q *quick) Quick(method string, params jsontext.Value, more bool) bool {
	taken := q.take(method, params)
	if taken {
		q.seen = append(q.seen, fmt.Sprintf("%s %s %v", method, params, more))
	}
	return taken
}

func (q *quick) Settle() { q.seen = append(q.seen, "settle") }

func newQuick(take func(method string, params jsontext.Value) bool) *quick {
	q := &quick{take: take}
	q.notify = func(method string, params jsontext.Value) {
		q.seen = append(q.seen, fmt.Sprintf("%s %s", method, params))
	}
	q.request = func(r *Request) { q.seen = append(q.seen, "request "+r.ID()); r.Reply(r.Params(), nil) }
	return q
}

func note(params string) string { return `{"jsonrpc":"2.0","method":"n","params":` + params + `}` }

// TestQuick: what has been put off is settled before anything else happens, and only what can be passed on is offered.
func TestQuick(t *testing.T) {
	q := newQuick(func(_ string, params jsontext.Value) bool { return string(params) != `["no"]` })
	p := connect(t, q, Options{Log: zerolog.Nop()})
	ask := `{"jsonrpc":"2.0","id":7,"method":"echo","params":[]}`
	p.send(strings.Join([]string{note(`[1]`), note(`[2]`), ask, note(`[3]`)}, "\n"))
	p.want(`{"jsonrpc":"2.0","id":7,"result":[]}`)
	p.send(strings.Join([]string{note(`[4]`), note(`["no"]`), note(`[5]`), "what is this", note(`[6]`), ""}, "\n"))
	p.send(strings.Join([]string{note(`[7]`), `{"jsonrpc":"2.0","method":"$/cancel_request","params":{"requestId":1}}`}, "\n"))
	p.send(strings.Join([]string{note(`[8]`), `{"jsonrpc":"2.0","method":"n"}`, note(`[9]`), note("null")}, "\n"))
	if _, err := io.WriteString(p.w, note(`[10]`)+"\n"+note(`[11]`)[:20]); err != nil { // half a line behind it
		t.Fatal(err)
	}
	p.send(note(`[11]`)[20:])
	p.alive()
	want := []string{
		"n [1] true", "n [2] true", "settle", "request 7", "n [3] false",
		"n [4] true", "settle", `n ["no"]`, "n [5] true", "settle", "n [6] true", "settle",
		"n [7] true", "settle",
		"n [8] true", "settle", "n null", "n [9] true", "settle", "n null",
		"n [10] false", "n [11] false", `request "alive?"`,
	}
	if !slices.Equal(q.seen, want) {
		t.Errorf("seen\n%s\nwant\n%s", strings.Join(q.seen, "\n"), strings.Join(want, "\n"))
	}
}

// TestQuickSettlesBeforeItReads cuts a stream at random places: whenever the reading goroutine asks for more of it,
// nothing is put off.
func TestQuickSettlesBeforeItReads(t *testing.T) {
	for seed := range uint64(50) {
		rnd := rand.New(rand.NewPCG(seed, 7))
		var stream strings.Builder
		var want []string
		for i := range 400 {
			params := fmt.Sprintf(`[%d,"%s"]`, i, strings.Repeat("x", rnd.IntN(300)))
			stream.WriteString(note(params) + "\n")
			want = append(want, params)
		}
		var got []string
		put := 0
		h := &watched{quick: func(params string, more bool) {
			got = append(got, params)
			if put++; !more {
				put = 0
			}
		}, settle: func() { put = 0 }}
		left := stream.String()
		read := func(b []byte) int {
			if put != 0 {
				t.Errorf("seed %d: %d notifications wait while the peer is waited for", seed, put)
			}
			n := copy(b[:min(len(b), 1+rnd.IntN(4000))], left)
			left = left[n:]
			return n
		}
		c := NewConn(spring(read), h, Options{Log: zerolog.Nop()})
		must(t, c.Done())
		c.Close()
		if !slices.Equal(got, want) {
			t.Errorf("seed %d: %d of %d notifications came, or not in order", seed, len(got), len(want))
		}
	}
}

// watched is a QuickHandler that takes everything.
type watched struct {
	recorder
	quick  func(params string, more bool)
	settle func()
}

func (w *watched) Quick(_ string, params jsontext.Value, more bool) bool {
	w.quick(string(params), more)
	return true
}

func (w *watched) Settle() { w.settle() }

// spring is a transport that is only read from; it ends when it gives nothing.
type spring func(b []byte) int

func (s spring) Read(b []byte) (int, error) {
	if n := s(b); n > 0 {
		return n, nil
	}
	return 0, io.EOF
}

func (spring) Write(b []byte) (int, error) { return len(b), nil }
func (spring) Close() error                { return nil }

func TestAPanicInQuickIsNotTheEnd(t *testing.T) {
	q := newQuick(func(string, jsontext.Value) bool { panic("no") })
	p := connect(t, q, Options{Log: zerolog.Nop()})
	p.send(note(`[1]`), note(`[2]`))
	p.alive()
	if n := p.conn.Stats().Panics; n != 2 {
		t.Errorf("%d panics", n)
	}
	if len(q.seen) != 1 {
		t.Errorf("a message came twice: %q", q.seen)
	}
}

// TestFlushSendsWhatWaitsForMore: with more, messages stay until one comes without it, or Flush.
func TestFlushSendsWhatWaitsForMore(t *testing.T) {
	p := connect(t, recorder{}, Options{Log: zerolog.Nop()})
	tell := func(n int, more bool) {
		if err := p.conn.NotifyAsIs(t.Context(), "n", jsontext.Value(fmt.Sprintf("[%d]", n)), more); err != nil {
			t.Fatal(err)
		}
	}
	p.conn.Flush()
	tell(1, true)
	tell(2, true)
	select {
	case line := <-p.lines:
		t.Errorf("%s did not wait", line)
	default:
	}
	p.conn.Flush()
	p.want(note("[1]"))
	p.want(note("[2]"))
	tell(3, true)
	tell(4, false)
	p.want(note("[3]"))
	p.want(note("[4]"))
	p.conn.Flush()
	tell(5, true)
	p.conn.Close() // what waits is not lost with the connection
	if rest := p.rest(); len(rest) != 1 || rest[0] != note("[5]") {
		t.Errorf("%q", rest)
	}
}
