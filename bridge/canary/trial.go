package canary

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/copilot-bridge/copilot-bridge/acp"
	"github.com/copilot-bridge/copilot-bridge/acp/agent"
	"github.com/copilot-bridge/copilot-bridge/bridge/tools"
)

// trial is one agent process that is given deeds to do, in folders of its own. It is the agent's client, and the host of
// the editor's tools, which do nothing here.
type trial struct {
	tools.Host // nil: no tool of the editor's is ever called, only offered
	home, ws   string
	deeds      []deed
	model      *model

	mu    sync.Mutex
	now   string          // the prompt under way
	asked map[string]bool // prompts during which a question came, before anything was done
}

// deed is something the agent is made to do, and how it shows that it was done.
type deed struct {
	prompt string
	what   string // "make a file"
	past   string // "made a file"
	call   toolCall
	trace  string // a file that is there afterwards
}

func newTrial(dir, name string) (*trial, error) {
	t := &trial{home: filepath.Join(dir, name, "home"), ws: filepath.Join(dir, name, "workspace"), asked: map[string]bool{}}
	// The workspace is the top of a repository: Copilot looks for hooks in the folders above it up to there, and whoever
	// shares the folder for temporary files could put some beside ours (1.0.102 runs them).
	for _, d := range []string{t.home, filepath.Join(t.ws, ".git")} {
		if err := os.MkdirAll(d, 0o700); err != nil {
			return nil, err
		}
	}
	made, ran := filepath.Join(t.ws, "made.txt"), filepath.Join(t.ws, "ran.txt")
	t.deeds = []deed{
		{"Please make the file of the trial.", "make a file", "made a file", toolCall{"create", map[string]any{"path": made, "file_text": "made\n"}}, made},
		{"Please run the command of the trial.", "run a command", "ran a command", toolCall{"bash", map[string]any{"command": "echo ran > ran.txt", "description": "Trial"}}, ran},
	}
	return t, nil
}

// run has the agent do its deeds, one a prompt. Nothing runs any more when it returns.
func (t *trial) run(ctx context.Context, cfg Config, argv []string) (err error) {
	script := map[string]toolCall{}
	for _, d := range t.deeds {
		script[d.prompt] = d.call
	}
	if t.model, err = openModel(script); err != nil {
		return err
	}
	defer t.model.close()
	a, err := cfg.start(ctx, argv, environment(cfg.Env, t.home, t.model.base), t.ws, t)
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
	s, err := a.NewSession(ctx, &acp.NewSessionRequest{Cwd: t.ws, MCPServers: []acp.MCPServer{}})
	if err != nil {
		return fmt.Errorf("open a session: %w", err)
	}
	for _, d := range t.deeds {
		t.mu.Lock()
		t.now = d.prompt
		t.mu.Unlock()
		if _, err := a.Prompt(ctx, &acp.PromptRequest{SessionID: s.SessionID, Prompt: []acp.ContentBlock{acp.Text(d.prompt)}}); err != nil {
			return fmt.Errorf("have it %s: %w", d.what, err)
		}
	}
	return nil
}

// done says whether a deed was done.
func (t *trial) done(d deed) bool {
	_, err := os.Lstat(d.trace)
	return err == nil
}

func (t *trial) wasAsked(prompt string) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.asked[prompt]
}

// Request implements [agent.Handler]: every question is answered with a no.
func (t *trial) Request(req *acp.Request) {
	if req.Method() != acp.MethodSessionRequestPermission {
		req.Reply(nil, &acp.Error{Code: acp.CodeMethodNotFound, Message: "not offered"})
		return
	}
	t.mu.Lock()
	t.asked[t.now] = true
	t.mu.Unlock()
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

// Update, Notification and Exited implement [agent.Handler]; what the agent says does not count.
func (t *trial) Update(*acp.SessionNotification)     {}
func (t *trial) Notification(string, jsontext.Value) {}
func (t *trial) Exited(*agent.ExitError)             {}

// Connected and Disconnected are of [tools.Host].
func (t *trial) Connected(tools.Caller)           {}
func (t *trial) Disconnected(tools.Caller, error) {}

func join(list []string) string { return strings.Join(list, ", ") }
