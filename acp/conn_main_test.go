package acp

import (
	"bufio"
	"context"
	"encoding/json"
	"io"
	"strings"
	"testing"

	"github.com/go-json-experiment/json/jsontext"
	"go.uber.org/goleak"

	"github.com/copilot-bridge/copilot-bridge/internal/await"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(await.Watch(m)) }

// patience is how long a test waits for what must happen.
const patience = await.Limit

// recorder is a Handler of two functions, either of which may be nil.
type recorder struct {
	notify  func(method string, params jsontext.Value)
	request func(*Request)
}

func (h recorder) Message(m *Message) {
	switch {
	case m.Request != nil && h.request != nil:
		h.request(m.Request)
	case m.Request == nil && h.notify != nil:
		h.notify(m.Method, m.Keep().Params())
	}
}

func (recorder) Drained() {}

// echo answers every request with its params.
var echo = recorder{request: func(r *Request) { r.Reply(r.Params(), nil) }}

// peer is the other end of a Conn, on the level of lines.
type peer struct {
	t     *testing.T
	conn  *Conn
	w     *io.PipeWriter
	r     *io.PipeReader
	lines chan string // what the Conn sent; closed when it stops
}

// duplex joins two pipes to a transport.
type duplex struct {
	*io.PipeReader
	*io.PipeWriter
}

func (d duplex) Close() error {
	d.PipeReader.Close()
	return d.PipeWriter.Close()
}

// connect starts a Conn and a peer that reads all the time.
func connect(t *testing.T, h Handler, o Options) *peer {
	t.Helper()
	p := connectSilent(t, h, o)
	p.listen()
	return p
}

// connectSilent starts a Conn with a peer that does not read before listen.
func connectSilent(t *testing.T, h Handler, o Options) *peer {
	t.Helper()
	toConn, w := io.Pipe()
	r, fromConn := io.Pipe()
	p := &peer{t: t, w: w, r: r, lines: make(chan string, 10_000)}
	p.conn = NewConn(duplex{toConn, fromConn}, h, o)
	t.Cleanup(func() {
		p.conn.Close()
		w.Close()
		r.Close()
	})
	return p
}

func (p *peer) listen() {
	go func() {
		defer close(p.lines)
		lines := bufio.NewReaderSize(p.r, 1<<20)
		for {
			line, err := lines.ReadString('\n')
			if err != nil {
				return
			}
			p.lines <- strings.TrimSuffix(line, "\n")
		}
	}()
}

// send writes raw lines.
func (p *peer) send(lines ...string) {
	p.t.Helper()
	for _, line := range lines {
		if _, err := io.WriteString(p.w, line+"\n"); err != nil {
			p.t.Fatalf("peer writes %.80q: %v", line, err)
		}
	}
}

// next returns the next line the Conn sends.
func (p *peer) next() string {
	p.t.Helper()
	line, ok := receive(p.t, p.lines)
	if !ok {
		p.t.Fatal("the connection ended instead of sending a line")
	}
	return line
}

// rest returns everything the Conn sends until it ends.
func (p *peer) rest() (all []string) {
	p.t.Helper()
	for {
		line, ok := receive(p.t, p.lines)
		if !ok {
			return all
		}
		all = append(all, line)
	}
}

// want fails unless the next line is this one.
func (p *peer) want(line string) {
	p.t.Helper()
	if got := p.next(); got != line {
		p.t.Fatalf("sent %s\nwant %s", got, line)
	}
}

// alive proves that the connection still serves, and that it has said nothing
// before the answer.
func (p *peer) alive() {
	p.t.Helper()
	p.send(`{"jsonrpc":"2.0","id":"alive?","method":"echo","params":["yes"]}`)
	if got, want := p.next(), `{"jsonrpc":"2.0","id":"alive?","result":["yes"]}`; got != want {
		p.t.Fatalf("sent %s\nwant %s", got, want)
	}
}

// answer replies to a call of the Conn.
func (p *peer) answer(call, member string) {
	p.t.Helper()
	var m struct{ ID json.Number }
	if err := json.Unmarshal([]byte(call), &m); err != nil || m.ID == "" {
		p.t.Fatalf("not a call: %s", call)
	}
	p.send(`{"jsonrpc":"2.0","id":` + string(m.ID) + `,` + member + `}`)
}

func receive[T any](t *testing.T, from <-chan T) (T, bool) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	select {
	case v, ok := <-from:
		return v, ok
	case <-ctx.Done():
		t.Fatalf("waited %v for a %T", patience, *new(T))
		panic("unreachable")
	}
}

// must waits for something that happens in another goroutine.
func must[T any](t *testing.T, from <-chan T) T {
	t.Helper()
	v, _ := receive(t, from)
	return v
}
