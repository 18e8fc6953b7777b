package acp

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"runtime"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/go-json-experiment/json/jsontext"
)

const closedAnswer = `"error":{"code":-32603,"message":"connection closed","data":{"reason":"connection closed"}}}`

func TestCloseWithAPendingCall(t *testing.T) {
	p := connect(t, echo, Options{})
	returned := make(chan error, 1)
	go func() { returned <- callInto(t.Context(), p.conn, "m", nil, nil) }()
	p.next()
	if err := p.conn.Close(); err != nil {
		t.Error(err)
	}
	if err := must(t, returned); !errors.Is(err, ErrClosed) {
		t.Errorf("Call returned %v", err)
	}
	if err := callInto(t.Context(), p.conn, "m", nil, nil); !errors.Is(err, ErrClosed) {
		t.Errorf("Call after Close returned %v", err)
	}
	if err := p.conn.Notify(t.Context(), "m", nil); !errors.Is(err, ErrClosed) {
		t.Errorf("Notify after Close returned %v", err)
	}
	if err := p.conn.Err(); err != nil {
		t.Errorf("Err after Close is %v", err)
	}
	p.conn.Close() // again
}

func TestPeerEndsWithAPendingCall(t *testing.T) {
	p := connect(t, echo, Options{})
	returned := make(chan error, 1)
	go func() { returned <- callInto(t.Context(), p.conn, "m", nil, nil) }()
	p.next()
	p.w.Close()
	if err := must(t, returned); !errors.Is(err, ErrClosed) {
		t.Errorf("Call returned %v", err)
	}
	must(t, p.conn.Done())
	if err := p.conn.Err(); err != nil {
		t.Errorf("Err after a proper end is %v", err)
	}
}

// TestTheLastAnswerBeforeTheEnd: a peer that answers and exits at once has
// answered.
func TestTheLastAnswerBeforeTheEnd(t *testing.T) {
	for range 200 {
		p := connect(t, echo, Options{})
		go func() {
			p.answer(p.next(), `"result":"last words"`)
			p.w.Close()
		}()
		var got string
		if err := callInto(t.Context(), p.conn, "m", nil, &got); err != nil || got != "last words" {
			t.Fatalf("%q, %v", got, err)
		}
	}
}

// TestPeerStopsTalkingButReads: what it asked is answered before the transport
// is closed.
func TestPeerStopsTalkingButReads(t *testing.T) {
	contexts := make(chan context.Context, 3)
	p := connect(t, recorder{request: func(r *Request) { contexts <- r.Context() }}, Options{})
	p.send(`{"jsonrpc":"2.0","id":1,"method":"m"}`, `{"jsonrpc":"2.0","id":"2","method":"m"}`)
	p.w.Close()
	sent := p.rest()
	slices.Sort(sent)
	want := []string{
		`{"jsonrpc":"2.0","id":"2",` + strings.Replace(closedAnswer, "closed", "closed by the other side", 1),
		`{"jsonrpc":"2.0","id":1,` + strings.Replace(closedAnswer, "closed", "closed by the other side", 1),
	}
	if !slices.Equal(sent, want) {
		t.Errorf("sent %q", sent)
	}
	for range 2 {
		if ctx := must(t, contexts); !errors.Is(context.Cause(ctx), ErrClosed) {
			t.Errorf("the request's context ended with %v", context.Cause(ctx))
		}
	}
}

func TestReadError(t *testing.T) {
	p := connect(t, echo, Options{})
	p.w.CloseWithError(io.ErrNoProgress)
	must(t, p.conn.Done())
	if err := p.conn.Err(); !errors.Is(err, io.ErrNoProgress) {
		t.Errorf("Err is %v", err)
	}
	if err := callInto(t.Context(), p.conn, "m", nil, nil); !errors.Is(err, ErrClosed) || !errors.Is(err, io.ErrNoProgress) {
		t.Errorf("Call returned %v", err)
	}
}

// TestPeerThatDiedIsStillHeard: writing fails first, what the peer had written
// is delivered all the same.
func TestPeerThatDiedIsStillHeard(t *testing.T) {
	var notes []string
	p := connectSilent(t, recorder{notify: func(method string, _ jsontext.Value) { notes = append(notes, method) }}, Options{})
	p.r.Close()
	for {
		if err := p.conn.Notify(t.Context(), "m", nil); err != nil {
			if !errors.Is(err, ErrClosed) || !errors.Is(err, io.ErrClosedPipe) {
				t.Errorf("Notify returned %v", err)
			}
			break
		}
	}
	p.send(`{"jsonrpc":"2.0","method":"last"}`, `{"jsonrpc":"2.0","id":1,"method":"m"}`, `{"jsonrpc":"2.0","method":"words"}`)
	p.w.Close()
	must(t, p.conn.Done())
	if !slices.Equal(notes, []string{"last", "words"}) {
		t.Errorf("delivered %q", notes)
	}
}

// TestPeerThatOnlyStopsReading is given up after a while.
func TestPeerThatOnlyStopsReading(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := connectSilent(t, echo, Options{})
		p.r.Close()
		start := time.Now()
		if _, err := p.conn.Call(t.Context(), "m", nil); !errors.Is(err, ErrClosed) || !errors.Is(err, io.ErrClosedPipe) {
			t.Errorf("Call returned %v", err)
		}
		<-p.conn.Done()
		if took := time.Since(start); took != brokenPipeGrace {
			t.Errorf("took %v", took)
		}
		if err := p.conn.Err(); !errors.Is(err, io.ErrClosedPipe) {
			t.Errorf("Err is %v", err)
		}
		p.w.Close()
	})
}

// TestCloseDoesNotHang, neither on a peer that does not read nor on a Handler.
func TestCloseDoesNotHang(t *testing.T) {
	tests := []struct {
		name  string
		stuck func(t *testing.T, p *peer)
		limit time.Duration
	}{
		{"a notification that nobody reads", func(t *testing.T, p *peer) {
			if err := p.conn.Notify(t.Context(), "m", nil); err != nil {
				t.Error(err)
			}
		}, 2 * flushStall},
		{"an answer that nobody reads", func(t *testing.T, p *peer) {
			p.send(`{"jsonrpc":"2.0","id":1,"method":"echo","params":[]}`)
		}, 2 * flushStall},
		{"a handler that hangs", func(t *testing.T, p *peer) {
			p.listen()
			p.send(`{"jsonrpc":"2.0","id":1,"method":"hang"}`)
		}, 3 * closeGrace},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				release := make(chan struct{})
				p := connectSilent(t, recorder{request: func(r *Request) {
					if r.Method() == "hang" {
						<-release
					}
					r.Reply(nil, nil)
				}}, Options{})
				test.stuck(t, p)
				synctest.Wait()
				start := time.Now()
				p.conn.Close()
				if took := time.Since(start); took > test.limit {
					t.Errorf("took %v", took)
				}
				close(release)
				p.w.Close()
				p.r.Close()
			})
		})
	}
}

// TestTransportThatCannotBeInterrupted: standard input of a program is one, if
// it is no pipe.
func TestTransportThatCannotBeInterrupted(t *testing.T) {
	t.Run("Close", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			release := make(chan struct{})
			c := NewConn(stubborn{release}, echo, Options{})
			start := time.Now()
			c.Close()
			if took := time.Since(start); took > closeGrace {
				t.Errorf("took %v", took)
			}
			close(release)
		})
	})
	t.Run("Call", func(t *testing.T) {
		release := make(chan struct{})
		c := NewConn(stubborn{release}, echo, Options{})
		returned := make(chan error, 1)
		go func() { returned <- callInto(t.Context(), c, "m", nil, nil) }()
		for c.out.Written() == 0 {
			runtime.Gosched()
		}
		go c.Close()
		if err := must(t, returned); !errors.Is(err, ErrClosed) {
			t.Errorf("Call returned %v", err)
		}
		close(release)
		must(t, c.Done())
	})
}

type stubborn struct{ release chan struct{} }

func (s stubborn) Read([]byte) (int, error)    { <-s.release; return 0, io.EOF }
func (s stubborn) Write(b []byte) (int, error) { return len(b), nil }
func (s stubborn) Close() error                { return nil }

// TestCloseDeliversWhatIsQueued to a peer that reads slowly.
func TestCloseDeliversWhatIsQueued(t *testing.T) {
	p := connectSilent(t, echo, Options{})
	const lines = 3000
	for i := range lines {
		if err := p.conn.Notify(t.Context(), "m", []string{fmt.Sprint(i), strings.Repeat("x", 1000)}); err != nil {
			t.Fatal(err)
		}
	}
	go p.conn.Close()
	slow := bufio.NewScanner(io.MultiReader(p.r))
	slow.Buffer(make([]byte, 2000), 2000)
	n := 0
	for slow.Scan() {
		n++
	}
	if n != lines {
		t.Errorf("%d of %d lines arrived", n, lines)
	}
}
