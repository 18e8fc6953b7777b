package lspfront

import (
	"encoding/json"
	"strings"
	"testing"
)

const dies = opening + "expect@turn session/prompt\nsay half\nclose\n"

const comesBack = "handshake\nstub session/close\nignore session/cancel\nexpect@l session/load\nreply@l {}\n"

// TestALostPromptIsOfferedOnce guards that an agent that dies in a turn costs the user one question, not a pile of
// messages, and that "Send again" sends it.
func TestALostPromptIsOfferedOnce(t *testing.T) {
	r := newRig(t, setup{scripts: []string{dies, comesBack + "expect@turn session/prompt {\"prompt\":[{\"text\":\"do it\"}]}\nreply@turn {\"stopReason\":\"end_turn\"}\nmark again\n"}})
	r.on("window/showMessageRequest", picks("Send again"))
	r.turn("do it")
	q := string(r.awaitSent("window/showMessageRequest", 1))
	if !strings.Contains(q, "Copilot: Interrupted. Send again? The ") || !strings.Contains(q, "The prompt: do it") || !strings.Contains(q, "Leave it") || !strings.Contains(q, "kept") {
		t.Errorf("asked %s", q)
	}
	if err := r.agent(1).Await(t.Context(), "again"); err != nil {
		t.Fatal(err)
	}
	if m := r.sent("window/showMessage"); len(m) > 0 {
		t.Errorf("besides the question: %s", m)
	}
	r.fails(-32602, "workspace/executeCommand", obj{"command": "copilot-bridge.sendAgain"})
}

// TestALostPromptIsLeft guards that a no is a no, that an editor without questions is told the command, and that the
// command works.
func TestALostPromptIsLeft(t *testing.T) {
	for name, answer := range map[string]handler{"leave": picks("Leave it"), "closed": picks("x"), "mute": mute} {
		t.Run(name, func(t *testing.T) {
			r := newRig(t, setup{scripts: []string{dies, comesBack + "expect@turn session/prompt {\"prompt\":[{\"text\":\"do it\"}]}\nreply@turn {\"stopReason\":\"end_turn\"}\n"}})
			r.on("window/showMessageRequest", answer)
			r.turn("do it")
			r.awaitSent("window/showMessageRequest", 1)
			if name == "mute" {
				if m := string(r.awaitSent("window/showMessage", 1)); !strings.Contains(m, "copilot-bridge.sendAgain") {
					t.Errorf("told %s", m)
				}
			}
			var a promptAnswer
			r.command("sendAgain", obj{}, &a)
			r.ends(a.TurnID)
		})
	}
}

// TestAnOfferMakesWayForAQuestion guards that a permission question never waits behind something that can wait.
func TestAnOfferMakesWayForAQuestion(t *testing.T) {
	r := newRig(t, setup{files: before, scripts: []string{dies, comesBack + heardNo}})
	r.on("window/showMessageRequest", func(p json.RawMessage, gone <-chan struct{}) (any, *rpcError) {
		if strings.Contains(string(p), "Send again") {
			return never(p, gone)
		}
		return picks("Reject")(p, gone)
	})
	r.turn("one")
	r.awaitSent("window/showMessageRequest", 1)
	r.turn("two")
	if m := string(r.awaitSent("window/showMessage", 1)); !strings.Contains(m, "sendAgain") {
		t.Errorf("told %s", m)
	}
}
