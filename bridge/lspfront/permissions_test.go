package lspfront

import (
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"
)

// rememberedTurn is a turn with two writes of two files that the user may allow for good.
const rememberedTurn = `
expect@turn session/prompt
request fs/write_text_file {"sessionId":"$session","path":"$dir/a.txt","content":"A\n"}
answer
request fs/write_text_file {"sessionId":"$session","path":"$dir/b.txt","content":"B\n"}
answer
reply@turn {"stopReason":"end_turn"}
`

// TestPermissionsAreListedAndRevoked guards permissions/list and permissions/revoke: what was allowed for good is seen
// and taken back, and asks again.
func TestPermissionsAreListedAndRevoked(t *testing.T) {
	r := newRig(t, setup{script: rememberedTurn + heardNo})
	var list listPermissionsResult
	r.call("copilot-bridge/permissions/list", obj{}, &list)
	if list.Rules == nil || len(list.Rules) > 0 {
		t.Errorf("at first: %+v", list)
	}
	r.allowing("Always allow")
	r.turn("change them")
	r.call("copilot-bridge/permissions/list", obj{}, &list)
	if len(list.Rules) != 2 {
		t.Fatalf("listed: %+v", list)
	}
	a := list.Rules[0]
	if a.ID == "" || a.Tool != "edit" || a.Path != filepath.ToSlash(r.dir)+"/a.txt" || a.Decision != "allow" || !strings.HasSuffix(a.CreatedAt, "Z") || !strings.Contains(a.Why, "a.txt") {
		t.Errorf("the first: %+v", a)
	}
	for _, id := range []string{"", "p99", "P1"} {
		r.fails(-32602, "copilot-bridge/permissions/revoke", obj{"id": id})
	}
	r.call("copilot-bridge/permissions/revoke", obj{"id": a.ID}, nil)
	r.fails(-32602, "copilot-bridge/permissions/revoke", obj{"id": a.ID})
	r.call("copilot-bridge/permissions/list", obj{}, &list)
	if len(list.Rules) != 1 || list.Rules[0].ID == a.ID {
		t.Errorf("after it: %+v", list)
	}
	r.allowing("Reject")
	r.turn("again") // the script hears a no
}

// TestPermissionsInThePlainTier guards the command: the user is led through what was allowed for good, one at a time,
// and an answer that is none changes nothing.
func TestPermissionsInThePlainTier(t *testing.T) {
	r := newRig(t, setup{script: rememberedTurn})
	r.command("permissions", obj{}, nil)
	if m := string(r.awaitSent("window/showMessage", 1)); !strings.Contains(m, "no answers are remembered") {
		t.Errorf("told %s", m)
	}
	r.allowing("Always allow")
	r.turn("change them")
	asked := len(r.of("window/showMessageRequest"))
	var list listPermissionsResult

	r.allowing("") // closed at once
	r.command("permissions", obj{}, &list)
	q := string(r.awaitSent("window/showMessageRequest", asked+1))
	if len(list.Rules) != 2 || !strings.Contains(q, "1 of 2") || !strings.Contains(q, "a.txt") || strings.Index(q, "Keep") > strings.Index(q, "Revoke") {
		t.Errorf("%+v, asked %s", list, q)
	}
	r.on("window/showMessageRequest", func(p json.RawMessage, gone <-chan struct{}) (any, *rpcError) {
		if strings.Contains(string(p), "b.txt") {
			return picks("Revoke")(p, gone)
		}
		return picks("Keep")(p, gone)
	})
	r.command("permissions", obj{}, nil)
	r.awaitSent("window/showMessageRequest", asked+3)
	r.wait("the word of it", func() bool {
		for _, m := range r.seen {
			if m.Method == "window/showMessage" && strings.Contains(string(m.Params), "revoked") {
				return true
			}
		}
		return false
	})
	r.call("copilot-bridge/permissions/list", obj{}, &list)
	if len(list.Rules) != 1 || !strings.Contains(list.Rules[0].Path, "a.txt") {
		t.Errorf("left: %+v", list)
	}
	r.on("window/showMessageRequest", mute)
	r.command("permissions", obj{}, nil)
	r.wait("how to revoke without questions", func() bool {
		for _, m := range r.seen {
			if m.Method == "window/showMessage" && strings.Contains(string(m.Params), "revokePermission") && strings.Contains(string(m.Params), list.Rules[0].ID) {
				return true
			}
		}
		return false
	})
	r.command("revokePermission", obj{"id": list.Rules[0].ID}, nil)
	r.call("copilot-bridge/permissions/list", obj{}, &list)
	if len(list.Rules) != 0 {
		t.Errorf("left: %+v", list)
	}
}

// threeParts is a write of three places by an agent that is to hear that only some were made.
const threeParts = `
expect@turn session/prompt
request fs/write_text_file {"sessionId":"$session","path":"$dir/a.txt","content":"ONE\ntwo\nTHREE\nfour\nFIVE"}
refused
reply@turn {"stopReason":"end_turn"}
`

// TestPartsOfAChangeInTheRichTier guards hunks in permission/request and in its answer.
func TestPartsOfAChangeInTheRichTier(t *testing.T) {
	const old = "one\ntwo\nthree\nfour\nfive"
	for name, c := range map[string]struct {
		answer func(ids []string) any
		want   string
	}{
		"two of three":      {func(ids []string) any { return ids[:2] }, "ONE\ntwo\nTHREE\nfour\nfive"},
		"the last":          {func(ids []string) any { return ids[2:] }, "one\ntwo\nthree\nfour\nFIVE"},
		"none":              {func([]string) any { return []string{} }, old},
		"an unknown one":    {func(ids []string) any { return append(ids, "x") }, old},
		"not a list":        {func(ids []string) any { return ids[0] }, old},
		"a list of numbers": {func([]string) any { return []int{1} }, old},
	} {
		t.Run(name, func(t *testing.T) {
			r := newRig(t, setup{files: map[string]string{"a.txt": old}, script: threeParts, rich: []string{"permission"}})
			u := r.open(r.dir + "/a.txt")
			var asked wireQuestion
			r.on("copilot-bridge/permission/request", func(p json.RawMessage, _ <-chan struct{}) (any, *rpcError) {
				json.Unmarshal(p, &asked)
				var ids []string
				for _, h := range asked.Diff[0].Hunks {
					ids = append(ids, h.ID)
				}
				return obj{"outcome": "selected", "optionId": "allow_once", "hunks": c.answer(ids)}, nil
			})
			r.turn("change it")
			if got := r.text(u); got != c.want {
				t.Errorf("the buffer is %q, want %q", got, c.want)
			}
			h := asked.Diff[0].Hunks
			if len(h) != 3 || h[1].OldText != "three\n" || h[1].NewText != "THREE\n" || h[1].Range != (wireRange{wirePosition{2, 0}, wirePosition{3, 0}}) {
				t.Errorf("the parts are %+v", h)
			} else if h[2].Range != (wireRange{wirePosition{4, 0}, wirePosition{4, 4}}) {
				t.Errorf("the last, without a line end, is at %+v", h[2].Range)
			}
		})
	}
}

// A text of the user's for the whole file comes with the answer; what is no text is a no.
func TestAnAmendedTextInTheRichTier(t *testing.T) {
	const old = "one\ntwo\nthree\nfour\nfive"
	for name, c := range map[string]struct{ answer, want string }{
		"a text":       {`"newText":"mine\n"`, "mine\n"},
		"beside parts": {`"newText":"mine\n","hunks":[]`, old},
		"no text":      {`"newText":["mine"]`, old},
	} {
		t.Run(name, func(t *testing.T) {
			r := newRig(t, setup{files: map[string]string{"a.txt": old}, script: threeParts, rich: []string{"permission"}})
			u := r.open(r.dir + "/a.txt")
			var asked wireQuestion
			r.on("copilot-bridge/permission/request", func(p json.RawMessage, _ <-chan struct{}) (any, *rpcError) {
				json.Unmarshal(p, &asked)
				return json.RawMessage(`{"outcome":"selected","optionId":"allow_once",` + c.answer + `}`), nil
			})
			r.turn("change it")
			if got := r.text(u); got != c.want {
				t.Errorf("the buffer is %q, want %q", got, c.want)
			}
			if len(asked.Diff) != 1 || !asked.Diff[0].Amendable {
				t.Errorf("asked %+v", asked)
			}
		})
	}
}

// TestModesAreShownAndLeftInThePlainTier guards plan mode and allow_all for an editor that has nothing but LSP: the user is
// told when one is on, and each can be left by an action and by a command.
func TestModesAreShownAndLeftInThePlainTier(t *testing.T) {
	const modes = `"availableModes":[{"id":"x#plan","name":"Plan"},{"id":"x#agent","name":"Agent"}]`
	option := func(value string) string {
		return `[{"id":"allow_all","name":"Allow all","type":"select","currentValue":"` + value + `","options":[{"value":"on","name":"On"},{"value":"off","name":"Off"}]}]`
	}
	r := newRig(t, setup{files: before, scripts: []string{"handshake\nstub session/close\nignore session/cancel\nsession s1 {\"modes\":{\"currentModeId\":\"x#agent\"," + modes + "},\"configOptions\":" + option("off") + "}\n" +
		"expect@t session/prompt\nreply@t {\"stopReason\":\"end_turn\"}\n" +
		"expect@m session/set_mode {\"modeId\":\"x#plan\"}\nreply@m {}\n" +
		"expect@n session/set_mode {\"modeId\":\"x#agent\"}\nreply@n {}\n" +
		"expect@o session/set_config_option {\"value\":\"on\"}\nreply@o {\"configOptions\":" + option("on") + "}\n" +
		"expect@p session/set_config_option {\"value\":\"off\"}\nreply@p {\"configOptions\":" + option("off") + "}\n"}})
	u := r.open(r.dir + "/a.txt")
	r.turn("hello")
	told := func(text string) {
		t.Helper()
		r.wait("the message "+text, func() bool {
			for _, m := range r.seen {
				if m.Method == "window/showMessage" && strings.Contains(string(m.Params), text) {
					return true
				}
			}
			return false
		})
	}
	r.fails(-32602, "workspace/executeCommand", obj{"command": "copilot-bridge.leave"})
	r.command("setMode", obj{"id": "plan"}, nil)
	told("plan mode is on: nothing is changed and nothing is run")
	list := r.actions(u, at(0, 0), obj{"diagnostics": []any{}, "triggerKind": 1})
	r.run(list, "Leave plan mode")
	told("plan mode is off")
	r.command("setOption", obj{"id": "allow_all", "value": "on"}, nil)
	told("allow_all is on")
	r.fails(-32602, "workspace/executeCommand", obj{"command": "copilot-bridge.leave", "arguments": []any{obj{"name": "plan mode"}}})
	r.command("leave", obj{"name": "allow_all"}, nil)
	told("allow_all is off")
}
