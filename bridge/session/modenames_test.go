package session_test

import (
	"context"
	"strings"
	"testing"

	"github.com/copilot-bridge/copilot-bridge/bridge/policy"
	"github.com/copilot-bridge/copilot-bridge/internal/await"
)

// modesCalled are the modes of an agent that is in the first, each with its id and its name.
func modesCalled(idName ...string) string {
	var list []string
	for i := 0; i < len(idName); i += 2 {
		list = append(list, `{"id":"`+idName[i]+`","name":"`+idName[i+1]+`"}`)
	}
	return `"modes":{"currentModeId":"` + idName[0] + `","availableModes":[` + strings.Join(list, ",") + `]}`
}

// TestPlanModeIsWhatTheUserChoseLast: from the choice on, not from the agent's answer, whatever is answered to earlier ones,
// by the name that was read, and until something else is chosen that stands for the mode.
func TestPlanModeIsWhatTheUserChoseLast(t *testing.T) {
	t.Parallel()
	set := func(r *rig, mode string) <-chan error {
		done := make(chan error, 1)
		go func() { done <- r.b.SetMode(r.ctx, r.session, mode) }()
		return done
	}
	answered := func(t *testing.T, done <-chan error) {
		t.Helper()
		if err := await.Receive(t, "the answer to the choice", done); err != nil {
			t.Error(err)
		}
	}
	const replied = "expect@m session/set_mode\nreply@m {}\n"
	model := `{"id":"model","category":"mode","name":"Model","type":"select","currentValue":"a","options":[{"value":"a","name":"A"},{"value":"b","name":"B"}]}`
	named := `{"id":"mode","name":"Warmth","type":"select","currentValue":"x#agent","options":[{"value":"x#agent","name":"Warm"},{"value":"x#plan","name":"Cold"}]}`
	for name, c := range map[string]struct {
		session, script string
		chose           func(t *testing.T, r *rig) (after func())
	}{
		"the agent does not answer": {modesNow("agent"), "expect@m session/set_mode\nexpect@p session/prompt\nmark running\nwait done\nreply@m {}\n",
			func(t *testing.T, r *rig) func() {
				done := set(r, "x#plan")
				await.Until(t, "plan mode", r.theSession().Gate().Planning)
				return func() { answered(t, done) }
			}},
		"it answers an earlier choice afterwards": {modesNow("agent"), replied + "expect@o session/set_mode {\"modeId\":\"x#agent\"}\nmark asked\n" + replied + "reply@o {}\nexpect@p session/prompt\nmark running\nwait done\n",
			func(t *testing.T, r *rig) func() {
				answered(t, set(r, "x#plan"))
				left := set(r, "x#agent")
				r.await("asked")
				answered(t, set(r, "x#plan"))
				answered(t, left)
				return nil
			}},
		"an option that it files under mode": {modesNow("agent") + `,"configOptions":[` + model + `]`,
			replied + "expect@o session/set_config_option\nreply@o {\"configOptions\":[" + model + "]}\nexpect@p session/prompt\nmark running\nwait done\n",
			func(t *testing.T, r *rig) func() {
				answered(t, set(r, "x#plan"))
				if _, err := r.b.SetOption(r.ctx, r.session, "model", "b"); err != nil {
					t.Error(err)
				}
				return nil
			}},
		"an option with the id of the mode, called something else": {modesNow("agent") + `,"configOptions":[` + named + `]`,
			replied + "expect@o session/set_config_option\nreply@o {\"configOptions\":[" + named + "]}\nexpect@p session/prompt\nmark running\nwait done\n",
			func(t *testing.T, r *rig) func() {
				answered(t, set(r, "x#plan"))
				if _, err := r.b.SetOption(r.ctx, r.session, "mode", "x#agent"); err != nil {
					t.Error(err)
				}
				return nil
			}},
		"another mode is called Plan": {modesCalled("one", "Agent", "two", "Plan mode"), replied + "expect@p session/prompt\nmark running\nwait done\n",
			func(t *testing.T, r *rig) func() { answered(t, set(r, "two")); return nil }},
	} {
		t.Run(name, func(t *testing.T) {
			r := newRigWith(t, map[string]string{"a.txt": "one\n"}, func(c *Config) { c.Rules = editsAllowed },
				"handshake\nstub session/close\nsession s1 {"+c.session+"}\n"+c.script+"reply@p {\"stopReason\":\"end_turn\"}").open()
			after := c.chose(t, r)
			r.inTurn(func(l *link) {
				if text, err := r.edit(l, "a.txt", "one", "two"); err == nil {
					t.Errorf("edited: %s", text)
				}
			})
			if after != nil {
				after()
			}
			if on := r.theSession().Snapshot().SpecialModes(); len(on) != 1 || on[0].Name != "plan mode" {
				t.Errorf("on: %+v", on)
			}
		})
	}
}

// TestAModeThatIsRefusedIsNotHeld: the user is told so, and goes on in the mode that was.
func TestAModeThatIsRefusedIsNotHeld(t *testing.T) {
	t.Parallel()
	r := newRigWith(t, map[string]string{"a.txt": "one\n"}, func(c *Config) { c.Rules = editsAllowed },
		"handshake\nstub session/close\nsession s1 {"+modesNow("agent")+"}\nexpect@m session/set_mode\nfail@m -32603 no\nexpect@p session/prompt\nmark running\nwait done\nreply@p {\"stopReason\":\"end_turn\"}").open()
	if err := r.b.SetMode(r.ctx, r.session, "x#plan"); err == nil {
		t.Fatal("it was set")
	}
	r.inTurn(func(l *link) {
		if text, err := r.edit(l, "a.txt", "one", "two"); err != nil {
			t.Errorf("%q %v", text, err)
		}
	})
}

// TestAllowAllIsSwitchedOnByItsName: what the user reads must say that it allows all, and the failure of one choice does not
// bring back what another has switched off.
func TestAllowAllIsSwitchedOnByItsName(t *testing.T) {
	t.Parallel()
	theme := `{"id":"allow_all","name":"Colour theme","type":"select","currentValue":"on","options":[{"value":"off","name":"Light"},{"value":"on","name":"Dark"}]}`
	lies := `{"id":"allow_all","name":"Allow all","type":"select","currentValue":"on","options":[{"value":"off","name":"On"},{"value":"on","name":"Off"}]}`
	const option, mode = "expect@o session/set_config_option\nreply@o {\"configOptions\":[%]}\n", "expect@m session/set_mode\nreply@m {}\n"
	setOption := func(r *rig) error { _, err := r.b.SetOption(r.ctx, r.session, "allow_all", "on"); return err }
	for name, c := range map[string]struct {
		session, script string
		chose           func(r *rig) error
	}{
		"a theme":               {modesNow("agent") + `,"configOptions":[` + theme + `]`, strings.ReplaceAll(option, "%", theme), setOption},
		"on that is called off": {modesNow("agent") + `,"configOptions":[` + lies + `]`, strings.ReplaceAll(option, "%", lies), setOption},
		"autopilot that is called Careful": {modesCalled("x#agent", "Agent", "x#autopilot", "Careful"), mode,
			func(r *rig) error { return r.b.SetMode(r.ctx, r.session, "x#autopilot") }},
		"an option that fails after autopilot was left": {modesNow("agent"), mode + "expect@o session/set_config_option\nmark asked\n" + mode + "fail@o -32603 no\nexpect@p session/prompt\nupdate current_mode_update {\"currentModeId\":\"x#autopilot\"}\n",
			func(r *rig) error {
				if err := r.b.SetMode(r.ctx, r.session, "x#autopilot"); err != nil {
					return err
				}
				failed := make(chan error, 1)
				go func() { _, err := r.b.SetOption(r.ctx, r.session, "model", "b"); failed <- err }()
				r.await("asked")
				if err := r.b.SetMode(r.ctx, r.session, "x#agent"); err != nil {
					return err
				}
				if err := await.Receive(t, "the failure", failed); err == nil {
					t.Error("it was set")
				}
				return nil
			}},
	} {
		t.Run(name, func(t *testing.T) {
			prompted := "expect@p session/prompt\n"
			if strings.Contains(c.script, prompted) {
				prompted = "" // it says more after the prompt, when the answers to the choices have been taken in
			}
			r := newRig(t, map[string]string{"a.txt": "one\n"}, "handshake\nstub session/close\nsession s1 {"+c.session+"}\n"+c.script+
				prompted+"mark running\nwait done\nreply@p {\"stopReason\":\"end_turn\"}").open()
			r.screen.ask = no
			if err := c.chose(r); err != nil {
				t.Fatal(err)
			}
			r.inTurn(func(l *link) {
				await.Until(t, "the user is told", func() bool { return len(happenings(r.events(), "allow_all")) > 0 })
				if text, err := r.edit(l, "a.txt", "one", "two"); err == nil {
					t.Errorf("edited: %s", text)
				}
			})
			if n := len(happenings(r.events(), "allow_all")); n != 1 {
				t.Errorf("the user was told %d times", n)
			}
		})
	}
}

// TestWhatIsDeniedWhenTheAnswerComesIsDenied: plan mode, or a rule, that came while the question was open.
func TestWhatIsDeniedWhenTheAnswerComesIsDenied(t *testing.T) {
	t.Parallel()
	for name, meanwhile := range map[string]func(r *rig) error{
		"plan mode": func(r *rig) error { return r.b.SetMode(r.ctx, r.session, "x#plan") },
		"a rule": func(r *rig) error {
			r.b.SetRules([]policy.Rule{{Tool: policy.ToolEdit, Path: "**", Decision: policy.Deny}})
			return nil
		},
	} {
		t.Run(name, func(t *testing.T) {
			r := newRig(t, map[string]string{"a.txt": "one\n"}, "handshake\nstub session/close\nstub session/set_mode\nsession s1 {"+modesNow("agent")+
				"}\nexpect@p session/prompt\nmark running\nwait done\nreply@p {\"stopReason\":\"end_turn\"}").open()
			r.screen.ask = func(ctx context.Context, q *Question) (Answer, error) {
				if err := meanwhile(r); err != nil {
					t.Error(err)
				}
				return yes(ctx, q)
			}
			r.inTurn(func(l *link) {
				if text, err := r.edit(l, "a.txt", "one", "two"); err == nil || !strings.Contains(err.Error(), "refused") {
					t.Errorf("%q %v", text, err)
				}
			})
			if got := r.disk("a.txt"); got != "one\n" {
				t.Errorf("the file is %q", got)
			}
		})
	}
}
