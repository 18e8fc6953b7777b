package lspfront

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
)

// TestWhyLessIsAskedIsTold guards that a plugin does not have to work out from modes, options and rules because of what less
// is asked than usual, and how that is left.
func TestWhyLessIsAskedIsTold(t *testing.T) {
	const modes = `"availableModes":[{"id":"x#agent","name":"Agent"},{"id":"x#plan","name":"Plan"},{"id":"x#autopilot","name":"Autopilot"}]`
	option := func(value string) string {
		return `[{"id":"allow_all","name":"Allow all","type":"select","currentValue":"` + value + `","options":[{"value":"on","name":"On"},{"value":"off","name":"Off"}]}]`
	}
	rule := obj{"tool": "shell", "argv": []any{"*"}, "decision": "allow"}
	r := newRig(t, setup{
		rich:    []string{"updates"},
		options: obj{"permission": obj{"rules": []any{rule}}},
		scripts: []string{"handshake\nstub session/close\nignore session/cancel\nsession s1 {\"modes\":{\"currentModeId\":\"x#agent\"," + modes + "},\"configOptions\":" + option("off") + "}\n" +
			"expect@m session/set_mode {\"modeId\":\"x#autopilot\"}\nreply@m {}\n" +
			"expect@o session/set_config_option {\"value\":\"on\"}\nreply@o {\"configOptions\":" + option("on") + "}\n" +
			"expect@n session/set_mode {\"modeId\":\"x#plan\"}\nreply@n {}\n"},
	})
	const everyCommand = `all_commands <nil>`
	show := func(list []relaxedMode) string {
		var out []string
		for _, m := range list {
			leave := any(nil)
			if m.Leave != nil {
				leave = *m.Leave
			}
			out = append(out, fmt.Sprintf("%s %v", m.Code, leave))
			if m.Label == "" || m.Message == "" {
				t.Errorf("%s has no words: %+v", m.Code, m)
			}
		}
		return strings.Join(out, ", ")
	}
	told := func(want string) {
		t.Helper()
		got := "nothing"
		r.wait("relaxed modes: "+want, func() bool {
			for _, m := range r.seen {
				var p struct{ Relaxed []relaxedMode }
				if m.Method == prefix+"session/didChange" && json.Unmarshal(m.Params, &p) == nil && p.Relaxed != nil {
					got = show(p.Relaxed)
				}
			}
			return got == want
		})
	}
	var s sessionInfo
	r.call(prefix+"session/new", obj{}, &s)
	if got := show(s.Relaxed); got != everyCommand {
		t.Errorf("session/new: %s", got)
	}
	r.call(prefix+"session/setMode", obj{"sessionId": s.SessionID, "id": "x#autopilot"}, nil)
	told("autopilot {x#agent  <nil>}, " + everyCommand)
	r.call(prefix+"session/setOption", obj{"sessionId": s.SessionID, "id": "allow_all", "value": "on"}, nil)
	told("autopilot {x#agent  <nil>}, allow_all { allow_all off}, " + everyCommand)
	r.call(prefix+"session/setMode", obj{"sessionId": s.SessionID, "id": "x#plan"}, nil)
	told("allow_all { allow_all off}, " + everyCommand)
	r.notify("workspace/didChangeConfiguration", obj{"settings": obj{"copilot-bridge": obj{"permission": obj{"rules": []any{}}}}})
	told("allow_all { allow_all off}")
}
