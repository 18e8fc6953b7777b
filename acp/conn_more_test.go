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

// diary is a Handler that writes down what it is called with.
type diary struct {
	seen []string // unguarded on purpose: the race detector checks that only the reading goroutine calls
	take func(m *Message)
}

func (d *diary) Message(m *Message) {
	if m.Request != nil {
		d.seen = append(d.seen, "request "+m.Request.ID())
		m.Request.Reply(m.Request.Params(), nil)
		return
	}
	if d.take != nil {
		d.take(m)
	}
	d.seen = append(d.seen, fmt.Sprintf("%s %s %v", m.Method, m.Params(), m.More))
}

func (d *diary) Drained() { d.seen = append(d.seen, "drained") }

func note(params string) string { return `{"jsonrpc":"2.0","method":"n","params":` + params + `}` }

// TestMore: a handler hears that more follows at once, and before anything else happens, that it does not.
func TestMore(t *testing.T) {
	q := new(diary)
	p := connect(t, q, Options{Log: zerolog.Nop()})
	ask := `{"jsonrpc":"2.0","id":7,"method":"echo","params":[]}`
	p.send(strings.Join([]string{note(`[1]`), note(`[2]`), ask, note(`[3]`)}, "\n"))
	p.want(`{"jsonrpc":"2.0","id":7,"result":[]}`)
	p.send(strings.Join([]string{note(`[4]`), note(`["x"]`), note(`[5]`), "what is this", note(`[6]`), ""}, "\n"))
	p.send(strings.Join([]string{note(`[7]`), `{"jsonrpc":"2.0","method":"$/cancel_request","params":{"requestId":1}}`}, "\n"))
	p.send(strings.Join([]string{note(`[8]`), `{"jsonrpc":"2.0","method":"n"}`, note(`[9]`), note("null")}, "\n"))
	if _, err := io.WriteString(p.w, note(`[10]`)+"\n"+note(`[11]`)[:20]); err != nil { // half a line behind it
		t.Fatal(err)
	}
	p.send(note(`[11]`)[20:])
	p.alive()
	want := []string{
		"n [1] true", "n [2] true", "drained", "request 7", "n [3] false",
		"n [4] true", `n ["x"] true`, "n [5] true", "drained", "n [6] true", "drained",
		"n [7] true", "drained",
		"n [8] true", "n null true", "n [9] true", "n null false",
		"n [10] false", "n [11] false", `request "alive?"`,
	}
	if !slices.Equal(q.seen, want) {
		t.Errorf("seen\n%s\nwant\n%s", strings.Join(q.seen, "\n"), strings.Join(want, "\n"))
	}
}

// TestTheReaderNeverWaitsWithMore cuts a stream at random places: whenever the reading goroutine asks for more of it,
// nothing is put off.
func TestTheReaderNeverWaitsWithMore(t *testing.T) {
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
		h := &watched{message: func(params string, more bool) {
			got = append(got, params)
			if put++; !more {
				put = 0
			}
		}, drained: func() { put = 0 }}
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

// watched is a Handler of notifications.
type watched struct {
	message func(params string, more bool)
	drained func()
}

func (w *watched) Message(m *Message) { w.message(string(m.Params()), m.More) }
func (w *watched) Drained()           { w.drained() }

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

func TestAPanicWithMoreIsNotTheEnd(t *testing.T) {
	q := &diary{take: func(*Message) { panic("no") }}
	p := connect(t, q, Options{Log: zerolog.Nop()})
	p.send(note(`[1]`), note(`[2]`))
	p.alive()
	if n := p.conn.reader.count.panics; n != 2 {
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
		if err := p.conn.Forward(t.Context(), &Message{Method: "n", More: more, params: jsontext.Value(fmt.Sprintf("[%d]", n))}); err != nil {
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
