package trust

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"github.com/rs/zerolog"

	"github.com/copilot-bridge/copilot-bridge/acp"
	"github.com/copilot-bridge/copilot-bridge/acp/agent"
	"github.com/copilot-bridge/copilot-bridge/acp/copilot"
	"github.com/copilot-bridge/copilot-bridge/bridge/tools"
)

// Trial is how a version of Copilot CLI is tried.
type Trial struct {
	Agent   string   // what the verdict is kept as, "copilot 1.0.102"
	Command []string // the user's command line; only the words that name the program are used
	Env     []string // the whole environment it is started with
	Self    []string // the argv prefix that runs this binary; the tools of the editor need it
	Version string   // of the bridge
	Log     zerolog.Logger

	// start replaces the program in tests.
	start func(ctx context.Context, argv, env []string, dir string, h agent.Handler) (subject, error)
}

// subject is the agent that is tried.
type subject interface {
	acp.Caller
	Close(ctx context.Context) error
}

// CanTry says whether an agent can be tried: Copilot CLI whose model is one that the user has configured, so that it runs
// without a login, in a version that takes one (1.0.78).
func CanTry(command, env []string, q copilot.Quirks) bool {
	return copilot.IsCopilot(command) && copilot.HasProvider(env) && !q.NoOwnProvider
}

// Run tries the agent: first as it is, then with its own tools off and those of the editor in their place. An error says
// that it could not be tried; then there is no verdict.
func (c Trial) Run(ctx context.Context) (v Verdict, err error) {
	ctx, cancel := context.WithTimeout(ctx, Limit)
	defer cancel()
	dir, err := os.MkdirTemp("", "copilot-bridge-trial-")
	if err != nil {
		return v, fmt.Errorf("try the agent out: %w", err)
	}
	defer os.RemoveAll(dir)
	if dir, err = filepath.EvalSymlinks(dir); err != nil {
		return v, err
	}
	if c.start == nil {
		c.start = c.spawn
	}
	v = Verdict{Agent: c.Agent, By: byTrial}
	for _, try := range []func(context.Context, string) ([]string, error){c.asks, c.obeys} {
		problems, err := try(ctx, dir)
		if err != nil {
			return Verdict{}, fmt.Errorf("try %s out: %w", c.Agent, err)
		}
		v.Problems = append(v.Problems, problems...)
	}
	v.When = time.Now().UTC().Truncate(time.Second)
	return v, nil
}

// asks tries whether the agent asks before its own tools do something.
func (c Trial) asks(ctx context.Context, dir string) ([]string, error) {
	r, err := newRound(dir, "asks")
	if err != nil {
		return nil, err
	}
	argv := copilot.Launch{Command: copilot.Program(c.Command)}.Argv()
	if err := r.run(ctx, c, argv); err != nil {
		return nil, err
	}
	var problems []string
	for _, d := range r.deeds {
		switch {
		case !r.reached(d.prompt):
			return nil, errors.New("it was asked to " + d.what + " and did not get as far as its tool")
		case r.done(d):
			problems = append(problems, "it "+d.past+" without asking")
		case !r.wasAsked(d.prompt) && len(r.offers([]string{d.call.Name})) > 0:
			return nil, errors.New("its tool " + d.call.Name + " neither asked nor did anything")
		}
	}
	return problems, nil
}

// obeys tries whether the agent's own tools are off when the editor's are in their place.
func (c Trial) obeys(ctx context.Context, dir string) ([]string, error) {
	r, err := newRound(dir, "obeys")
	if err != nil {
		return nil, err
	}
	set := tools.ToolSet{Files: true, Shell: true}
	server, err := tools.Listen("", r, set, c.Log)
	if err != nil {
		return nil, err
	}
	defer server.Close()
	if err := server.Mint(); err != nil {
		return nil, err
	}
	launch := copilot.Launch{
		Command: copilot.Program(c.Command), Self: c.Self, Socket: server.Socket(), Tools: copilot.ToolSet{Files: set.Files, Shell: set.Shell},
	}
	if err := r.run(ctx, c, launch.Argv()); err != nil {
		return nil, err
	}
	var problems []string
	if on := r.offers(copilot.OwnTools()); len(on) > 0 {
		problems = append(problems, fmt.Sprintf("its own tools (%s) stay on when they are switched off", strings.Join(on, ", ")))
	}
	for _, d := range r.deeds {
		if r.done(d) {
			problems = append(problems, "it "+d.past+" with a tool that was switched off")
		}
	}
	if len(problems) == 0 && len(r.offers([]string{tools.ServerName + "-create"})) == 0 {
		return nil, errors.New("it did not start the tools of the editor")
	}
	return problems, nil
}

// spawn starts the agent at the lowest priority, in an environment of few variables.
func (c Trial) spawn(ctx context.Context, argv, env []string, dir string, h agent.Handler) (subject, error) {
	if path, err := agent.LookPath(argv[0], c.Env); err == nil {
		argv = append([]string{path}, argv[1:]...)
	}
	if nice, err := exec.LookPath("nice"); err == nil { // the user's own work goes first
		argv = append([]string{nice, "-n", "19"}, argv...)
	}
	var guard []string
	if len(c.Self) > 0 {
		guard = append(append(guard, c.Self...), "guard")
	}
	return agent.Start(ctx, agent.Config{
		Command: argv, Env: env, Dir: dir, Guard: guard, Log: zerolog.Nop(), Handler: h,
		ClientInfo: acp.Implementation{Name: "copilot-bridge", Version: c.Version},
	})
}
