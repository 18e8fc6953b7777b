package session_test

import (
	"strings"
	"testing"

	"github.com/copilot-bridge/copilot-bridge/bridge/policy"
)

var editsAllowed = []policy.Rule{{Tool: policy.ToolEdit, Path: "**", Decision: policy.Allow}}

func modeOption(id, value string) string {
	return `{"id":"` + id + `","category":"mode","name":"Mode","type":"select","currentValue":"x#` + value + `","options":[{"value":"x#plan","name":"Plan"},{"value":"x#agent","name":"Agent"}]}`
}

// TestTheAgentAloneDoesNotLeavePlanMode: whatever the agent says of its mode, on whichever road, a session that is in plan
// mode changes nothing until the user leaves it, and says that it is in plan mode.
func TestTheAgentAloneDoesNotLeavePlanMode(t *testing.T) {
	t.Parallel()
	const setPlan = "expect@m session/set_mode {\"modeId\":\"x#plan\"}\nreply@m {}\n"
	for name, c := range map[string]struct {
		session string // what session/new answers
		script  string // until the turn is running
		chose   func(r *rig) error
	}{
		"an update": {modesNow("agent"), setPlan + "expect@p session/prompt\nupdate current_mode_update {\"currentModeId\":\"x#agent\"}\n",
			func(r *rig) error { return r.b.SetMode(r.ctx, r.session, "x#plan") }},
		"an update to autopilot": {modesNow("agent"), setPlan + "expect@p session/prompt\nupdate current_mode_update {\"currentModeId\":\"x#autopilot\"}\n",
			func(r *rig) error { return r.b.SetMode(r.ctx, r.session, "x#plan") }},
		"an update, where the agent began in plan mode": {modesNow("plan"), "expect@p session/prompt\nupdate current_mode_update {\"currentModeId\":\"x#agent\"}\n",
			func(*rig) error { return nil }},
		"an option": {modesNow("agent"), setPlan + "expect@p session/prompt\nupdate config_option_update {\"configOptions\":[" + modeOption("mode", "agent") + "]}\n",
			func(r *rig) error { return r.b.SetMode(r.ctx, r.session, "x#plan") }},
		"an option of another name": {modesNow("agent") + `,"configOptions":[` + modeOption("how", "agent") + `]`,
			"expect@m session/set_config_option {\"configId\":\"how\"}\nreply@m {\"configOptions\":[" + modeOption("how", "plan") + "]}\n" +
				"expect@p session/prompt\nupdate config_option_update {\"configOptions\":[" + modeOption("how", "agent") + "]}\n",
			func(r *rig) error { _, err := r.b.SetOption(r.ctx, r.session, "how", "x#plan"); return err }},
		"the answer to another option": {modesNow("agent"), setPlan +
			"expect@o session/set_config_option {\"configId\":\"model\"}\nreply@o {\"configOptions\":[" + modeOption("mode", "agent") + "]}\nexpect@p session/prompt\n",
			func(r *rig) error {
				if err := r.b.SetMode(r.ctx, r.session, "x#plan"); err != nil {
					return err
				}
				_, err := r.b.SetOption(r.ctx, r.session, "model", "m2")
				return err
			}},
		"a mode that the agent refuses to set, but says it has": {modesNow("agent"), setPlan +
			"expect@o session/set_mode {\"modeId\":\"x#agent\"}\nupdate current_mode_update {\"currentModeId\":\"x#agent\"}\nfail@o -32603 no\nexpect@p session/prompt\n",
			func(r *rig) error {
				if err := r.b.SetMode(r.ctx, r.session, "x#plan"); err != nil {
					return err
				}
				if err := r.b.SetMode(r.ctx, r.session, "x#agent"); err == nil {
					t.Error("it was refused")
				}
				return nil
			}},
	} {
		t.Run(name, func(t *testing.T) {
			r := newRigWith(t, map[string]string{"a.txt": "one\n"}, func(c *Config) { c.Rules = editsAllowed },
				"handshake\nstub session/close\nsession s1 {"+c.session+"}\n"+c.script+"mark running\nwait done\nreply@p {\"stopReason\":\"end_turn\"}\n"+
					"expect@m session/set_mode {\"modeId\":\"x#agent\"}\nreply@m {}\n"+
					"expect@p session/prompt\nmark again\nwait over\nreply@p {\"stopReason\":\"end_turn\"}").open()
			if err := c.chose(r); err != nil {
				t.Fatal(err)
			}
			r.inTurn(func(l *link) {
				r.theSession().Settled()
				if text, err := r.edit(l, "a.txt", "one", "two"); err == nil {
					t.Errorf("edited: %s", text)
				}
			})
			if on := r.theSession().Snapshot().SpecialModes(); len(on) != 1 || on[0].Name != "plan mode" {
				t.Errorf("on: %+v", on)
			}
			told := 0
			for _, ev := range r.events() {
				switch ev := ev.(type) {
				case *SessionChanged:
					if ev.Event != nil && ev.Event.Type == "plan_mode" {
						told++
					}
				case *Message:
					if text := printed(ev); strings.Contains(text, "x#agent") && !strings.Contains(text, "plan") {
						t.Errorf("shown: %s", text)
					}
				}
			}
			if want := 1; told != want && !strings.Contains(name, "refuses") {
				t.Errorf("told %d times", told)
			}
			if _, err := r.b.LeaveSpecialMode(r.ctx, r.session, ""); err != nil {
				t.Fatal(err)
			}
			turn := r.prompt("go on")
			r.await("again")
			if text, err := r.edit(r.link(), "a.txt", "one", "two"); err != nil {
				t.Errorf("after it was left: %q %v", text, err)
			}
			r.set("over")
			r.ended(turn)
		})
	}
}

// TestPlanModeOutlivesTheAgentAndTheBridge: a session that is loaded again is in plan mode, whatever the agent answers.
func TestPlanModeOutlivesTheAgentAndTheBridge(t *testing.T) {
	t.Parallel()
	opened := "handshake\nstub session/close\nsession s1 {" + modesNow("agent") + "}\nexpect@m session/set_mode\nreply@m {}\nexpect@p session/prompt\nreply@p {\"stopReason\":\"end_turn\"}\n"
	turn := "expect@p session/prompt\nmark running\nwait done\nreply@p {\"stopReason\":\"end_turn\"}\n"
	for name, after := range map[string]string{
		"it goes back":        "reply@l {" + modesNow("agent") + "}\nexpect@m session/set_mode {\"modeId\":\"x#plan\"}\nreply@m {}\n",
		"it refuses":          "reply@l {" + modesNow("agent") + "}\nexpect@m session/set_mode {\"modeId\":\"x#plan\"}\nfail@m -32603 no\n",
		"it has no such mode": `reply@l {"modes":{"currentModeId":"x#agent","availableModes":[{"id":"x#agent","name":"Agent"}]}}` + "\n",
		"it says nothing":     "reply@l {}\n",
		"it has lost the session": "fail@l -32002 unknown\nexpect@n session/new\nreply@n {\"sessionId\":\"s1\"," + modesNow("agent") +
			"}\nexpect@m session/set_mode {\"modeId\":\"x#plan\"}\nfail@m -32603 no\n",
	} {
		t.Run(name, func(t *testing.T) {
			r := lasting(t, opened).open()
			if err := r.b.SetMode(r.ctx, r.session, "x#plan"); err != nil {
				t.Fatal(err)
			}
			r.run("go")
			r.crash()
			next := r.again("handshake\nstub session/close\nignore $/cancel_request\nexpect@l session/load\n" + after + turn)
			next.b.SetRules(editsAllowed)
			next.put("a.txt", "one\n")
			if _, err := next.b.LoadSession(next.ctx, r.session, ""); err != nil {
				t.Fatal(err)
			}
			next.inTurn(func(l *link) {
				if text, err := next.edit(l, "a.txt", "one", "two"); err == nil {
					t.Errorf("edited: %s", text)
				}
			})
		})
	}
}
