//go:build unix

package bridge

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/copilot-bridge/copilot-bridge/acp"
	"github.com/copilot-bridge/copilot-bridge/acp/agent"
)

// program is a Copilot CLI of a version, with a help, that does what script says when it is called for anything else.
// What it is called with is in the file calls beside it.
func (r *rig) program(version, help, script string) string {
	r.t.Helper()
	dir := r.t.TempDir()
	exe := filepath.Join(dir, "copilot")
	text := fmt.Sprintf("#!/bin/sh\ncase \"$1\" in --version) echo %s; exit;; --help) echo '%s'; exit;; esac\necho \"$@\" >> %s/calls\n%s\n", version, help, dir, script)
	if err := os.WriteFile(exe, []byte(text), 0o700); err != nil {
		r.t.Fatal(err)
	}
	return exe
}

func calls(exe string) string {
	b, _ := os.ReadFile(filepath.Join(filepath.Dir(exe), "calls"))
	return string(b)
}

func newProgramRig(t *testing.T, version, help, script string, kind AgentKind) (*rig, string) {
	var exe string
	r := newRigWith(t, nil, func(c *Config) {
		exe = (&rig{t: t}).program(version, help, script)
		c.Start, c.Command, c.Kind, c.StateDir = nil, []string{exe}, kind, t.TempDir()
	})
	return r, exe
}

const (
	printOnly = "Usage: copilot -p TEXT -s --stream on"
	both      = printOnly + " --acp --stdio"
	fails     = "case \"$*\" in *--acp*) echo boom >&2; exit 3;; esac\necho an answer"
)

// TestAProgramWithoutACPIsCalledOnceATurn: chosen by its setting, and by asking the program where nothing is set.
func TestAProgramWithoutACPIsCalledOnceATurn(t *testing.T) {
	for _, c := range []struct {
		version, help string
		kind          AgentKind
	}{
		{"0.0.300", printOnly, KindAuto}, {"1.0.102", printOnly, KindAuto}, {"1.0.102", both, KindTranscript}, {"0.0.300", printOnly, KindTranscript},
	} {
		r, exe := newProgramRig(t, c.version, c.help, fails, c.kind)
		if end := r.open().run("hello"); end.Err != nil || end.StopReason != acp.StopReasonEndTurn {
			t.Errorf("%+v: %+v", c, end)
		}
		if got := calls(exe); !strings.HasSuffix(got, "-s --stream on -p hello\n") || strings.Contains(got, "allow") {
			t.Errorf("%+v: called with %q", c, got)
		}
		if len(happenings(r.events(), "agent_kind")) == 0 {
			t.Errorf("%+v: nobody was told that it cannot ask", c)
		}
		if i, ok := r.b.Agent(); !ok || i.Name != "copilot" {
			t.Errorf("%+v: %+v", c, i)
		}
	}
}

// TestAnACPServerThatKeepsFailingIsNotReplacedSilently: the person is asked once, after the third time, and their answer
// holds until the agent is restarted by hand.
func TestAnACPServerThatKeepsFailingIsNotReplacedSilently(t *testing.T) {
	for _, yes := range []bool{false, true} {
		r, exe := newProgramRig(t, "1.0.102", both, fails, KindAuto)
		answer := make(chan struct{})
		r.screen.ask = func(_ context.Context, q *Question) (Answer, error) {
			defer close(answer) // a second question would panic
			if !yes {
				return Answer{}, errors.New("closed")
			}
			i := slices.IndexFunc(q.Options, func(o acp.PermissionOption) bool { return o.Kind == acp.PermissionOptionKindAllowOnce })
			return Answer{OptionID: q.Options[i].OptionID}, nil
		}
		for range offerAfter {
			if _, err := r.b.NewSession(r.ctx, NewSessionRequest{}); err == nil {
				t.Fatal("a session was opened")
			}
		}
		<-answer
		want := "agent keeps failing"
		if yes {
			want = "go through `copilot -p` now"
		}
		r.until("what became of it", func(events []Event) bool {
			return slices.ContainsFunc(events, func(ev Event) bool {
				s, ok := ev.(*StatusChanged)
				return ok && strings.Contains(s.Message, want)
			})
		})
		if strings.Contains(calls(exe), "-p") {
			t.Errorf("called before anybody was asked: %q", calls(exe))
		}
		if !yes {
			if _, err := r.b.NewSession(r.ctx, NewSessionRequest{}); err == nil {
				t.Error("a no was taken for a yes")
			}
			continue
		}
		if end := r.open().run("hello"); end.Err != nil {
			t.Errorf("%+v", end.Err)
		}
		if err := r.b.RestartAgent(r.ctx); err == nil {
			t.Error("a restart did not go back to ACP")
		}
	}
}

func TestAFailedCallIsToldWithWhatToDo(t *testing.T) {
	for script, want := range map[string]struct {
		code int
		text string
	}{
		"echo 'Error: No authentication information found.' >&2; exit 1": {CodeNotSignedIn, "login"},
		"echo boom >&2; exit 1":                            {CodeAgentUnavailable, "boom"},
		"echo 'context window exceeded (413)' >&2; exit 1": {CodeInternal, "does not fit"},
	} {
		r, _ := newProgramRig(t, "0.0.300", printOnly, script, KindTranscript)
		r.open()
		end := r.ended(r.prompt("hello"))
		if end.Err == nil || end.Err.Code != want.code || !strings.Contains(end.Err.Error()+end.Err.Hint, want.text) {
			t.Errorf("%s: %+v", script, end.Err)
		}
		if want.code == CodeNotSignedIn && !errors.Is(end.Err, agent.ErrSignedOut) {
			t.Errorf("%s is not a sign-out", script)
		}
	}
}

// TestDeletingASessionDeletesItsTranscript: nothing of what was said stays.
func TestDeletingASessionDeletesItsTranscript(t *testing.T) {
	r, _ := newProgramRig(t, "0.0.300", printOnly, fails, KindTranscript)
	end := r.open().run("a secret")
	dir := transcriptsDir(r.b.cfg.StateDir)
	if left, err := os.ReadDir(dir); err != nil || len(left) != 1 {
		t.Fatalf("%v %v", left, err)
	}
	if err := r.b.DeleteSession(r.ctx, end.Session); err != nil {
		t.Fatal(err)
	}
	if left, _ := os.ReadDir(dir); len(left) != 0 {
		t.Errorf("left: %v", left)
	}
}
