//go:build e2e

package e2e

import (
	"fmt"
	"strings"
	"testing"

	"github.com/copilot-bridge/copilot-bridge/acp/acptest/model"
)

func TestE2EACPOpencode(t *testing.T) {
	w, d := opencode(t)
	throughACP(t, w, d)
}

func TestE2EACPQwenCode(t *testing.T) {
	w, d := qwen(t)
	throughACP(t, w, d)
}

func TestE2EACPCopilot(t *testing.T) {
	w := copilot(t, agentFiles())
	e, _ := throughACP(t, w, copilotDialect())
	e.showsWhatOurToolsDid()
	if strings.Contains(e.said(), "Disabled tools") {
		t.Errorf("the editor is told what the bridge has done: %q", e.said())
	}
}

// copilotDialect is that of the editor tools.
func copilotDialect() dialect {
	return dialect{
		readsBuffers: true, commandsAreOurs: true,
		read:   func(path string) model.Step { return tool("view", obj{"path": path}) },
		edit:   func(a ...string) model.Step { return tool("edit", obj{"path": a[0], "old_str": a[1], "new_str": a[2]}) },
		create: func(a ...string) model.Step { return tool("create", obj{"path": a[0], "file_text": a[1]}) },
		run:    func(a ...string) model.Step { return tool("bash", obj{"command": a[0], "description": "run"}) },
	}
}

// throughACP is the whole of a session of an ACP editor with a real agent behind the bridge.
func throughACP(t *testing.T, w *world, d dialect) (*acpEditor, string) {
	e := w.startACP(true)
	e.open("read.txt", "only in the buffer\n")
	e.open("dirty.txt", "mine, unsaved\none\ntwo\nthree\n")
	s := e.newSession()

	if why := e.turn(s, "text "+model.Script(model.Say("Hello from the model."))); why != "end_turn" || !strings.Contains(e.said(), "Hello from the model.") {
		t.Errorf("%s, said %q", why, e.said())
	}

	e.turn(s, "read "+model.Script(d.read(w.path("read.txt")), model.Say("fin")))
	if r := fmt.Sprint(w.results()); d.readsBuffers && !strings.Contains(r, "only in the buffer") {
		t.Errorf("its tool reads %s", r)
	}

	e.turn(s, "edit "+model.Script(d.read(w.path("dirty.txt")), d.edit(w.path("dirty.txt"), "two", "TWO"), model.Say("ok")))
	if got := e.text("dirty.txt"); got != "mine, unsaved\none\nTWO\nthree\n" {
		t.Errorf("the dirty buffer holds %q", got)
	}

	e.turn(s, "create "+model.Script(d.create(w.path("new.txt"), "brand new\n"), model.Say("ok")))
	if got := w.read("new.txt"); got != "brand new\n" {
		t.Errorf("created %q", got)
	}

	asked := e.questions()
	e.turn(s, "run "+model.Script(d.run("echo ran > ran.txt; echo out"), model.Say("ok")))
	if got := w.read("ran.txt"); got != "ran\n" || e.questions() != asked+1 { // one, also about what is to be saved before it
		t.Errorf("the command left %q after %d questions", got, e.questions()-asked)
	}
	if got := w.read("dirty.txt"); d.commandsAreOurs && got != "mine, unsaved\none\nTWO\nthree\n" {
		t.Errorf("the command saw %q", got)
	}
	if r := fmt.Sprint(w.results()); !strings.Contains(r, "out") {
		t.Errorf("the model was told %s", r)
	}

	e.choose("reject_once")
	e.end(e.prompt(s, "refuse "+model.Script(d.read(w.path("refused.txt")), d.edit(w.path("refused.txt"), "one", "two"), model.Say("ok")))) // some go on, some end the turn
	if got := w.read("refused.txt"); got != "one\n" || e.text("refused.txt") != "" {
		t.Errorf("after a no the file is %q, the buffer %q", got, e.text("refused.txt"))
	}

	e.choose("") // nobody answers
	asked = e.questions()
	id := e.prompt(s, "cancel "+model.Script(d.run("touch cancelled"), model.Say("no")))
	e.until("a question", func() bool { return len(e.asked) > asked })
	e.send(obj{"method": "session/cancel", "params": obj{"sessionId": s}})
	e.mu.Lock()
	open := e.asked[len(e.asked)-1]
	e.mu.Unlock()
	e.send(obj{"id": open.ID, "result": obj{"outcome": obj{"outcome": "cancelled"}}})
	if m := e.end(id); m.Error != nil || !strings.Contains(string(m.Result), "cancelled") && !(d.mayEndRefused && strings.Contains(string(m.Result), "end_turn")) {
		t.Errorf("a cancelled turn: %s %v", m.Result, m.Error)
	}
	if !strings.Contains(w.read("cancelled"), "no such file") {
		t.Error("the command ran all the same")
	}
	e.choose("allow_once")

	// In the next run of the editor: the history is shown, and known.
	e.close()
	n := w.startACP(true)
	n.call("session/load", obj{"sessionId": s, "cwd": w.ws, "mcpServers": []obj{}}, nil)
	if !strings.Contains(n.said(), "Hello from the model.") {
		t.Errorf("the history is %q", n.said())
	}
	n.turn(s, "again "+model.Script(model.Say("still here")))
	if !strings.Contains(n.said(), "still here") || !w.told("Hello from the model.") {
		t.Errorf("said %q", n.said())
	}
	return e, s
}

// TestE2EACPCopilotGetsTheEditorsServers: a stdio MCP server of the editor's reaches Copilot, its secrets no command line.
func TestE2EACPCopilotGetsTheEditorsServers(t *testing.T) {
	w := copilot(t, agentFiles())
	e := w.startACP(false)
	s := e.newSession(obj{"name": "mine", "command": testBinary(t), "args": []string{"mcp"}, "env": []obj{{"name": "E2E_SECRET", "value": "s3cr3t-of-mine"}}})
	e.turn(s, "call "+model.Script(model.Call("mine-tell", obj{}), model.Say("fin")))
	if r := fmt.Sprint(w.results()); !strings.Contains(r, "s3cr3t-of-mine") {
		t.Errorf("the model was told %s", r)
	}
	for _, line := range w.processes() {
		if strings.Contains(line, "s3cr3t") {
			t.Errorf("a secret on a command line: %s", line)
		}
	}
	other := e.newSession()
	e.turn(other, "hello "+model.Script(model.Say("without servers")))
	if !strings.Contains(e.said(), "without servers") {
		t.Errorf("said %q", e.said())
	}
}
