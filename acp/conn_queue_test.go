package acp

import (
	"context"
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/go-json-experiment/json/jsontext"
)

// fill queues notifications until no more are taken, and returns their number.
func fill(t *testing.T, c *Conn) (n int) {
	t.Helper()
	big := jsontext.Value(`["` + strings.Repeat("x", 1<<20) + `"]`)
	for !c.out.Full() {
		if err := c.Notify(t.Context(), "big", big); err != nil {
			t.Fatal(err)
		}
		n++
	}
	return n
}

// TestFullQueue: nobody waits longer than its context, and everything that was
// accepted arrives once the peer reads.
func TestFullQueue(t *testing.T) {
	p := connectSilent(t, echo, Options{})
	n := fill(t, p.conn)
	if n > queueLimit>>20+1 {
		t.Errorf("%d MiB were queued", n)
	}
	ctx, cancel := context.WithCancelCause(t.Context())
	returned := make(chan error, 2)
	go func() { returned <- p.conn.Notify(ctx, "late", nil) }()
	go func() { returned <- callInto(ctx, p.conn, "late", nil, nil) }()
	cancel(nil)
	for range 2 {
		if err := must(t, returned); !errors.Is(err, context.Canceled) {
			t.Errorf("waited for %v", err)
		}
	}
	go func() { returned <- p.conn.Notify(t.Context(), "patient", nil) }()
	p.listen()
	for range n {
		p.next()
	}
	if err := must(t, returned); err != nil {
		t.Error(err)
	}
	p.want(`{"jsonrpc":"2.0","method":"patient"}`)
	p.alive()
}

// TestReaderNeverWaitsForTheWriter fills the pipe and the queue, and the
// messages of the peer are handled all the same.
func TestReaderNeverWaitsForTheWriter(t *testing.T) {
	notes := make(chan string, 10)
	h := recorder{request: echo.request, notify: func(method string, _ jsontext.Value) { notes <- method }}
	p := connectSilent(t, h, Options{})
	n := fill(t, p.conn)
	const requests = 100
	for i := range requests {
		p.send(fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"m","params":[]}`, i))
		p.send(`{"jsonrpc":"2.0","id":null,"method":"m"}`)
	}
	p.send(`{"jsonrpc":"2.0","method":"done"}`)
	if got := must(t, notes); got != "done" {
		t.Error(got)
	}
	p.listen()
	var answers, complaints int
	for range n + 2*requests {
		switch line := p.next(); {
		case strings.Contains(line, `"result":[]`):
			answers++
		case strings.Contains(line, `"id":null`):
			complaints++
		}
	}
	if answers != requests || complaints != requests {
		t.Errorf("%d answers, %d complaints", answers, complaints)
	}
}

// TestFloodOfFaultyMessages from a peer that does not read ends the connection
// instead of filling the memory.
func TestFloodOfFaultyMessages(t *testing.T) {
	p := connectSilent(t, echo, Options{})
	flood := []byte(strings.Repeat(`{"jsonrpc":"2.0","id":null,"method":"m"}`+"\n", 1000))
	for {
		if _, err := p.w.Write(flood); err != nil {
			break
		}
	}
	must(t, p.conn.Done())
	if err := p.conn.Err(); err == nil || !strings.Contains(err.Error(), "does not read the answers") {
		t.Errorf("ended by %v", err)
	}
}

// TestFloodOfRequests from a peer that does not read: answers that have no room are as many as requests may be open, the
// rest is refused, and that ends too.
func TestFloodOfRequests(t *testing.T) {
	for name, ids := range map[string]int{"each of its own": math.MaxInt, "of one id": 1} {
		t.Run(name, func(t *testing.T) {
			p := connectSilent(t, recorder{request: func(r *Request) {
				if ids > 1 {
					r.Reply(r.Params(), nil)
				}
			}}, Options{Queue: 1})
			for i := 0; ; i++ {
				if _, err := fmt.Fprintf(p.w, `{"jsonrpc":"2.0","id":%d,"method":"m","params":[]}`+"\n", i%ids); err != nil {
					break
				}
			}
			must(t, p.conn.Done())
			if err := p.conn.Err(); err == nil || !strings.Contains(err.Error(), "does not read the answers") {
				t.Errorf("ended by %v", err)
			}
			if n := len(p.conn.open.byKey); n != 0 {
				t.Errorf("%d requests are still open", n)
			}
		})
	}
}

// TestLargeBuffersAreNotKept guards against one 50 MB answer staying in memory
// for the life of the connection.
func TestLargeBuffersAreNotKept(t *testing.T) {
	p := connect(t, echo, Options{})
	big := strings.Repeat("x", 8<<20)
	p.send(`{"jsonrpc":"2.0","id":1,"method":"m","params":["` + big + `"]}`)
	if line := p.next(); line != `{"jsonrpc":"2.0","id":1,"result":["`+big+`"]}` {
		t.Errorf("sent %d bytes", len(line))
	}
	p.alive()
	p.conn.Close()
	if kept := cap(p.conn.reader.lines.buf); kept > readBuffer {
		t.Errorf("%d bytes are kept", kept)
	}
}
