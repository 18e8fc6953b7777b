package acpfront

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/copilot-bridge/copilot-bridge/internal/await"
)

// patience is how long a test waits for what must come.
const patience = await.Limit

type obj = map[string]any

// message is one JSON-RPC message, each part as it came.
type message struct {
	ID     json.RawMessage `json:"id,omitempty"`
	Method string          `json:"method,omitempty"`
	Params json.RawMessage `json:"params,omitempty"`
	Result json.RawMessage `json:"result,omitempty"`
	Error  json.RawMessage `json:"error,omitempty"`
	line   string
}

func (m message) String() string { return m.line }

func (m message) request() bool { return m.Method != "" && len(m.ID) > 0 }

// peer is one end of an ACP connection that shares no code with the bridge: an editor or an agent.
type peer struct {
	t    testing.TB
	name string
	out  io.WriteCloser

	mu      sync.Mutex
	got     []message // in the order in which they came
	over    bool
	changed chan struct{}
	next    int                            // of got, the first that wait has not passed
	ids     int                            // of our requests
	auto    map[string]func(m message) any // requests that are answered as they come; a failure is an error
	gone    chan struct{}
}

// failure is an answer that is an error.
type failure struct {
	Code    int    `json:"code"`
	Message string `json:"message"`
}

// failureWith is one with data.
type failureWith struct {
	failure
	Data any `json:"data"`
}

// nothing is no answer: somebody else gives one.
type nothing struct{}

func newPeer(t testing.TB, name string, in io.Reader, out io.WriteCloser) *peer {
	p := &peer{t: t, name: name, out: out, changed: make(chan struct{}), auto: map[string]func(message) any{}, gone: make(chan struct{})}
	go p.read(in)
	return p
}

func (p *peer) read(in io.Reader) {
	defer close(p.gone)
	lines := bufio.NewReaderSize(in, 1<<20)
	for {
		line, err := lines.ReadBytes('\n')
		if line = bytes.TrimSpace(line); len(line) > 0 {
			m := message{line: string(line)}
			if jerr := json.Unmarshal(line, &m); jerr != nil {
				p.t.Errorf("%s was sent %q: %v", p.name, line, jerr)
			}
			p.took(m)
		}
		if err != nil {
			p.mu.Lock()
			p.over = true
			p.wake()
			p.mu.Unlock()
			return
		}
	}
}

func (p *peer) took(m message) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.got = append(p.got, m)
	if f := p.auto[m.Method]; f != nil && m.request() {
		go p.answer(m, f(m))
	}
	p.wake()
}

func (p *peer) wake() {
	close(p.changed)
	p.changed = make(chan struct{})
}

// raw sends a line as it is.
func (p *peer) raw(line string) {
	if _, err := io.WriteString(p.out, line+"\n"); err != nil {
		p.mu.Lock()
		over := p.over
		p.mu.Unlock()
		if !over {
			p.t.Errorf("%s cannot write: %v", p.name, err)
		}
	}
}

func (p *peer) send(m obj) {
	m["jsonrpc"] = "2.0"
	b, err := json.Marshal(m)
	if err != nil {
		panic(err)
	}
	p.raw(string(b))
}

// request sends a request and returns its id.
func (p *peer) request(method string, params any) string {
	p.mu.Lock()
	p.ids++
	id := p.ids
	p.mu.Unlock()
	p.send(obj{"id": id, "method": method, "params": params})
	return fmt.Sprint(id)
}

func (p *peer) notify(method string, params any) { p.send(obj{"method": method, "params": params}) }

// answer answers a request, with an error if result is a failure.
func (p *peer) answer(m message, result any) {
	switch r := result.(type) {
	case nothing:
	case failure, failureWith:
		p.send(obj{"id": m.ID, "error": r})
	default:
		p.send(obj{"id": m.ID, "result": r})
	}
}

// find waits for the first message from place from on that is looked for, and returns it and the place behind it.
func (p *peer) find(what string, from int, met func(message) bool) (message, int) {
	p.t.Helper()
	limit := time.NewTimer(patience)
	defer limit.Stop()
	for {
		p.mu.Lock()
		for i := from; i < len(p.got); i++ {
			m := p.got[i]
			p.mu.Unlock()
			if met(m) {
				return m, i + 1
			}
			p.mu.Lock()
		}
		changed, over := p.changed, p.over
		p.mu.Unlock()
		if over {
			p.t.Fatalf("%s: %s did not come, and the connection is over\n%s", p.name, what, p.show())
		}
		select {
		case <-changed:
		case <-limit.C:
			p.t.Fatalf("%s: %s did not come\n%s", p.name, what, p.show())
		}
	}
}

func (p *peer) show() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	out := ""
	for _, m := range p.got[max(0, len(p.got)-15):] {
		out += "  " + m.line + "\n"
	}
	return out
}

// expect waits for the next message with that method, passing over all others.
func (p *peer) expect(method string) message {
	p.t.Helper()
	p.mu.Lock()
	from := p.next
	p.mu.Unlock()
	m, next := p.find(method, from, func(m message) bool { return m.Method == method })
	p.mu.Lock()
	p.next = next
	p.mu.Unlock()
	return m
}

// response waits for the answer to a request.
func (p *peer) response(id string) message {
	p.t.Helper()
	m, _ := p.find("the answer to "+id, 0, func(m message) bool { return m.Method == "" && string(m.ID) == id })
	return m
}

// answerTo is a request and its answer.
func (p *peer) answerTo(method string, params any) message {
	p.t.Helper()
	m := p.response(p.request(method, params))
	if m.Error != nil {
		p.t.Fatalf("%s: %s", method, m.Error)
	}
	return m
}

// refused is a request that must fail, and its error.
func (p *peer) refused(method string, params any) (f failure) {
	p.t.Helper()
	m := p.response(p.request(method, params))
	if m.Error == nil {
		p.t.Fatalf("%s: answered %s", method, m.Result)
	}
	if err := json.Unmarshal(m.Error, &f); err != nil {
		p.t.Fatal(err)
	}
	return f
}

// was says whether a message with that method has come.
func (p *peer) was(method string) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return slices.ContainsFunc(p.got, func(m message) bool { return m.Method == method })
}

// updates are the session updates that came so far, as they came.
func (p *peer) updates() (out []string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, m := range p.got {
		if m.Method == "session/update" {
			out = append(out, string(m.Params))
		}
	}
	return out
}

// said is the text of the agent's message chunks.
func (p *peer) said() (out string) {
	for _, u := range p.updates() {
		var n struct {
			Update struct {
				Kind    string `json:"sessionUpdate"`
				Content json.RawMessage
			}
		}
		var text struct{ Text string }
		if json.Unmarshal([]byte(u), &n) == nil && n.Update.Kind == "agent_message_chunk" && json.Unmarshal(n.Update.Content, &text) == nil {
			out += text.Text
		}
	}
	return out
}

func (p *peer) close() {
	p.out.Close()
	<-p.gone
}
