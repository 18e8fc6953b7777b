package session

import (
	"context"
	"strings"

	"github.com/copilot-bridge/copilot-bridge/bridge/agents"
	"github.com/copilot-bridge/copilot-bridge/bridge/brought"
	"github.com/copilot-bridge/copilot-bridge/bridge/permission"
	"github.com/copilot-bridge/copilot-bridge/bridge/policy"
)

// admitted is an agent process to which a prompt of the session may be sent. Only [Session.admit] makes one, and nothing sends a
// prompt without it (TestEveryPromptIsCleared).
type admitted struct{ agent *agents.Process }

// admit asks, before a prompt is sent, about what Copilot would then start or send that the workspace brings along, and has the
// session open in an agent process that has loaded just that. What Copilot has once loaded it keeps whatever becomes of the
// files: where they have changed since, the session is opened anew, after the answer. In transcript mode each prompt loads them.
// It runs on the turn's goroutine.
func (s *Session) admit(ctx context.Context) (admitted, error) {
	var allowed string // just now
	for range maxReloads {
		a, err := s.connect(ctx)
		if err != nil {
			return admitted{}, err
		}
		if !startsWhatIsBrought(a) {
			if a, err = s.attach(ctx); err == nil && a.TakesTools(ctx, s.host.Unsaved) {
				continue // the next one has the editor tools
			}
			return admitted{a}, err
		}
		found := s.brought()
		if found.State != allowed {
			if err := s.permitBrought(ctx, found); err != nil {
				return admitted{}, err
			}
			allowed = found.State
		}
		if a, err = s.attach(ctx); err != nil {
			return admitted{}, err
		}
		same := s.snap.read().loaded == found.State
		if !same {
			s.tell(reopenIn{}) // it is closed and loaded
		}
		if same || a.PerTurn {
			return admitted{a}, nil
		}
	}
	return admitted{}, &Error{
		Code: CodeDenied, Message: "the prompt was not sent: what this workspace brings for Copilot to run changes all the time",
		Hint: "find out what changes .github or .claude, and send the prompt again", Retryable: true,
	}
}

// startsWhatIsBrought says that the agent is Copilot CLI, a program that is run like it, or one that calls itself so: a script
// around it that is configured as any ACP agent.
func startsWhatIsBrought(a *agents.Process) bool {
	return a.Copilot || a.PerTurn || strings.EqualFold(a.Agent.Info().Name, "copilot")
}

// brought lists what the workspace brings along for Copilot. It is the only one to do so.
func (s *Session) brought() brought.Found {
	roots := s.gate.Roots()
	return brought.Find(brought.Place{
		Cwd: s.Cwd, Roots: roots, Home: s.all.cfg.Home,
		Secret: func(real string) bool { return permission.IsSecret(policy.Path{Given: real, Real: real, Roots: roots}) },
	})
}

// permitBrought asks about what was found, unless the answer is known. A yes for good is one to these files with this content,
// and there is none for a list with a doubt; no rule for commands and no allow_all covers what the workspace brings along.
func (s *Session) permitBrought(ctx context.Context, found brought.Found) error {
	known := s.snap.read().agreed == found.State && found.Whole
	if len(found.Files) == 0 || known {
		return nil
	}
	refused := func(err error) error {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		return &Error{
			Code: CodeDenied, Message: "the prompt was not sent: this workspace contains files that Copilot runs or sends by itself (" + s.gate.Short(found.Files[0]) + "), and they were not allowed",
			Hint: "allow it or take it away", Retryable: true, Err: err,
		}
	}
	if err := s.readable(found.Texts); err != nil {
		return refused(err)
	}
	r := policy.Request{Tool: policy.ToolShell, Name: "workspace hooks", Argv: []string{"copilot", "hooks"}, CommandDir: s.Cwd, Brought: true}
	notes := []string{"Copilot does it by itself, from now on, and nobody is asked again"}
	if found.Whole {
		r.Content = found.State
	} else {
		notes = append(notes, "not all of it can be read, so this is asked before each prompt")
	}
	for _, f := range found.Files {
		r.Argv = append(r.Argv, s.gate.Short(f))
	}
	q := &Question{
		Title: "Let Copilot use what this workspace contains (hooks, servers, agents, linked texts)", Cwd: s.Cwd,
		Argv: r.Argv, Notes: append(notes, found.Notes...),
	}
	if err := s.gate.Permit(ctx, r, q); err != nil {
		return refused(err)
	}
	s.tell(agreedIn{found.State})
	return nil
}

// readable holds the rules that forbid a read against texts that Copilot would send without reading them here.
func (s *Session) readable(texts []string) error {
	for _, path := range texts {
		t, err := s.gate.Resolve(path)
		if err != nil {
			return err
		}
		if err := s.gate.Unreadable("Copilot's first request", t); err != nil {
			return err
		}
	}
	return nil
}
