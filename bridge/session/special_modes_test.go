package session_test

import (
	"strings"
	"testing"

	"github.com/copilot-bridge/copilot-bridge/acp"
	"github.com/copilot-bridge/copilot-bridge/bridge/tools"
)

const (
	threeModes = `"availableModes":[{"id":"x#plan","name":"Plan"},{"id":"x#agent","name":"Agent"},{"id":"x#autopilot","name":"Autopilot"}]`
	allowsAll  = `{"id":"allow_all","name":"Allow all","type":"select","currentValue":"on","options":[{"value":"on","name":"On"},{"value":"off","name":"Off"}]}`
)

func modesNow(id string) string { return `"modes":{"currentModeId":"x#` + id + `",` + threeModes + `}` }

func TestEverySpecialModeCanBeSeenAndLeft(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		session string // what session/new answers
		script  string // what leaving sends
		want    string // names of what was on
	}{
		"plan":      {modesNow("plan"), `expect@m session/set_mode {"modeId":"x#agent"}` + "\nreply@m {}\n", "plan mode"},
		"autopilot": {modesNow("autopilot"), `expect@m session/set_mode {"modeId":"x#agent"}` + "\nreply@m {}\n", "autopilot"},
		"allow_all": {modesNow("agent") + `,"configOptions":[` + allowsAll + `]`,
			`expect@m session/set_config_option {"configId":"allow_all","value":"off"}` + "\nreply@m {\"configOptions\":[" + strings.Replace(allowsAll, `"on","options"`, `"off","options"`, 1) + "]}\n", "allow_all"},
		"both": {modesNow("autopilot") + `,"configOptions":[` + allowsAll + `]`,
			`expect@m session/set_mode {"modeId":"x#agent"}` + "\nreply@m {}\n" + `expect@o session/set_config_option {"value":"off"}` + "\nreply@o {\"configOptions\":[" + strings.Replace(allowsAll, `"on","options"`, `"off","options"`, 1) + "]}\n", "autopilot, allow_all"},
		"nothing": {modesNow("agent"), "", ""},
	} {
		t.Run(name, func(t *testing.T) {
			r := newRig(t, nil, "handshake\nstub session/close\nsession s1 {"+c.session+"}\n"+c.script).open()
			var names []string
			for _, st := range r.theSession().Snapshot().SpecialModes() {
				names = append(names, st.Name)
				if st.Leave == "" || st.Means == "" || st.Mode == "" && st.Option == "" {
					t.Errorf("%+v", st)
				}
			}
			left, err := r.b.LeaveSpecialMode(r.ctx, r.session, "")
			if err != nil || strings.Join(left, ", ") != c.want || strings.Join(names, ", ") != c.want {
				t.Errorf("on %q, left %q, %v; want %q", names, left, err, c.want)
			}
			if still := r.theSession().Snapshot().SpecialModes(); len(still) > 0 {
				t.Errorf("still on: %+v", still)
			}
		})
	}
}

func TestModesAreFoundByTheWordsOfAPerson(t *testing.T) {
	t.Parallel()
	var m acp.SessionModeState
	if err := acp.Unmarshal([]byte("{"+strings.TrimPrefix(modesNow("agent"), `"modes":{`)), &m); err != nil {
		t.Fatal(err)
	}
	i := Info{Modes: &m}
	for word, want := range map[string]string{"plan": "x#plan", "x#agent": "x#agent", "Autopilot": "x#autopilot", "AGENT": "x#agent", "none": "", "": "", "x": ""} {
		if got, ok := i.FindMode(word); got != want || ok != (want != "") {
			t.Errorf("%q: %q %v", word, got, ok)
		}
	}
	if _, ok := (Info{}).FindMode("plan"); ok {
		t.Error("an agent without modes has one")
	}
}

// TestNothingRestoredAllowsEverything guards sessions that are loaded again: neither what the bridge remembers of them nor what
// the agent does switches a yes to everything on.
func TestNothingRestoredAllowsEverything(t *testing.T) {
	t.Parallel()
	off := strings.Replace(allowsAll, `"on","options"`, `"off","options"`, 1)
	opened := "handshake\nstub session/close\nsession s1 {" + modesNow("agent") + `,"configOptions":[` + off + "]}\n"
	loaded := "handshake\nstub session/close\nignore $/cancel_request\nexpect@l session/load\nreply@l {"
	turn := "expect@p session/prompt\nmark running\nwait done\nreply@p {\"stopReason\":\"end_turn\"}\n"
	for name, c := range map[string]struct {
		chose  func(r *rig) error // in the run before
		before string             // what the agent hears of it
		after  string             // the agent of the next run
	}{
		"autopilot that was chosen": {
			func(r *rig) error { return r.b.SetMode(r.ctx, r.session, "x#autopilot") },
			"expect@m session/set_mode\nreply@m {}\n",
			loaded + modesNow("agent") + "}\n" + turn,
		},
		"allow_all that was chosen": {
			func(r *rig) error { _, err := r.b.SetOption(r.ctx, r.session, "allow_all", "on"); return err },
			"expect@m session/set_config_option\nreply@m {\"configOptions\":[" + allowsAll + "]}\n",
			loaded + modesNow("agent") + `,"configOptions":[` + off + "]}\n" + turn,
		},
		"what the agent kept": {
			func(*rig) error { return nil }, "",
			loaded + modesNow("autopilot") + `,"configOptions":[` + allowsAll + "]}\n" +
				`expect@m session/set_mode {"modeId":"x#agent"}` + "\nreply@m {}\n" +
				`expect@o session/set_config_option {"configId":"allow_all","value":"off"}` + "\nreply@o {\"configOptions\":[" + off + "]}\n" + turn,
		},
	} {
		t.Run(name, func(t *testing.T) {
			r := lasting(t, opened+c.before+"expect@p session/prompt\nreply@p {\"stopReason\":\"end_turn\"}\n").open()
			if err := c.chose(r); err != nil {
				t.Fatal(err)
			}
			r.run("go")
			r.crash()
			next := r.again(c.after)
			next.put("a.txt", "one\n")
			if _, err := next.b.LoadSession(next.ctx, r.session, ""); err != nil {
				t.Fatal(err)
			}
			next.screen.ask = no
			next.inTurn(func(l *link) {
				if text, err := next.edit(l, "a.txt", "one", "two"); err == nil {
					t.Errorf("an edit was not asked about: %q", text)
				}
				if _, err := l.Bash(next.ctx, caller(), tools.BashArgs{Command: "touch x", Mode: tools.BashSync}, nil); err == nil {
					t.Error("a command was not asked about")
				}
			})
			if on := next.theSession().Snapshot().SpecialModes(); len(on) > 0 || freed(next.theSession()) {
				t.Errorf("on after the restart: %+v", on)
			}
			if n := len(next.screen.questions()); n != 2 {
				t.Errorf("asked %d times", n)
			}
		})
	}
}

// freed says whether the user has freed the agent from asking.
func freed(s *Session) bool {
	allowAll, autopilot := s.Gate().Freed()
	return allowAll || autopilot
}
