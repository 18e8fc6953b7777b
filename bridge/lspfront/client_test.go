package lspfront

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/copilot-bridge/copilot-bridge/internal/await"
)

// patience is how long a test waits for what must come; it is only ever spent by a test that fails.
const patience = await.Limit

// obj is a JSON object.
type obj = map[string]any

// message is one that the server sent, or an answer of it.
type message struct {
	ID     json.RawMessage `json:"id,omitempty"`
	Method string          `json:"method,omitempty"`
	Params json.RawMessage `json:"params,omitempty"`
	Result json.RawMessage `json:"result,omitempty"`
	Error  *rpcError       `json:"error,omitempty"`
}

type rpcError struct {
	Code    int             `json:"code"`
	Message string          `json:"message"`
	Data    json.RawMessage `json:"data,omitempty"`
}

func (e *rpcError) Error() string { return fmt.Sprintf("%d %s", e.Code, e.Message) }

// fakeEditor is an LSP client, over pipes, with an own idea of the wire: it shares no code with the server's.
type fakeEditor struct {
	t  testing.TB
	w  io.WriteCloser
	wm sync.Mutex

	mu       sync.Mutex
	changed  chan struct{} // closed and replaced with every message
	seen     []message     // in order; requests of the server too
	answers  map[string]message
	withdrew map[string]bool // ids of requests the server took back
	handlers map[string]handler
	docs     map[string]*document // by URI
	lies     bool                 // answers applied: true to a stale edit without making it (Neovim)
	holding  bool                 // didChange is kept back
	held     []obj
	next     int
	stalls   map[string]<-chan struct{} // by method: after such a message nothing is read until the channel is closed
	over     error                      // why nothing more will come
	work     sync.WaitGroup
}

// handler answers a request of the server; it may wait. gone is closed when the server takes the request back.
type handler func(params json.RawMessage, gone <-chan struct{}) (any, *rpcError)

func newFakeEditor(t testing.TB, r io.Reader, w io.WriteCloser) *fakeEditor {
	c := &fakeEditor{t: t, w: w, changed: make(chan struct{}), answers: map[string]message{}, withdrew: map[string]bool{}, handlers: map[string]handler{}, docs: map[string]*document{}}
	c.handlers["workspace/applyEdit"] = c.applyEdit
	for _, quiet := range []string{"window/workDoneProgress/create", "workspace/codeLens/refresh", "client/registerCapability"} {
		c.handlers[quiet] = func(json.RawMessage, <-chan struct{}) (any, *rpcError) { return nil, nil }
	}
	c.handlers["workspace/configuration"] = func(json.RawMessage, <-chan struct{}) (any, *rpcError) { return []any{nil}, nil }
	c.handlers["window/showDocument"] = func(json.RawMessage, <-chan struct{}) (any, *rpcError) { return obj{"success": true}, nil }
	c.work.Go(func() { c.read(bufio.NewReader(r)) })
	return c
}

// read takes in what the server sends until it hangs up.
func (c *fakeEditor) read(r *bufio.Reader) {
	for {
		m, err := readMessage(r)
		c.mu.Lock()
		switch {
		case err != nil:
			c.over = err
		case m.Method == "":
			c.answers[string(m.ID)] = m
		default:
			c.seen = append(c.seen, m)
			if m.Method == "$/cancelRequest" {
				var p struct{ ID json.RawMessage }
				json.Unmarshal(m.Params, &p)
				c.withdrew[string(p.ID)] = true
			}
		}
		stall := c.stalls[m.Method]
		close(c.changed)
		c.changed = make(chan struct{})
		c.mu.Unlock()
		if err != nil {
			return
		}
		if stall != nil {
			<-stall
		}
		if m.Method != "" && len(m.ID) > 0 {
			c.work.Go(func() { c.answer(m) })
		}
	}
}

func readMessage(r *bufio.Reader) (m message, err error) {
	length := 0
	for {
		line, err := r.ReadString('\n')
		if err != nil {
			return m, err
		}
		if line = strings.TrimSpace(line); line == "" {
			break
		}
		if v, ok := strings.CutPrefix(line, "Content-Length: "); ok {
			if length, err = strconv.Atoi(v); err != nil {
				return m, err
			}
		}
	}
	body := make([]byte, length)
	if _, err := io.ReadFull(r, body); err != nil {
		return m, err
	}
	return m, json.Unmarshal(body, &m)
}

// answer answers a request of the server.
func (c *fakeEditor) answer(m message) {
	c.mu.Lock()
	h := c.handlers[m.Method]
	c.mu.Unlock()
	if h == nil {
		c.send(obj{"jsonrpc": "2.0", "id": m.ID, "error": rpcError{Code: -32601, Message: "no " + m.Method}})
		return
	}
	gone, stop := make(chan struct{}), make(chan struct{})
	defer close(stop)
	c.work.Go(func() {
		defer close(gone)
		c.waitUntil(stop, func() bool { return c.withdrew[string(m.ID)] || c.over != nil })
	})
	result, rerr := h(m.Params, gone)
	if rerr != nil {
		c.send(obj{"jsonrpc": "2.0", "id": m.ID, "error": rerr})
		return
	}
	c.send(obj{"jsonrpc": "2.0", "id": m.ID, "result": result})
}

func (c *fakeEditor) send(v any) {
	b, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	c.wm.Lock()
	defer c.wm.Unlock()
	fmt.Fprintf(c.w, "Content-Length: %d\r\n\r\n%s", len(b), b) // a server that is gone shows elsewhere
}

// waitUntil waits until cond, called with mu held, is true; false when stop is closed first.
func (c *fakeEditor) waitUntil(stop <-chan struct{}, cond func() bool) bool {
	for {
		c.mu.Lock()
		ok, changed := cond(), c.changed
		c.mu.Unlock()
		if ok {
			return true
		}
		select {
		case <-changed:
		case <-stop:
			return false
		}
	}
}

// wait waits for cond, which is called with mu held. It fails the test when it cannot come true any more.
func (c *fakeEditor) wait(what string, cond func() bool) {
	c.t.Helper()
	stop := make(chan struct{})
	timer := time.AfterFunc(patience, func() { close(stop) })
	defer timer.Stop()
	var over error
	if !c.waitUntil(stop, func() bool { ok := cond(); over = c.over; return ok || over != nil }) {
		c.t.Fatalf("%s: not within %v; the server sent:\n%s", what, patience, c.log())
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if over != nil && !cond() {
		c.t.Fatalf("%s: never, the connection is over: %v", what, over)
	}
}

// log is what the server has sent, a line a message.
func (c *fakeEditor) log() string {
	c.mu.Lock()
	defer c.mu.Unlock()
	var b strings.Builder
	for _, m := range c.seen {
		fmt.Fprintf(&b, "  %s %.300s\n", m.Method, m.Params)
	}
	return b.String()
}

// on sets how a request of the server's is answered from now on.
func (c *fakeEditor) on(method string, h handler) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.handlers[method] = h
}

// stall makes the editor busy: after a message of that method it reads nothing more until resume is called, which the end
// of the test does too.
func (c *fakeEditor) stall(method string) (resume func()) {
	busy := make(chan struct{})
	resume = sync.OnceFunc(func() { close(busy) })
	c.t.Cleanup(resume) // before the server's end, which was registered first
	c.mu.Lock()
	defer c.mu.Unlock()
	c.stalls = map[string]<-chan struct{}{method: busy}
	return resume
}

// notify tells the server something.
func (c *fakeEditor) notify(method string, params any) {
	c.send(obj{"jsonrpc": "2.0", "method": method, "params": params})
}

// try calls the server.
func (c *fakeEditor) try(method string, params any) (json.RawMessage, error) {
	c.t.Helper()
	c.mu.Lock()
	c.next++
	n := c.next
	c.mu.Unlock()
	id := strconv.Itoa(n)
	c.send(obj{"jsonrpc": "2.0", "id": n, "method": method, "params": params})
	c.wait("the answer to "+method, func() bool { _, ok := c.answers[id]; return ok })
	c.mu.Lock()
	defer c.mu.Unlock()
	m := c.answers[id]
	if m.Error != nil {
		return nil, m.Error
	}
	return m.Result, nil
}

// call calls the server, which must not answer with an error, and decodes the result into v if it is not nil.
func (c *fakeEditor) call(method string, params, v any) {
	c.t.Helper()
	raw, err := c.try(method, params)
	if err != nil {
		c.t.Fatalf("%s: %v", method, err)
	}
	if v == nil {
		return
	}
	if err := json.Unmarshal(raw, v); err != nil {
		c.t.Fatalf("%s: %v in %s", method, err, raw)
	}
}

// fails calls the server, which must answer with an error of that code, and returns its text.
func (c *fakeEditor) fails(code int, method string, params any) string {
	c.t.Helper()
	_, err := c.try(method, params)
	var e *rpcError
	if !errors.As(err, &e) || e.Code != code {
		c.t.Fatalf("%s: got the error %v, want code %d", method, err, code)
	}
	return e.Message
}

// sent are the params of all messages of a method that the server has sent so far.
func (c *fakeEditor) sent(method string) []json.RawMessage {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.of(method)
}

// of is sent for those who hold mu.
func (c *fakeEditor) of(method string) (out []json.RawMessage) {
	for _, m := range c.seen {
		if m.Method == method {
			out = append(out, m.Params)
		}
	}
	return out
}

// awaitSent waits for the n-th message of a method and returns its params.
func (c *fakeEditor) awaitSent(method string, n int) json.RawMessage {
	c.t.Helper()
	c.wait(fmt.Sprintf("%s number %d", method, n), func() bool { return len(c.of(method)) >= n })
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.of(method)[n-1]
}

func decode[T any](t testing.TB, raw json.RawMessage) (v T) {
	t.Helper()
	if err := json.Unmarshal(raw, &v); err != nil {
		t.Fatalf("%v in %s", err, raw)
	}
	return v
}
