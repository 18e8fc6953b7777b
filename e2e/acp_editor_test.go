//go:build e2e

package e2e

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"sync"
	"testing"
	"time"
)

// acpEditor is an editor that speaks ACP: it serves fs from its buffers, runs terminals, answers questions, and keeps all
// that it is sent.
type acpEditor struct {
	t   *testing.T
	w   *world
	cmd *exec.Cmd
	in  io.WriteCloser

	mu       sync.Mutex
	permit   string // kind of the option that is chosen; "" leaves the question open
	elicited any    // what elicitation/create is answered
	buffers  map[string]string
	terms    map[string]*acpTerminal
	got      []message
	asked    []message
	answers  map[string]message
	ids      int
	changed  chan struct{}
	over     chan struct{}
	terminal bool
}

// startACP starts `copilot-bridge acp` in front of the world's agent.
func (w *world) startACP(terminal bool, args ...string) *acpEditor {
	w.t.Helper()
	return w.startACPWith(obj{"fs": obj{"readTextFile": true, "writeTextFile": true}, "terminal": terminal}, args...)
}

// startACPWith is startACP of an editor with these capabilities.
func (w *world) startACPWith(caps obj, args ...string) *acpEditor {
	w.t.Helper()
	e := newACPEditor(w, caps)
	e.start(append(append([]string{binary, "acp"}, append(w.flags(args), "--")...), w.agent...), caps)
	return e
}

// startDirect starts the world's agent without a bridge.
func (w *world) startDirect() *acpEditor {
	w.t.Helper()
	caps := obj{"fs": obj{"readTextFile": true, "writeTextFile": true}, "terminal": true}
	e := newACPEditor(w, caps)
	e.start(w.agent, caps)
	return e
}

func newACPEditor(w *world, caps obj) *acpEditor {
	terminal, _ := caps["terminal"].(bool)
	return &acpEditor{t: w.t, w: w, permit: "allow_once", buffers: map[string]string{}, terms: map[string]*acpTerminal{}, answers: map[string]message{},
		changed: make(chan struct{}), over: make(chan struct{}), terminal: terminal}
}

// start starts a program and shakes hands with it.
func (e *acpEditor) start(command []string, caps obj) {
	e.t.Helper()
	w := e.w
	e.cmd = exec.Command(command[0], command[1:]...)
	e.cmd.Env, e.cmd.Dir = w.env, w.ws
	out, err := e.cmd.StdoutPipe()
	if err != nil {
		w.t.Fatal(err)
	}
	if e.in, err = e.cmd.StdinPipe(); err != nil {
		w.t.Fatal(err)
	}
	if err := e.cmd.Start(); err != nil {
		w.t.Fatal(err)
	}
	go e.read(out)
	w.t.Cleanup(e.close)
	e.call("initialize", obj{"protocolVersion": 1, "clientInfo": obj{"name": "e2e", "version": "1"},
		"clientCapabilities": caps}, nil)
}

func (e *acpEditor) close() {
	e.in.Close()
	timer := time.AfterFunc(10*time.Second, func() { e.cmd.Process.Kill() })
	defer timer.Stop()
	<-e.over
	e.cmd.Wait() // its status is the business of who asked for the end
}

func (e *acpEditor) send(m obj) {
	m["jsonrpc"] = "2.0"
	b, err := json.Marshal(m)
	if err != nil {
		panic(err)
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	e.in.Write(append(b, '\n')) // a peer that is gone is noticed by the reader
}

func (e *acpEditor) read(out io.Reader) {
	defer close(e.over)
	lines := bufio.NewReader(out)
	for {
		line, err := lines.ReadBytes('\n')
		if err != nil {
			return
		}
		var m message
		if err := json.Unmarshal(line, &m); err != nil {
			e.t.Errorf("not JSON: %q", line)
			continue
		}
		e.mu.Lock()
		if m.Method == "" {
			e.answers[string(m.ID)] = m
		} else {
			e.got = append(e.got, m)
			if len(m.ID) > 0 {
				go e.serve(m)
			}
		}
		close(e.changed)
		e.changed = make(chan struct{})
		e.mu.Unlock()
	}
}

func (e *acpEditor) serve(m message) {
	result, err := e.answer(m)
	if err != nil {
		e.send(obj{"id": m.ID, "error": obj{"code": -32002, "message": err.Error()}})
		return
	}
	if result != nil {
		e.send(obj{"id": m.ID, "result": result})
	}
}

func (e *acpEditor) answer(m message) (any, error) {
	var p struct {
		Path, Content, Command, TerminalID, Cwd string
		Args                                    []string
		Options                                 []struct{ OptionID, Kind string }
	}
	_ = json.Unmarshal(m.Params, &p) // what is not there is empty
	switch m.Method {
	case "session/request_permission":
		e.mu.Lock()
		defer e.mu.Unlock()
		e.asked = append(e.asked, m)
		close(e.changed)
		e.changed = make(chan struct{})
		for _, o := range p.Options {
			if o.Kind == e.permit {
				return obj{"outcome": obj{"outcome": "selected", "optionId": o.OptionID}}, nil
			}
		}
		return nil, nil
	case "elicitation/create":
		if e.elicited != nil {
			return e.elicited, nil
		}
	case "fs/read_text_file":
		e.mu.Lock()
		text, open := e.buffers[p.Path]
		e.mu.Unlock()
		if open {
			return obj{"content": text}, nil
		}
		b, err := os.ReadFile(p.Path)
		return obj{"content": string(b)}, err
	case "fs/write_text_file":
		e.mu.Lock()
		_, open := e.buffers[p.Path]
		e.buffers[p.Path] = p.Content
		e.mu.Unlock()
		if open {
			return obj{}, nil // and not saved
		}
		return obj{}, os.WriteFile(p.Path, []byte(p.Content), 0o644)
	}
	if strings.HasPrefix(m.Method, "terminal/") && e.terminal {
		return e.terminals(m.Method, p.TerminalID, p.Command, p.Args, p.Cwd)
	}
	return nil, fmt.Errorf("there is no %s", m.Method)
}

func (e *acpEditor) begin(method string, params any) string {
	e.mu.Lock()
	e.ids++
	id := e.ids
	e.mu.Unlock()
	e.send(obj{"id": id, "method": method, "params": params})
	return fmt.Sprint(id)
}

// until waits until something holds; it is asked with the lock held.
func (e *acpEditor) until(what string, met func() bool) {
	e.t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
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
			e.t.Fatalf("%s did not come, the bridge has ended", what)
		case <-ctx.Done():
			e.t.Fatalf("%s did not come", what)
		}
	}
}

func (e *acpEditor) end(id string) (m message) {
	e.t.Helper()
	e.until("the answer to "+id, func() (ok bool) { m, ok = e.answers[id]; return ok })
	return m
}

func (e *acpEditor) call(method string, params, result any) {
	e.t.Helper()
	m := e.end(e.begin(method, params))
	if m.Error != nil {
		e.t.Fatalf("%s: %+v", method, *m.Error)
	}
	if result != nil {
		if err := json.Unmarshal(m.Result, result); err != nil {
			e.t.Fatal(err)
		}
	}
}

func (e *acpEditor) newSession(servers ...obj) string {
	e.t.Helper()
	var r struct{ SessionID string }
	if servers == nil {
		servers = []obj{}
	}
	e.call("session/new", obj{"cwd": e.w.ws, "mcpServers": servers}, &r)
	return r.SessionID
}

func (e *acpEditor) prompt(s, text string) string {
	return e.begin("session/prompt", obj{"sessionId": s, "prompt": []obj{{"type": "text", "text": text}}})
}

// turn is a whole turn and its stop reason.
func (e *acpEditor) turn(s, text string) string {
	e.t.Helper()
	m := e.end(e.prompt(s, text))
	if m.Error != nil {
		e.t.Fatalf("%.60s: %+v", text, *m.Error)
	}
	var r struct{ StopReason string }
	_ = json.Unmarshal(m.Result, &r)
	return r.StopReason
}

type acpUpdate struct {
	SessionID string
	Update    struct {
		SessionUpdate, ToolCallID, Status string
		Content                           json.RawMessage
	}
}

func (e *acpEditor) updates() (out []acpUpdate) {
	e.mu.Lock()
	defer e.mu.Unlock()
	for _, m := range e.got {
		var u acpUpdate
		if m.Method == "session/update" && json.Unmarshal(m.Params, &u) == nil {
			out = append(out, u)
		}
	}
	return out
}

func (e *acpEditor) said() (out string) {
	for _, u := range e.updates() {
		var c struct{ Text string }
		if u.Update.SessionUpdate == "agent_message_chunk" && json.Unmarshal(u.Update.Content, &c) == nil {
			out += c.Text
		}
	}
	return out
}

// showsWhatOurToolsDid: what an edit did is a diff of the whole file, and its command was in a terminal of the editor.
func (e *acpEditor) showsWhatOurToolsDid() {
	e.t.Helper()
	found := false
	for _, c := range e.shown("diff") {
		found = found || c["oldText"] == "mine, unsaved\none\ntwo\nthree\n" && c["newText"] == "mine, unsaved\none\nTWO\nthree\n"
	}
	if !found {
		e.t.Errorf("the editor is left with the diffs %v", e.shown("diff"))
	}
	if terms := e.shown("terminal"); len(terms) == 0 || len(e.terms) == 0 {
		e.t.Errorf("terminals %v of %d", terms, len(e.terms))
	}
}

// outcome is an answer as it came.
func (m message) outcome() string {
	if m.Error != nil {
		return fmt.Sprintf("%d %s %s", m.Error.Code, m.Error.Message, m.Error.Data)
	}
	return string(m.Result)
}

// shown is what the editor is left with of the tool calls, as content of one type.
func (e *acpEditor) shown(kind string) (out []map[string]any) {
	last := map[string]json.RawMessage{}
	for _, u := range e.updates() {
		if u.Update.ToolCallID != "" && len(u.Update.Content) > 0 {
			last[u.Update.ToolCallID] = u.Update.Content
		}
	}
	for _, raw := range last {
		var list []map[string]any
		_ = json.Unmarshal(raw, &list)
		for _, c := range list {
			if c["type"] == kind {
				out = append(out, c)
			}
		}
	}
	return out
}

func (e *acpEditor) text(name string) string {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.buffers[e.w.path(name)]
}

func (e *acpEditor) open(name, text string) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.buffers[e.w.path(name)] = text
}

func (e *acpEditor) questions() int {
	e.mu.Lock()
	defer e.mu.Unlock()
	return len(e.asked)
}

func (e *acpEditor) choose(kind string) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.permit = kind
}
