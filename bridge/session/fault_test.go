package session_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/copilot-bridge/copilot-bridge/acp"
	"github.com/copilot-bridge/copilot-bridge/bridge/policy"
	"github.com/copilot-bridge/copilot-bridge/bridge/tools"
)

// roads are the ways in which an agent can change something: by an editor tool or by ACP. Each is to have no effect.
var roads = map[string]func(r *rig, l *link) error{
	"edit": func(r *rig, l *link) error { _, err := r.edit(l, "a.txt", "one", "two"); return err },
	"create": func(r *rig, l *link) error {
		_, err := l.Create(r.ctx, caller(), tools.CreateArgs{Path: r.path("new.txt"), Text: "x"})
		return err
	},
	"bash": func(r *rig, l *link) error {
		_, err := l.Bash(r.ctx, caller(), tools.BashArgs{Command: "touch new.txt", Mode: tools.BashSync}, nil)
		return err
	},
	"view of a secret": func(r *rig, l *link) error {
		_, err := l.View(r.ctx, caller(), tools.ViewArgs{Path: r.path(".env")})
		return err
	},
	"fs/write_text_file": func(r *rig, _ *link) error {
		_, err := r.theSession().Host().WriteTextFile(r.ctx, &acp.WriteTextFileRequest{Path: r.path("a.txt"), Content: "two"})
		return err
	},
	"fs/read_text_file": func(r *rig, _ *link) error {
		_, err := r.theSession().Host().ReadTextFile(r.ctx, &acp.ReadTextFileRequest{Path: r.path(".env")})
		return err
	},
	"terminal/create": func(r *rig, _ *link) error {
		_, err := r.theSession().Host().CreateTerminal(r.ctx, &acp.CreateTerminalRequest{Command: "touch", Args: []string{"new.txt"}})
		return err
	},
}

func TestWhateverGoesWrongIsANo(t *testing.T) {
	t.Parallel()
	type ask = func(context.Context, *Question) (Answer, error)
	faults := map[string]struct {
		ask ask
		why string // in the log
	}{
		"an error":            {func(context.Context, *Question) (Answer, error) { return Answer{}, errors.New("pipe closed") }, "could not be asked: pipe closed"},
		"an error with a yes": {func(context.Context, *Question) (Answer, error) { return Answer{OptionID: optOnce}, errors.New("late") }, "could not be asked: late"},
		"a panic":             {func(context.Context, *Question) (Answer, error) { panic("hunter2hunter2") }, "bug"},
		"an unknown option":   {func(context.Context, *Question) (Answer, error) { return Answer{OptionID: "yes"}, nil }, "was not offered"},
		"another question's":  {func(context.Context, *Question) (Answer, error) { return Answer{OptionID: optUnsaved}, nil }, "was not offered"},
		"closed":              {func(context.Context, *Question) (Answer, error) { return Answer{}, nil }, ""},
		"a no":                {no, ""},
		"a timeout of the front": {func(context.Context, *Question) (Answer, error) {
			return Answer{OptionID: optOnce}, context.DeadlineExceeded
		}, "could not be asked"},
		"always, where it was not offered": {func(_ context.Context, q *Question) (Answer, error) {
			for i, o := range q.Options {
				if o.OptionID == optAlways {
					q.Options = append(q.Options[:i:i], q.Options[i+1:]...) // the user saw no such button
					return Answer{OptionID: optReject}, nil
				}
			}
			return Answer{OptionID: optAlways}, nil
		}, ""},
	}
	for fault, f := range faults {
		t.Run(fault, func(t *testing.T) {
			state := t.TempDir()
			r := newRigWith(t, map[string]string{"a.txt": "one\n", ".env": "SECRET=1\n"}, func(c *Config) { c.StateDir = state }, toolTurn).open()
			r.screen.ask = f.ask
			r.inTurn(func(l *link) {
				for road, try := range roads {
					before := len(r.screen.questions())
					err := try(r, l)
					if err == nil || strings.Contains(err.Error(), "SECRET") || strings.Contains(err.Error(), "hunter2") {
						t.Errorf("%s: %v", road, err)
					}
					if n := len(r.screen.questions()) - before; n != 1 {
						t.Errorf("%s: asked %d times", road, n)
					}
				}
			})
			if got := r.disk("a.txt"); got != "one\n" {
				t.Errorf("the file is %q", got)
			}
			if _, err := os.Lstat(r.path("new.txt")); err == nil {
				t.Error("a file was made")
			}
			log, err := policy.ReadAudit(filepath.Join(state, "audit.jsonl"), 100)
			if err != nil || len(log) != len(roads) {
				t.Fatalf("%d lines in the log, %v", len(log), err)
			}
			for _, e := range log {
				if e.Verdict != policy.Deny || !strings.Contains(e.Why, f.why) || strings.Contains(e.Why, "hunter2") || e.Session != r.session {
					t.Errorf("the log says %+v", e)
				}
			}
		})
	}
}

func TestEveryDecisionIsInTheLog(t *testing.T) {
	t.Parallel()
	state := t.TempDir()
	r := newRigWith(t, map[string]string{"a.txt": "one\n", "b.txt": "b\n"}, func(c *Config) {
		c.StateDir, c.Env = state, append(c.Env, "SOME_TOKEN=tok-12345678")
		c.Rules = []policy.Rule{{Tool: policy.ToolEdit, Path: "b.txt", Decision: policy.Deny}, {Tool: policy.ToolEdit, Decision: policy.Allow}}
	}, toolTurn).open()
	r.inTurn(func(l *link) {
		r.edit(l, "a.txt", "one", "two")                                           // allowed by a rule
		r.edit(l, "b.txt", "b", "c")                                               // denied by a rule
		l.View(r.ctx, caller(), tools.ViewArgs{Path: r.path("a.txt")})             // allowed without one
		r.screen.ask = no                                                          //
		l.Bash(r.ctx, caller(), tools.BashArgs{Command: "echo tok-12345678"}, nil) // declined
	})
	b, err := os.ReadFile(filepath.Join(state, "audit.jsonl"))
	if err != nil || strings.Contains(string(b), "tok-12345678") {
		t.Errorf("a secret of the environment is in the log (%v): %s", err, b)
	}
	log, _ := policy.ReadAudit(filepath.Join(state, "audit.jsonl"), 100)
	var got []string
	for _, e := range log {
		got = append(got, string(e.Tool)+" "+string(e.Verdict)+" by "+string(e.Who))
	}
	if want := "edit allow by rule, edit deny by rule, read allow by rule, shell deny by user"; strings.Join(got, ", ") != want {
		t.Errorf("the log: %s, want %s", strings.Join(got, ", "), want)
	}
}
