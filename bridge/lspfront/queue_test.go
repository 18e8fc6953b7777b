package lspfront

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"
)

// held is a turn that runs until "go" is set, and the prompts behind it.
const held = "expect@turn session/prompt\nmark there\nwait go\nreply@turn {\"stopReason\":\"end_turn\"}\n"

// TestTheQueueIsSeenEditedAndShortened guards the methods of the rich tier: every change is told whole, the last one by
// an empty list.
func TestTheQueueIsSeenEditedAndShortened(t *testing.T) {
	r := newRig(t, setup{rich: []string{"updates"}, script: held + `
expect@b session/prompt {"prompt":[{"text":"TWO"}]}
reply@b {"stopReason":"end_turn"}
`})
	var s sessionParams
	r.call("copilot-bridge/session/new", obj{}, &s)
	prompt := func(text string) string {
		var p promptResult
		r.call("copilot-bridge/session/prompt", obj{"sessionId": s.SessionID, "prompt": []obj{{"type": "text", "text": text}}}, &p)
		return p.TurnID
	}
	one, two, three := prompt("one"), prompt("two"), prompt("three")
	var q listQueueResult
	r.call("copilot-bridge/session/queue", s, &q)
	if len(q.Prompts) != 2 || q.Prompts[0].TurnID != two || q.Prompts[1].Text != "three" || !strings.Contains(string(q.Prompts[0].Prompt[0]), `"two"`) {
		t.Fatalf("the queue is %+v", q)
	}
	edit := obj{"sessionId": s.SessionID, "turnId": two, "prompt": []obj{{"type": "text", "text": "TWO"}}}
	r.call("copilot-bridge/session/editQueued", edit, nil)
	r.call("copilot-bridge/session/cancel", obj{"sessionId": s.SessionID, "turnId": three}, nil)
	edit["turnId"] = one
	r.fails(-32053, "copilot-bridge/session/editQueued", edit)
	edit["prompt"] = []obj{}
	r.fails(-32602, "copilot-bridge/session/editQueued", edit)
	r.fails(-32052, "copilot-bridge/session/queue", obj{"sessionId": "s-x"})
	r.agent(0).Set("go")
	r.wait("the end of the second turn", func() bool {
		return slices.ContainsFunc(r.of("copilot-bridge/turn/ended"), func(p json.RawMessage) bool { return strings.Contains(string(p), two) })
	})
	var seen []string
	for _, p := range r.sent("copilot-bridge/session/didChange") {
		var c struct {
			Queue *[]queued `json:"queue"`
		}
		if json.Unmarshal(p, &c) == nil && c.Queue != nil {
			text := []string{}
			for _, w := range *c.Queue {
				text = append(text, w.Text)
			}
			seen = append(seen, strings.Join(text, "+"))
		}
	}
	if want := []string{"two", "two+three", "TWO+three", "TWO", ""}; !slices.Equal(seen, want) {
		t.Errorf("told %q, want %q", seen, want)
	}
}

// TestTheQueueInPlainLSP guards editors without a plugin: what waits is listed, edited, and taken out by a question or
// a code action.
func TestTheQueueInPlainLSP(t *testing.T) {
	r := newRig(t, setup{files: before, script: held + `
expect@b session/prompt {"prompt":[{"text":"last"}]}
reply@b {"stopReason":"end_turn"}
`})
	u := r.open(r.dir + "/a.txt")
	r.on("window/showMessageRequest", func(p json.RawMessage, _ <-chan struct{}) (any, *rpcError) {
		return obj{"title": "Remove 1: second"}, nil
	})
	var a queueAnswer
	r.command("queue", obj{}, &a)
	if len(a.Prompts) != 0 {
		t.Errorf("before anything was sent: %+v", a)
	}
	r.fails(-32602, "workspace/executeCommand", obj{"command": "copilot-bridge.editQueued", "arguments": []obj{{"text": "x"}}})
	r.prompt("first")
	r.awaitSent("window/workDoneProgress/create", 1)
	r.prompt("second")
	r.prompt("third")
	four := r.prompt("fourth")
	r.command("queue", obj{}, &a)
	if len(a.Prompts) != 3 || a.Prompts[0].Text != "second" {
		t.Fatalf("the queue is %+v", a)
	}
	if q := string(r.awaitSent("window/showMessageRequest", 1)); !strings.Contains(q, "3 waiting prompts") || !strings.Contains(q, "Remove 1: second") {
		t.Errorf("asked %s", q)
	}
	remove := func(text string) string { return "Remove the waiting prompt: " + text }
	for slices.Contains(titles(r.actions(u, at(0, 0), nil)), remove("second")) {
		continue // until the answer has done its work
	}
	r.run(r.actions(u, at(0, 0), nil), remove("third"))
	r.command("queue", obj{}, &a)
	if len(a.Prompts) != 1 || a.Prompts[0].TurnID != four.TurnID {
		t.Fatalf("left: %+v", a)
	}
	r.command("editQueued", obj{"text": "last"}, nil)
	r.agent(0).Set("go")
	r.ends(four.TurnID)
}
