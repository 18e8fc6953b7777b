//go:build e2e && matrix

package e2e

import (
	"encoding/json"
	"fmt"
	"strings"
	"syscall"

	"github.com/copilot-bridge/copilot-bridge/acp/acptest/model"
)

// face is a way to an agent, as a case of the matrix uses it: alone, through the ACP face, or through the LSP face with a plugin's
// concerns. A failure of the way itself ends the case with Fatal.
type face interface {
	begin(text string) (wait func() string) // sends a prompt; wait returns how the turn ended: a stop reason or an error
	said() string
	open(name, text string) // a buffer with unsaved text
	clean(name string)      // a buffer as the file is
	text(name string) string
	permit(kind string) // how questions are answered from now on; "" leaves them open, and questions counts them
	questions() int
	cancel()
	list() string  // the answer to a list of sessions
	modes() string // the modes and options of the session
}

// restarts is a face whose agent can be killed and whose editor can be run again.
type restarts interface {
	kill()
	again() face // with the session loaded
}

// acpFace is an ACP editor before the agent itself or before the bridge.
type acpFace struct {
	*acpEditor
	session string
	opened  string // the answer to session/new
	start   func() *acpEditor
	direct  bool
}

func newACPFace(w *world, start func() *acpEditor, direct bool) *acpFace {
	f := &acpFace{acpEditor: start(), start: start, direct: direct}
	m := f.end(f.acpEditor.begin("session/new", obj{"cwd": w.ws, "mcpServers": []obj{}}))
	var r struct{ SessionID string }
	if err := json.Unmarshal(m.Result, &r); err != nil {
		w.t.Fatalf("session/new: %s", m.outcome())
	}
	f.session, f.opened = r.SessionID, string(m.Result)
	return f
}

func (f *acpFace) begin(text string) func() string {
	id := f.prompt(f.session, text)
	return func() string {
		m := f.end(id)
		var r struct{ StopReason string }
		if m.Error != nil || json.Unmarshal(m.Result, &r) != nil {
			return m.outcome()
		}
		return r.StopReason
	}
}

func (f *acpFace) clean(name string)  { f.acpEditor.open(name, f.w.read(name)) }
func (f *acpFace) permit(kind string) { f.choose(kind) }
func (f *acpFace) modes() string      { return f.opened }

func (f *acpFace) cancel() {
	f.send(obj{"method": "session/cancel", "params": obj{"sessionId": f.session}})
	f.mu.Lock()
	asked := f.asked
	f.mu.Unlock()
	if len(asked) > 0 {
		f.send(obj{"id": asked[len(asked)-1].ID, "result": obj{"outcome": obj{"outcome": "cancelled"}}})
	}
}

func (f *acpFace) list() string {
	return f.end(f.acpEditor.begin("session/list", obj{"cwd": f.w.ws})).outcome()
}

// kill kills the agent. Without a bridge it is what the editor has started, which starts it again and loads the session.
func (f *acpFace) kill() {
	if !f.direct {
		f.w.killAgent(f.acpEditor)
		return
	}
	for _, pid := range f.w.pids() {
		_ = syscall.Kill(pid, syscall.SIGKILL) // what has gone meanwhile is dead as well
	}
}

func (f *acpFace) again() face {
	f.close()
	n := &acpFace{acpEditor: f.start(), session: f.session, opened: f.opened, start: f.start, direct: f.direct}
	if m := n.end(n.acpEditor.begin("session/load", obj{"sessionId": f.session, "cwd": f.w.ws, "mcpServers": []obj{}})); m.Error != nil {
		f.t.Fatalf("session/load: %s", m.outcome())
	}
	return n
}

// lspFace is an editor that speaks LSP and has the concerns of a plugin.
type lspFace struct {
	*editor
	session string
	last    string // the turn
}

func newLSPFace(w *world) *lspFace {
	f := &lspFace{editor: w.start()}
	f.session = f.newSession()
	return f
}

func (f *lspFace) begin(text string) func() string {
	turn := f.send(f.session, text)
	f.last = turn
	return func() string {
		end := f.ended(turn)
		if end.Reason == "" || len(end.Error) > 0 && string(end.Error) != "null" {
			return fmt.Sprintf("%s %s", end.Reason, end.Error)
		}
		return end.Reason
	}
}

func (f *lspFace) open(name, text string) { f.editor.open(name, text) }
func (f *lspFace) clean(name string)      { f.editor.open(name) }
func (f *lspFace) questions() int         { return len(f.editor.questions()) }

func (f *lspFace) permit(kind string) {
	f.editor.permit = func(question) string {
		if kind == "" {
			<-f.over // nobody answers
		}
		return kind
	}
}

func (f *lspFace) cancel() {
	f.call("copilot-bridge/session/cancel", obj{"sessionId": f.session, "turnId": f.last}, nil)
}

func (f *lspFace) ask(method string, params obj) string {
	m := f.try(method, params)
	if m.Error != nil {
		return fmt.Sprintf("%d %s", m.Error.Code, m.Error.Message)
	}
	return string(m.Result)
}

func (f *lspFace) list() string { return f.ask("copilot-bridge/session/list", obj{}) }

func (f *lspFace) modes() string {
	f.mu.Lock()
	defer f.mu.Unlock()
	var b strings.Builder
	for _, m := range f.notes {
		b.Write(m.Params)
	}
	return b.String()
}

// ownTools are those that Copilot CLI brings, which have the editor's names without a prefix.
func ownTools() dialect {
	return dialect{
		read: func(path string) model.Step { return model.Call("view", obj{"path": path}) },
		edit: func(a ...string) model.Step {
			return model.Call("edit", obj{"path": a[0], "old_str": a[1], "new_str": a[2]})
		},
		create: func(a ...string) model.Step {
			return model.Call("create", obj{"path": a[0], "file_text": a[1]})
		},
		run: func(a ...string) model.Step { return model.Call("bash", obj{"command": a[0], "description": "run"}) },
	}
}

// claudeTools are those that Claude Code brings.
func claudeTools() dialect {
	return dialect{
		read: func(path string) model.Step { return model.Call("Read", obj{"file_path": path}) },
		edit: func(a ...string) model.Step {
			return model.Call("Edit", obj{"file_path": a[0], "old_string": a[1], "new_string": a[2]})
		},
		create: func(a ...string) model.Step {
			return model.Call("Write", obj{"file_path": a[0], "content": a[1]})
		},
		run: func(a ...string) model.Step { return model.Call("Bash", obj{"command": a[0], "description": "run"}) },
	}
}
