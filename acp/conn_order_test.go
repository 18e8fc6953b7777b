package acp

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/go-json-experiment/json/jsontext"
)

// TestAllThatCameBeforeTheResponse: when Call returns, the Handler has seen
// every message before the response, in order.
func TestAllThatCameBeforeTheResponse(t *testing.T) {
	const updates = 2000
	var seen []string // unguarded on purpose: the race detector checks the promise
	h := recorder{
		notify:  func(_ string, params jsontext.Value) { seen = append(seen, string(params)) },
		request: func(r *Request) { seen = append(seen, r.ID()); go r.Reply(nil, nil) },
	}
	p := connect(t, h, Options{})
	var want []string
	go func() {
		call := p.next()
		for i := range updates {
			p.send(fmt.Sprintf(`{"jsonrpc":"2.0","method":"session/update","params":[%d]}`, i))
			if i%10 == 0 {
				p.send(fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"fs/read_text_file"}`, i))
			}
		}
		p.answer(call, `"result":{}`)
	}()
	for i := range updates {
		want = append(want, fmt.Sprintf("[%d]", i))
		if i%10 == 0 {
			want = append(want, strconv.Itoa(i))
		}
	}
	if err := callInto(t.Context(), p.conn, "session/prompt", nil, nil); err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(seen, want) {
		t.Errorf("%d messages seen, %d sent, or out of order", len(seen), len(want))
	}
}

// TestParamsAreKept: what the Handler was given is not overwritten by what is
// read later.
func TestParamsAreKept(t *testing.T) {
	var kept []jsontext.Value
	p := connect(t, recorder{
		notify:  func(_ string, params jsontext.Value) { kept = append(kept, params) },
		request: func(r *Request) { kept = append(kept, r.Params()); r.Reply(nil, nil) },
	}, Options{})
	text := func(i int) string { return fmt.Sprintf(`["%s"]`, strings.Repeat(string(rune('a'+i%26)), 40*i*i)) }
	const messages = 100 // the longest is 400 KB, beyond every buffer
	for i := range messages {
		p.send(`{"jsonrpc":"2.0","method":"m","params":` + text(i) + `}`)
	}
	p.send(`{"jsonrpc":"2.0","id":1,"method":"m","params":` + text(messages) + `}`)
	p.next()
	for i := range messages + 1 {
		if string(kept[i]) != text(i) {
			t.Fatalf("params of message %d have changed", i)
		}
	}
}

// TestRequestsAreConcurrent answers a hundred requests in the order opposite to
// theirs, while notifications go on.
func TestRequestsAreConcurrent(t *testing.T) {
	const requests = 100
	var mu sync.Mutex
	var open []*Request
	last := make(chan struct{})
	p := connect(t, recorder{
		request: func(r *Request) { mu.Lock(); open = append(open, r); mu.Unlock() },
		notify:  func(string, jsontext.Value) { close(last) },
	}, Options{})
	for i := range requests {
		p.send(fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"terminal/wait_for_exit"}`, i))
	}
	p.send(`{"jsonrpc":"2.0","method":"last"}`)
	must(t, last)
	for i, r := range slices.Backward(open) {
		if r.ID() != strconv.Itoa(i) {
			t.Fatalf("request %d has id %s", i, r.ID())
		}
		r.Reply(i, nil)
		p.want(fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"result":%d}`, i, i))
	}
}

func TestCancelOfACall(t *testing.T) {
	p := connect(t, echo, Options{})
	ctx, cancel := context.WithCancel(t.Context())
	returned := make(chan error, 1)
	go func() { returned <- callInto(ctx, p.conn, "session/prompt", nil, nil) }()
	p.next()
	cancel()
	p.want(`{"jsonrpc":"2.0","method":"$/cancel_request","params":{"requestId":1}}`)
	if err := must(t, returned); err != context.Canceled { //nolint:errorlint // exactly ctx.Err()
		t.Errorf("Call returned %v", err)
	}
	p.send(`{"jsonrpc":"2.0","id":1,"error":{"code":-32800,"message":"cancelled"}}`)
	p.alive()
	if n := p.conn.reader.count.strayResponses; n != 1 {
		t.Errorf("%d stray responses", n)
	}
	if err := callInto(ctx, p.conn, "session/prompt", nil, nil); err != context.Canceled { //nolint:errorlint // as above
		t.Errorf("Call with a dead context returned %v", err)
	}
	p.alive()
}

func TestCancelOfARequest(t *testing.T) {
	for _, id := range []string{"5", `"five"`, `"f\u0069ve"`} {
		t.Run(id, func(t *testing.T) {
			other := make(chan *Request, 1)
			p := connect(t, recorder{request: func(r *Request) {
				switch r.Method() {
				case "wait":
					go func() { <-r.Context().Done(); r.Reply(nil, r.Context().Err()) }()
				case "other":
					other <- r
				default:
					r.Reply(r.Params(), nil)
				}
			}}, Options{})
			p.send(`{"jsonrpc":"2.0","id":"another","method":"other"}`, `{"jsonrpc":"2.0","id":`+id+`,"method":"wait"}`)
			for _, params := range []string{`{}`, `[]`, `{"requestId":null}`, `{"requestId":1.5}`, `{"requestId":99}`, `{"requestId":5,"requestId":5}`, `{"requestID":5}`, `null`} {
				p.send(`{"jsonrpc":"2.0","method":"$/cancel_request","params":` + params + `}`)
			}
			p.alive()
			p.send(`{"jsonrpc":"2.0","method":"$/cancel_request","params":{"requestId":` + id + `}}`)
			p.want(`{"jsonrpc":"2.0","id":` + id + `,"error":{"code":-32800,"message":"request cancelled"}}`)
			p.send(`{"jsonrpc":"2.0","method":"$/cancel_request","params":{"requestId":` + id + `}}`)
			p.alive()
			if r := must(t, other); r.Context().Err() != nil {
				t.Error("another request was cancelled too")
			}
		})
	}
}

func TestIDsInUse(t *testing.T) {
	var open []*Request
	p := connect(t, recorder{request: func(r *Request) {
		if r.Method() == "echo" {
			r.Reply(r.Params(), nil)
			return
		}
		open = append(open, r)
	}}, Options{})
	inUse := func(id string) string {
		return `{"jsonrpc":"2.0","id":` + id + `,"error":{"code":-32600,"message":"id ` + strings.ReplaceAll(strings.ReplaceAll(id, `\`, `\\`), `"`, `\"`) +
			` is in use by an earlier request that has no answer yet"}}`
	}
	p.send(`{"jsonrpc":"2.0","id":1,"method":"m"}`, `{"jsonrpc":"2.0","id":"1","method":"m"}`, `{"jsonrpc":"2.0","id":"a","method":"m"}`)
	p.send(`{"jsonrpc":"2.0","id":1,"method":"m"}`)
	p.want(inUse("1"))
	p.send(`{"jsonrpc":"2.0","id":"\u0061","method":"m"}`)
	p.want(inUse(`"\u0061"`))
	p.alive()
	if len(open) != 3 {
		t.Fatalf("%d requests were handed over", len(open))
	}
	for _, r := range open {
		r.Reply(r.ID(), nil)
		p.next()
	}
	p.send(`{"jsonrpc":"2.0","id":1,"method":"echo","params":[]}`)
	p.want(`{"jsonrpc":"2.0","id":1,"result":[]}`)
}

func TestTooManyOpenRequests(t *testing.T) {
	var open []*Request
	p := connect(t, recorder{request: func(r *Request) { open = append(open, r) }}, Options{})
	for i := range maxOpenRequests {
		p.send(fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"m"}`, i))
	}
	p.send(`{"jsonrpc":"2.0","id":-1,"method":"m"}`)
	p.want(`{"jsonrpc":"2.0","id":-1,"error":{"code":-32603,"message":"4096 requests are open already; wait for answers"}}`)
	for _, r := range open {
		r.Reply(nil, nil)
		p.next()
	}
	if n := len(p.conn.open.byKey); n != 0 {
		t.Errorf("%d requests are still open", n)
	}
}

// TestCallsFromManyGoroutines: every caller gets its own answer.
func TestCallsFromManyGoroutines(t *testing.T) {
	p := connect(t, echo, Options{})
	q := connect(t, echo, Options{})
	relay := func(from, to *peer) {
		for line := range from.lines {
			if _, err := to.w.Write([]byte(line + "\n")); err != nil {
				return
			}
		}
	}
	go relay(p, q)
	go relay(q, p)
	var all sync.WaitGroup
	for i := range 50 {
		for _, c := range []*Conn{p.conn, q.conn} {
			all.Go(func() {
				for j := range 20 {
					var got []int
					if err := callInto(t.Context(), c, "m", []int{i, j}, &got); err != nil || !slices.Equal(got, []int{i, j}) {
						t.Error(got, err)
					}
				}
			})
		}
	}
	all.Wait()
	if err := callInto(t.Context(), p.conn, "m", nil, new(int)); !isDecodeError(err) {
		t.Errorf("an object decoded as a number: %v", err)
	}
}

func isDecodeError(err error) bool {
	var e *Error
	return err != nil && !errors.As(err, &e) && strings.HasPrefix(err.Error(), "call m: decode result: ")
}
