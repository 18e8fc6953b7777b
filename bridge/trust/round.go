package trust

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/copilot-bridge/copilot-bridge/acp"
	"github.com/copilot-bridge/copilot-bridge/acp/acptest/model"
	"github.com/copilot-bridge/copilot-bridge/acp/agent"
	"github.com/copilot-bridge/copilot-bridge/bridge/tools"
)

// round is one agent process that is given deeds to do, in folders of its own. It is the agent's client, and the host of
// the editor's tools, which do nothing here.
type round struct {
	tools.Host // nil: no tool of the editor's is ever called, only offered
	home, ws   string
	deeds      []deed

	mu      sync.Mutex
	now     string          // the prompt under way
	asked   map[string]bool // prompts during which a question came
	prompts map[string]bool // that have reached the model, which calls their tool
	offered map[string]bool // tools that the model was offered
}

// deed is something the agent is made to do, and how it shows that it was done.
type deed struct {
	prompt string // with the script for the model
	what   string // "make a file"
	past   string // "made a file"
	call   model.Tool
	trace  string // a file that is there afterwards
}

func newDeed(what, past string, call model.Tool, trace string) deed {
	return deed{"Please " + what + " for the trial. " + model.Script(model.Step{Tools: []model.Tool{call}}), what, past, call, trace}
}

func newRound(dir, name string) (*round, error) {
	r := &round{
		home: filepath.Join(dir, name, "home"), ws: filepath.Join(dir, name, "workspace"),
		asked: map[string]bool{}, prompts: map[string]bool{}, offered: map[string]bool{},
	}
	// The workspace is the top of a repository: Copilot looks for hooks in the folders above it up to there, and another user of
	// the folder for temporary files could put some beside ours (1.0.102 runs them).
	for _, d := range []string{r.home, filepath.Join(r.ws, ".git")} {
		if err := os.MkdirAll(d, 0o700); err != nil {
			return nil, err
		}
	}
	made, ran := filepath.Join(r.ws, "made.txt"), filepath.Join(r.ws, "ran.txt")
	r.deeds = []deed{
		newDeed("make a file", "made a file", model.Tool{Name: "create", Args: map[string]any{"path": made, "file_text": "made\n"}}, made),
		newDeed("run a command", "ran a command", model.Tool{Name: "bash", Args: map[string]any{"command": "echo ran > ran.txt", "description": "Trial"}}, ran),
	}
	return r, nil
}

// run has the agent do its deeds, one a prompt. Nothing runs any more when it returns.
func (r *round) run(ctx context.Context, c Trial, argv []string) (err error) {
	m, err := model.Listen(r.heard)
	if err != nil {
		return err
	}
	defer m.Close()
	a, err := c.start(ctx, argv, environment(c.Env, r.home, m.URL()), r.ws, r)
	if err != nil {
		return err
	}
	defer func() {
		end, cancel := context.WithTimeout(context.WithoutCancel(ctx), closeLimit)
		defer cancel()
		if e := a.Close(end); err == nil && e != nil && !errors.As(e, new(*agent.ExitError)) {
			err = e
		}
	}()
	s, err := acp.Call[acp.NewSessionResponse](ctx, a, acp.MethodSessionNew, &acp.NewSessionRequest{Cwd: r.ws, MCPServers: []acp.MCPServer{}})
	if err != nil {
		return fmt.Errorf("open a session: %w", err)
	}
	for _, d := range r.deeds {
		r.mu.Lock()
		r.now = d.prompt
		r.mu.Unlock()
		if _, err := acp.Call[acp.PromptResponse](ctx, a, acp.MethodSessionPrompt, &acp.PromptRequest{SessionID: s.SessionID, Prompt: []acp.ContentBlock{acp.Text(d.prompt)}}); err != nil {
			return fmt.Errorf("have it %s: %w", d.what, err)
		}
	}
	return nil
}

// heard notes what the model is asked. It is called on the goroutines of the model.
func (r *round) heard(q model.Request) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, t := range q.Tools {
		r.offered[t.Function.Name] = true
	}
	for _, d := range r.deeds {
		r.prompts[d.prompt] = r.prompts[d.prompt] || len(q.Tools) > 0 && slices.ContainsFunc(q.Messages, func(m model.Message) bool {
			return m.Role == "user" && strings.Contains(m.Text(), d.prompt)
		})
	}
}

// reached says whether a prompt got as far as the call of its tool.
func (r *round) reached(prompt string) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.prompts[prompt]
}

// offers are those of the tools that the model was offered.
func (r *round) offers(names []string) (out []string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, n := range names {
		if r.offered[n] {
			out = append(out, n)
		}
	}
	return out
}

// done says whether a deed was done.
func (r *round) done(d deed) bool {
	_, err := os.Lstat(d.trace)
	return err == nil
}

func (r *round) wasAsked(prompt string) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.asked[prompt]
}

// Message implements [agent.Handler]: every question is answered with a no, what the agent says does not count.
func (r *round) Message(m *acp.Message) {
	req := m.Request
	if req == nil {
		return
	}
	if req.Method() != acp.MethodSessionRequestPermission {
		req.Reply(nil, &acp.Error{Code: acp.CodeMethodNotFound, Message: "not offered"})
		return
	}
	r.mu.Lock()
	r.asked[r.now] = true
	r.mu.Unlock()
	var p acp.RequestPermissionRequest
	if err := acp.Unmarshal(req.Params(), &p); err == nil {
		for _, o := range p.Options {
			if o.Kind == acp.PermissionOptionKindRejectOnce {
				req.Reply(&acp.RequestPermissionResponse{Outcome: &acp.SelectedPermissionOutcome{OptionID: o.OptionID}}, nil)
				return
			}
		}
	}
	req.Reply(&acp.RequestPermissionResponse{Outcome: &acp.CancelledPermissionOutcome{}}, nil)
}

// Drained and Exited implement [agent.Handler].
func (r *round) Drained()                {}
func (r *round) Exited(*agent.ExitError) {}

// Connected and Disconnected are of [tools.Host].
func (r *round) Connected(tools.Caller)           {}
func (r *round) Disconnected(tools.Caller, error) {}
