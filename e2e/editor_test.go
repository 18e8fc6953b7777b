//go:build e2e

package e2e

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net/url"
	"os"
	"os/exec"
	"strconv"
	"sync"
	"testing"
	"time"
)

// editor is an LSP client with buffers, in the rich tier.
type editor struct {
	t     *testing.T
	w     *world
	cmd   *exec.Cmd
	wire  *wire
	enc   string
	over  chan struct{} // closed when the bridge's output has ended
	stdin interface{ Close() error }

	// language answers copilot-bridge/language/request, and diagnosed diagnostics/get; nil: the editor has no such flag.
	language  func(method string, params json.RawMessage) (any, error)
	diagnosed func() []any
	options   obj  // beside the agent's
	plain     bool // of a plugin's concerns only updates, which tell the end of a turn

	// input answers copilot-bridge/input/request; nil: the editor has no such flag. choose answers window/showMessageRequest with the
	// title that is picked, "" for closed; an editor that has it is in the plain tier.
	input  func(params json.RawMessage) any
	choose func(message string, titles []string) string

	// permit answers a question: the kind of an option, or "" for closed without an answer.
	permit func(question) string
	// reply, if not nil, answers it with more than an option.
	reply func(question) obj

	mu      sync.Mutex
	id      int
	answers map[string]message
	notes   []message
	asked   []question
	docs    map[string]*doc
	changed chan struct{}
	race    func()           // run once, before the next edit is applied
	pace    <-chan time.Time // if not nil: one message is read at each tick
}

type doc struct {
	text    string
	version int
}

type question struct {
	ID       string `json:"id"`
	Title    string `json:"title"`
	ToolCall struct {
		Title string `json:"title"`
	} `json:"toolCall"`
	Options []struct {
		OptionID string `json:"optionId"`
		Kind     string `json:"kind"`
	} `json:"options"`
	Argv []string `json:"argv"`
	Diff []struct {
		Amendable bool `json:"amendable"`
	} `json:"diff"`
	Save []struct {
		URI string `json:"uri"`
	} `json:"save"`
}

// failure is why a language server has no answer.
type failure string

func (f failure) Error() string { return string(f) }

func uri(path string) string { return (&url.URL{Scheme: "file", Path: path}).String() }

func pathOf(u string) string {
	p, err := url.Parse(u)
	if err != nil {
		panic(err)
	}
	return p.Path
}

// start starts the bridge with the world's agent and shakes hands.
func (w *world) start(encodings ...string) *editor {
	w.t.Helper()
	return w.startLSP(nil, encodings...)
}

// startLSP is start with arguments of the command line.
func (w *world) startLSP(args []string, encodings ...string) *editor {
	w.t.Helper()
	return w.startAs(&editor{}, args, encodings...)
}

// startAs is startLSP for an editor that can do more.
func (w *world) startAs(more *editor, args []string, encodings ...string) *editor {
	w.t.Helper()
	e := &editor{t: w.t, w: w, language: more.language, diagnosed: more.diagnosed, options: more.options, input: more.input, choose: more.choose, reply: more.reply, plain: more.plain, over: make(chan struct{}), permit: func(question) string { return "allow_once" },
		answers: map[string]message{}, docs: map[string]*doc{}, changed: make(chan struct{})}
	e.cmd = exec.Command(binary, append([]string{"lsp"}, w.flags(args)...)...)
	e.cmd.Env, e.cmd.Dir = w.env, w.ws
	in, err := e.cmd.StdinPipe()
	if err != nil {
		w.t.Fatal(err)
	}
	out, err := e.cmd.StdoutPipe()
	if err != nil {
		w.t.Fatal(err)
	}
	if err := e.cmd.Start(); err != nil {
		w.t.Fatal(err)
	}
	e.stdin, e.wire = in, &wire{out: in, in: bufio.NewReader(out)}
	go e.read()
	w.t.Cleanup(func() {
		in.Close()
		timer := time.AfterFunc(10*time.Second, func() { e.cmd.Process.Kill() })
		defer timer.Stop()
		<-e.over
		e.cmd.Wait() // its status is the business of who asked for the end
	})
	if len(encodings) == 0 {
		encodings = []string{"utf-16"}
	}
	flags := obj{"version": 1, "updates": true, "permission": true, "review": true, "save": true, "status": true, "language": e.language != nil, "diagnostics": e.diagnosed != nil}
	if flags["input"] = e.input != nil; e.choose != nil {
		flags = obj{"version": 1}
	}
	if e.plain {
		flags = obj{"version": 1, "updates": true}
	}
	agent := obj{"command": w.agent}
	if w.kind != "" {
		agent["kind"] = w.kind
	}
	options := obj{"agent": agent}
	maps.Copy(options, e.options)
	var r struct {
		Capabilities struct {
			Encoding string `json:"positionEncoding"`
		} `json:"capabilities"`
	}
	e.call("initialize", obj{
		"processId": os.Getpid(), "rootUri": uri(w.ws), "workspaceFolders": []obj{{"uri": uri(w.ws), "name": "ws"}},
		"capabilities": obj{
			"general":   obj{"positionEncodings": encodings},
			"workspace": obj{"applyEdit": true, "workspaceEdit": obj{"documentChanges": true}, "workspaceFolders": true},
			"window":    obj{"workDoneProgress": true}, "experimental": obj{"copilotBridge": flags},
		},
		"initializationOptions": options,
	}, &r)
	e.enc = r.Capabilities.Encoding
	e.note("initialized", obj{})
	return e
}

func (e *editor) read() {
	defer close(e.over)
	for {
		e.mu.Lock()
		pace := e.pace
		e.mu.Unlock()
		if pace != nil {
			<-pace
		}
		m, err := e.wire.receive()
		if err != nil {
			e.change(func() {})
			return
		}
		switch {
		case m.Method != "" && len(m.ID) > 0:
			var q question
			if m.Method == "copilot-bridge/permission/request" && json.Unmarshal(m.Params, &q) == nil {
				e.change(func() { e.asked = append(e.asked, q) }) // in the order of the wire
			}
			go e.answer(m)
		case m.Method != "":
			e.change(func() { e.notes = append(e.notes, m) })
		default:
			e.change(func() { e.answers[string(m.ID)] = m })
		}
	}
}

func (e *editor) change(f func()) {
	e.mu.Lock()
	defer e.mu.Unlock()
	f()
	close(e.changed)
	e.changed = make(chan struct{})
}

// until waits until met is true, which is called with the lock held.
func (e *editor) until(what string, met func() bool) {
	e.t.Helper()
	timer := time.NewTimer(patience)
	defer timer.Stop()
	for {
		e.mu.Lock()
		ok, changed := met(), e.changed
		e.mu.Unlock()
		if ok {
			return
		}
		select {
		case <-changed:
		case <-e.over:
			e.mu.Lock()
			ok := met()
			e.mu.Unlock()
			if !ok {
				e.t.Fatalf("%s: the bridge has ended before", what)
			}
			return
		case <-timer.C:
			e.t.Fatalf("%s did not come", what)
		}
	}
}

func (e *editor) note(method string, params any) {
	e.wire.send(obj{"method": method, "params": params})
}

// try calls a method; the message is the answer.
func (e *editor) try(method string, params any) message {
	e.t.Helper()
	e.mu.Lock()
	e.id++
	id := strconv.Itoa(e.id)
	e.mu.Unlock()
	e.wire.send(obj{"id": json.RawMessage(id), "method": method, "params": params})
	var m message
	e.until("the answer to "+method, func() (ok bool) { m, ok = e.answers[id]; return ok })
	return m
}

func (e *editor) call(method string, params, result any) {
	e.t.Helper()
	m := e.try(method, params)
	if m.Error != nil {
		e.t.Fatalf("%s: %d %s", method, m.Error.Code, m.Error.Message)
	}
	if result != nil {
		if err := json.Unmarshal(m.Result, result); err != nil {
			e.t.Fatalf("%s: %v in %s", method, err, m.Result)
		}
	}
}

// answer answers a request of the bridge.
func (e *editor) answer(m message) {
	result, err := e.handle(m)
	if why := new(failure); errors.As(err, why) {
		e.wire.send(obj{"id": m.ID, "error": obj{"code": -32803, "message": "it failed", "data": obj{"reason": string(*why)}}})
		return
	}
	if err != nil {
		e.wire.send(obj{"id": m.ID, "error": obj{"code": -32601, "message": err.Error()}})
		return
	}
	e.wire.send(obj{"id": m.ID, "result": result})
}

func (e *editor) handle(m message) (any, error) {
	switch m.Method {
	case "workspace/applyEdit":
		return e.apply(m.Params)
	case "copilot-bridge/permission/request":
		var q question
		if err := json.Unmarshal(m.Params, &q); err != nil {
			return nil, err
		}
		if e.reply != nil {
			return e.reply(q), nil
		}
		kind := e.permit(q)
		for _, o := range q.Options {
			if o.Kind == kind {
				return obj{"outcome": "selected", "optionId": o.OptionID}, nil
			}
		}
		return obj{"outcome": "cancelled"}, nil
	case "copilot-bridge/document/save":
		var p struct {
			URIs []string `json:"uris"`
		}
		if err := json.Unmarshal(m.Params, &p); err != nil {
			return nil, err
		}
		for _, u := range p.URIs {
			e.save(pathOf(u))
		}
		return obj{"saved": p.URIs, "failed": []any{}}, nil
	case "copilot-bridge/language/request":
		var p struct {
			Method string          `json:"method"`
			Params json.RawMessage `json:"params"`
		}
		if err := json.Unmarshal(m.Params, &p); err != nil || e.language == nil {
			return nil, fmt.Errorf("no %s here: %v", m.Method, err)
		}
		return e.language(p.Method, p.Params)
	case "copilot-bridge/input/request":
		if e.input != nil {
			return e.input(m.Params), nil
		}
	case "window/showMessageRequest":
		var p struct {
			Message string
			Actions []struct{ Title string }
		}
		if err := json.Unmarshal(m.Params, &p); err != nil || e.choose == nil {
			return nil, fmt.Errorf("no %s here: %v", m.Method, err)
		}
		var titles []string
		for _, a := range p.Actions {
			titles = append(titles, a.Title)
		}
		if title := e.choose(p.Message, titles); title != "" {
			return obj{"title": title}, nil
		}
		return nil, nil
	case "copilot-bridge/diagnostics/get":
		if e.diagnosed != nil {
			return obj{"items": e.diagnosed()}, nil
		}
	case "window/workDoneProgress/create", "client/registerCapability":
		return nil, nil
	}
	return nil, fmt.Errorf("no %s here", m.Method)
}
