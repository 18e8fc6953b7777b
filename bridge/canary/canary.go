package canary

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"time"

	"github.com/rs/zerolog"

	"github.com/copilot-bridge/copilot-bridge/acp"
	"github.com/copilot-bridge/copilot-bridge/acp/agent"
	"github.com/copilot-bridge/copilot-bridge/acp/copilot"
	"github.com/copilot-bridge/copilot-bridge/bridge/tools"
)

// Config says which Copilot CLI is tried.
type Config struct {
	Command []string // the person's command line; only the words that name the program are used
	Env     []string // the whole environment it is started with
	Self    []string // the argv prefix that runs this binary; the tools of the editor need it
	Name    string   // what the verdict is kept as, "copilot 1.0.102"
	Version string   // of the bridge
	Log     zerolog.Logger

	// start replaces the program in tests.
	start func(ctx context.Context, argv, env []string, dir string, h agent.Handler) (subject, error)
}

// subject is the agent that is tried.
type subject interface {
	NewSession(ctx context.Context, req *acp.NewSessionRequest) (*acp.NewSessionResponse, error)
	Prompt(ctx context.Context, req *acp.PromptRequest) (*acp.PromptResponse, error)
	Close(ctx context.Context) error
}

// Needs says whether an agent can be tried: Copilot CLI whose model is one that the user has configured, so that it
// runs without a login, in a version that takes one (1.0.78).
func Needs(command, env []string, q copilot.Quirks) bool {
	return copilot.IsCopilot(command) && copilot.HasProvider(env) && !q.NoOwnProvider
}

// Run tries an agent out: first as it is, then with its own tools off and those of the editor in their place. An error
// says that it could not be tried; then there is no verdict.
func Run(ctx context.Context, cfg Config) (v Verdict, err error) {
	ctx, cancel := context.WithTimeout(ctx, Limit)
	defer cancel()
	dir, err := os.MkdirTemp("", "copilot-bridge-canary-")
	if err != nil {
		return v, fmt.Errorf("try the agent out: %w", err)
	}
	defer os.RemoveAll(dir)
	if dir, err = filepath.EvalSymlinks(dir); err != nil {
		return v, err
	}
	if cfg.start == nil {
		cfg.start = cfg.spawn
	}
	v = Verdict{Agent: cfg.Name, By: "trial"}
	for _, try := range []func(context.Context, Config, string) ([]string, error){asks, obeys} {
		problems, err := try(ctx, cfg, dir)
		if err != nil {
			return Verdict{}, fmt.Errorf("try %s out: %w", cfg.Name, err)
		}
		v.Problems = append(v.Problems, problems...)
	}
	v.When = time.Now().UTC().Truncate(time.Second)
	return v, nil
}

// asks tries whether the agent asks before its own tools do something.
func asks(ctx context.Context, cfg Config, dir string) ([]string, error) {
	t, err := newTrial(dir, "asks")
	if err != nil {
		return nil, err
	}
	argv := copilot.Launch{Command: copilot.Program(cfg.Command)}.Argv()
	if err := t.run(ctx, cfg, argv); err != nil {
		return nil, err
	}
	var problems []string
	for _, d := range t.deeds {
		switch {
		case !t.model.wasCalled(d.prompt):
			return nil, errors.New("it was asked to " + d.what + " and did not get as far as its tool")
		case t.done(d):
			problems = append(problems, "it "+d.past+" without asking")
		case !t.wasAsked(d.prompt) && len(t.model.offers([]string{d.call.name})) > 0:
			return nil, errors.New("its tool " + d.call.name + " neither asked nor did anything")
		}
	}
	return problems, nil
}

// obeys tries whether the agent's own tools are off when the editor's are in their place.
func obeys(ctx context.Context, cfg Config, dir string) ([]string, error) {
	t, err := newTrial(dir, "obeys")
	if err != nil {
		return nil, err
	}
	set := tools.ToolSet{Files: true, Shell: true}
	server, err := tools.Listen("", t, set, cfg.Log)
	if err != nil {
		return nil, err
	}
	defer server.Close()
	if err := server.Mint(); err != nil {
		return nil, err
	}
	launch := copilot.Launch{
		Command: copilot.Program(cfg.Command), Self: cfg.Self, Socket: server.Socket(), Tools: copilot.ToolSet{Files: set.Files, Shell: set.Shell},
	}
	if err := t.run(ctx, cfg, launch.Argv()); err != nil {
		return nil, err
	}
	var problems []string
	if on := t.model.offers(copilot.OwnTools()); len(on) > 0 {
		problems = append(problems, fmt.Sprintf("its own tools (%s) stay on when they are switched off", join(on)))
	}
	for _, d := range t.deeds {
		if t.done(d) {
			problems = append(problems, "it "+d.past+" with a tool that was switched off")
		}
	}
	if len(problems) == 0 && len(t.model.offers([]string{tools.ServerName + "-create"})) == 0 {
		return nil, errors.New("it did not start the tools of the editor")
	}
	return problems, nil
}

// spawn starts the agent at the lowest priority, in an environment of few variables.
func (cfg Config) spawn(ctx context.Context, argv, env []string, dir string, h agent.Handler) (subject, error) {
	if path, err := agent.LookPath(argv[0], cfg.Env); err == nil {
		argv = append([]string{path}, argv[1:]...)
	}
	if nice, err := exec.LookPath("nice"); err == nil { // the person's own work goes first
		argv = append([]string{nice, "-n", "19"}, argv...)
	}
	var guard []string
	if len(cfg.Self) > 0 {
		guard = append(append(guard, cfg.Self...), "guard")
	}
	return agent.Start(ctx, agent.Config{
		Command: argv, Env: env, Dir: dir, Guard: guard, Log: zerolog.Nop(), Handler: h,
		ClientInfo: acp.Implementation{Name: "copilot-bridge", Version: cfg.Version},
	})
}
