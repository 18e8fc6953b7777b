package session_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rs/zerolog"

	"github.com/copilot-bridge/copilot-bridge/acp/copilot"
	"github.com/copilot-bridge/copilot-bridge/bridge/tools"
	"github.com/copilot-bridge/copilot-bridge/bridge/trust"
)

// listed are scripted agents that say which version they are.
const listed = `stub session/close
expect@i initialize
reply@i {"protocolVersion":1,"agentInfo":{"name":"copilot","version":"9.9.9"},"agentCapabilities":{}}
expect@n session/new
reply@n {"sessionId":"s1"}
`

// trialRig is a rig whose agent is tried by a function, at once when a turn is over.
func trialRig(t *testing.T, run func(context.Context, string) (trust.Verdict, error), change func(*Config), script string) *rig {
	state := filepath.Join(t.TempDir(), "state")
	r := newRigWith(t, map[string]string{"a.txt": "one\n"}, func(c *Config) {
		c.StateDir, c.Trials = state, true
		change(c)
	}, listed+script)
	all := r.b.Config()
	all.Trust = trust.New(trust.Config{
		Dir: state, Trials: r.cfg.Trials, Life: all.Life, Go: all.Go, Now: all.Now, Log: all.Log,
		Trial: func(v trust.Version) func(context.Context) (trust.Verdict, error) {
			return func(ctx context.Context) (trust.Verdict, error) { return run(ctx, v.Agent) }
		},
		Tell: func(message string) { all.Out.Push(&StatusChanged{Kind: StatusError, Message: message}) },
	})
	return r.open()
}

const twoTurns = "expect@p session/prompt\nreply@p {\"stopReason\":\"end_turn\"}\nexpect@p session/prompt\nmark running\nwait done\nreply@p {\"stopReason\":\"end_turn\"}\n"

func TestABadTrialIsToldAndEverythingAsks(t *testing.T) {
	t.Parallel()
	r := trialRig(t, func(_ context.Context, agent string) (trust.Verdict, error) {
		return trust.Verdict{Agent: agent, By: "trial", Problems: []string{"it made a file without asking"}}, nil
	}, func(c *Config) { c.Rules = everythingAllowed }, twoTurns)
	r.run("go")
	r.until("the warning", func(events []Event) bool { return len(warnings(events)) == 1 })
	if w := warnings(r.events())[0]; !strings.HasPrefix(w, "copilot 9.9.9 cannot be relied on: it made a file without asking; so ") || strings.Contains(w, "\n") {
		t.Errorf("told %q", w)
	}
	r.screen.ask = no
	r.inTurn(func(l *link) {
		if _, err := r.edit(l, "a.txt", "one", "two"); err == nil {
			t.Error("a rule allows an edit of an agent that is not trusted")
		}
		if _, err := l.Bash(r.ctx, caller(), tools.BashArgs{Command: "touch x", Mode: tools.BashSync}, nil); err == nil {
			t.Error("a rule allows a command of an agent that is not trusted")
		}
		if text, err := l.View(r.ctx, caller(), tools.ViewArgs{Path: "a.txt"}); err != nil || text != "one\n" {
			t.Errorf("reading: %q %v", text, err)
		}
	})
	if n := len(r.screen.questions()); n != 2 {
		t.Errorf("asked %d times", n)
	}
	if v, ok := trust.Load(r.cfg.StateDir, trust.Version{Agent: "copilot 9.9.9"}); !ok || v.Passed() {
		t.Errorf("kept %+v %v", v, ok)
	}
}

// TestAVersionThatIsKnownNotToAskIsNotTrusted: without a trial, and although its first edit looks honest.
func TestAVersionThatIsKnownNotToAskIsNotTrusted(t *testing.T) {
	t.Parallel()
	r := newRigWith(t, map[string]string{"a.txt": "one\n"}, func(c *Config) { c.Rules = everythingAllowed }, listed+twoTurns).open().withTools()
	v, _ := copilot.ParseVersion("1.0.82")
	l := r.link()
	l.Quirks = copilot.QuirksOf(v)
	r.run("go")
	r.inTurn(func(l *link) {
		if _, err := r.edit(l, "a.txt", "one", "two"); err != nil {
			t.Error(err)
		}
	})
	if n := len(r.screen.questions()); n != 1 {
		t.Errorf("asked %d times, although rules count for nothing here", n)
	}
	if r.b.Config().Trust.Proven(version(l.Process)) || !r.b.Config().Trust.Untrusted(version(l.Process)) {
		t.Error("its first edit makes it honest")
	}
	r.b.Config().Trust.Started(version(l.Process), l.Gone())
	if w := warnings(r.events()); len(w) != 1 || !strings.Contains(w[0], "this version writes files and runs commands without asking, 1.0.83 and later ask; so here every change") {
		t.Errorf("told %q", w)
	}
	r.b.Config().Trust.Record(trust.Verdict{Agent: "copilot 9.9.9", By: "trial"})
	if !r.b.Config().Trust.Proven(version(l.Process)) {
		t.Error("what was tried here counts for less than a table")
	}
}

func warnings(events []Event) (out []string) {
	for _, ev := range events {
		if s, ok := ev.(*StatusChanged); ok && s.Kind == StatusError {
			out = append(out, s.Message)
		}
	}
	return out
}

func TestAVersionIsTriedOnceAndTheVerdictIsRemembered(t *testing.T) {
	t.Parallel()
	tried := make(chan string, 10)
	r := trialRig(t, func(_ context.Context, agent string) (trust.Verdict, error) {
		tried <- agent
		return trust.Verdict{Agent: agent, By: "trial"}, nil
	}, func(*Config) {}, twoTurns)
	r.run("go")
	if name := <-tried; name != "copilot 9.9.9" {
		t.Errorf("tried %q", name)
	}
	r.inTurn(func(*link) {})
	r.b.Flush(r.ctx)
	if len(tried) > 0 || len(warnings(r.events())) > 0 {
		t.Errorf("tried again, or told %q", warnings(r.events()))
	}
}

// TestATrialEndsWithTheBridge guards the owner of a trial: one that would go on for ever is over when the bridge is closed.
func TestATrialEndsWithTheBridge(t *testing.T) {
	t.Parallel()
	began, over := make(chan struct{}), make(chan error, 1)
	r := trialRig(t, func(ctx context.Context, _ string) (trust.Verdict, error) {
		close(began)
		<-ctx.Done()
		over <- ctx.Err()
		return trust.Verdict{}, ctx.Err()
	}, func(*Config) {}, twoTurns)
	r.run("go")
	<-began
	r.inTurn(func(*link) {})
	if err := r.b.Close(r.ctx); err != nil {
		t.Error(err)
	}
	if err := <-over; !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

func TestNothingIsTriedWhereTheUserDoesNotWantIt(t *testing.T) {
	t.Parallel()
	never := func(context.Context, string) (trust.Verdict, error) {
		t.Error("tried")
		return trust.Verdict{}, errors.New("not wanted")
	}
	for name, c := range map[string]struct {
		before func(*Config)
		after  func(*Bridge)
	}{
		"by the configuration": {func(c *Config) { c.Trials = false }, func(*Bridge) {}},
		"meanwhile":            {func(*Config) {}, func(b *Bridge) { b.SetTrials(false) }},
	} {
		t.Run(name, func(t *testing.T) {
			r := trialRig(t, never, c.before, twoTurns)
			c.after(r.b)
			r.run("go")
			r.inTurn(func(*link) {})
		})
	}
}

// TestTheFirstEditIsTheTrialOfOthers guards agents of which there is no trial: until a turn has shown that what it changes
// it asks about, the workspace is compared, whatever tools it has.
func TestTheFirstEditIsTheTrialOfOthers(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		script string // during the turn
		edit   bool
		told   bool // of an unapproved change
		proven bool
	}{
		"it edits with the editor's tools":  {"", true, false, true},
		"it edits, and something by itself": {"put $cwd/b.txt x\n", true, true, false},
		"it only writes by itself":          {"put $cwd/b.txt x\n", false, true, false},
		"it changes nothing":                {"", false, false, false},
	} {
		t.Run(name, func(t *testing.T) {
			r := newRig(t, map[string]string{"a.txt": "one\n", ".git/config": "old\n"}, listed+"expect@p session/prompt\n"+c.script+"mark running\nwait done\nreply@p {\"stopReason\":\"end_turn\"}\n").open()
			l := r.link()
			server, err := tools.Listen(t.TempDir(), l, tools.ToolSet{Files: true}, zerolog.Nop())
			if err != nil {
				t.Fatal(err)
			}
			l.Tools = server // the link closes it
			r.inTurn(func(l *link) {
				if c.edit {
					if _, err := r.edit(l, "a.txt", "one", "two"); err != nil {
						t.Error(err)
					}
				}
			})
			if told := len(happenings(r.events(), "unasked_change")) > 0; told != c.told {
				t.Errorf("told of an unapproved change: %v, want %v", told, c.told)
			}
			if got := r.b.Config().Trust.Proven(version(l.Process)); got != c.proven {
				t.Errorf("proven: %v, want %v", got, c.proven)
			}
			if c.edit && r.disk("a.txt") != "two\n" {
				t.Errorf("the file is %q", r.disk("a.txt"))
			}
		})
	}
}

func TestAProvenAgentWithEditorToolsIsNotComparedAnyMore(t *testing.T) {
	t.Parallel()
	r := newRig(t, map[string]string{"a.txt": "one\n"}, listed+strings.Repeat("expect@p session/prompt\nreply@p {\"stopReason\":\"end_turn\"}\n", 2)).open()
	l := r.link()
	server, err := tools.Listen(t.TempDir(), l, tools.ToolSet{Files: true}, zerolog.Nop())
	if err != nil {
		t.Fatal(err)
	}
	l.Tools = server
	r.run("go")
	r.b.Config().Trust.Record(trust.Verdict{Agent: "copilot 9.9.9", By: "trial"})
	turn := r.prompt("again")
	if err := os.WriteFile(r.path("b.txt"), []byte("the user's own\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	r.ended(turn)
	if h := happenings(r.events(), "unasked_change"); len(h) > 0 {
		t.Errorf("told of %v", h[0].Data)
	}
}
