package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"

	"github.com/spf13/cobra"

	"github.com/copilot-bridge/copilot-bridge/acp"
	"github.com/copilot-bridge/copilot-bridge/bridge"
	"github.com/copilot-bridge/copilot-bridge/bridge/clifront"
	"github.com/copilot-bridge/copilot-bridge/bridge/policy"
	"github.com/copilot-bridge/copilot-bridge/bridge/review"
	"github.com/copilot-bridge/copilot-bridge/bridge/tools"
	"github.com/copilot-bridge/copilot-bridge/internal/escape"
)

// maxPrompt bounds a prompt read from stdin.
const maxPrompt = 8 << 20

// promptFlags are those of "prompt".
type promptFlags struct {
	agentFlags
	task
	dir     string
	kind    kindFlag
	level   levelFlag
	yes, no bool
	json    bool
}

func promptCommand() *cobra.Command {
	var f promptFlags
	cmd := &cobra.Command{
		Use:   "prompt [flags] TEXT [-- PROGRAM ARGS…]",
		Short: "run one turn with Copilot in this terminal",
		Long: "Runs one turn. The answer goes to stdout; tool calls, diffs and questions go to stderr. Answer questions with single keys, or use --yes " +
			"or --no; without a terminal and without either the answer is no, and the exit status 3. At the end you keep or undo the changes, hunk by " +
			"hunk. Ctrl-C cancels the turn; a second one ends the program.\n\n" +
			"A TEXT of - reads the prompt from stdin. docs/cli.md says what --json writes. There is no editor here, so the agent has no language servers to ask.",
		Example: "  copilot-bridge prompt -C ~/src/app --no \"what does main.go do?\"",
		RunE:    f.run,
	}
	f.add(cmd)
	f.kind.add(cmd)
	f.level.add(cmd)
	flags := cmd.Flags()
	flags.StringVarP(&f.dir, "dir", "C", "", "work in `DIR` instead of the current folder")
	flags.BoolVar(&f.yes, "yes", false, "answer every question with yes")
	flags.BoolVar(&f.no, "no", false, "answer every question with no")
	flags.StringVar(&f.session, "session", "", "continue the session `ID`, in its folder unless -C names another (see copilot-bridge sessions)")
	flags.BoolVar(&f.again, "again", false, "send the prompt again that the session lost when the agent or copilot-bridge ended")
	flags.StringVar(&f.mode, "mode", "", "work in the agent's mode `NAME`: plan, agent, …")
	flags.BoolVar(&f.leave, "leave", false, "leave plan mode, autopilot and allow_all first")
	flags.BoolVar(&f.json, "json", false, "write events to stdout, one JSON object a line")
	_ = cmd.MarkFlagDirname("dir")
	_ = cmd.RegisterFlagCompletionFunc("session", func(cmd *cobra.Command, _ []string, word string) ([]cobra.Completion, cobra.ShellCompDirective) {
		return completeSession(cmd, nil, word)
	})
	return cmd
}

func (f *promptFlags) run(cmd *cobra.Command, args []string) error {
	stdout, stderr := cmd.OutOrStdout(), cmd.ErrOrStderr()
	plain, program, err := f.split(cmd, args)
	if err != nil {
		return err
	}
	if f.yes && f.no {
		return &usageError{"--yes and --no exclude each other", "choose one, or neither to be asked"}
	}
	switch {
	case f.again && (f.session == "" || len(plain) > 0):
		return &usageError{"--again sends the lost prompt of a session", "name the session with --session ID and leave the prompt out"}
	case !f.again:
		if f.text, err = promptText(plain, cmd.InOrStdin()); err != nil {
			return err
		}
	}
	if f.cwd, err = f.folder(f.dir); err != nil {
		return err
	}
	answers := clifront.AskKeys
	var keys clifront.Keys
	switch {
	case f.yes:
		answers = clifront.Yes
	case f.no:
		answers = clifront.No
	default:
		if !isTerminal(stderr) {
			break
		}
		if tty := clifront.OpenTTY(); tty != nil {
			defer tty.Close()
			keys = tty
		}
	}
	front := clifront.New(clifront.Options{Stdout: stdout, Stderr: stderr, Keys: keys, Policy: answers, JSON: f.json, Colour: colour(stderr), Cwd: f.cwd,
		Shared: isTerminal(stdout), Size: sizeOf(stderr)})
	cfg, done, err := f.config(program, front.Log())
	if err != nil {
		return err
	}
	defer done()
	f.reviews = keys != nil && !f.json
	cfg.Kind = bridge.AgentKind(f.kind)
	f.task.level = policy.Level(f.level)
	cfg.Editor, cfg.Folders, cfg.Flush = front, []string{f.cwd}, bridge.FlushDisk
	cfg = f.laidOver(cmd, cfg)
	return runPrompt(cmd.Context(), cfg, front, f.task, stderr)
}

// task is what a turn is about.
type task struct {
	cwd     string
	text    string
	session string       // "" for a new one
	again   bool         // the prompt that the session has lost, not text
	mode    string       // the mode to work in, "" for the one that it is in
	level   policy.Level // how much is asked, "" for the session's
	leave   bool         // plan mode, autopilot and allow_all are left first
	reviews bool         // the user goes through the hunks at the end; otherwise they are kept
}

// folder is where the turn works: dir, else the folder of the session, if that is still there, else the current one.
func (t *task) folder(dir string) (string, error) {
	if t.session != "" {
		state, err := stateDir()
		if err != nil {
			return "", err
		}
		i, err := bridge.OpenArchive(state, os.Environ()).Find(t.session)
		if err != nil {
			return "", err
		}
		if fi, err := os.Stat(i.Cwd); dir == "" && err == nil && fi.IsDir() {
			return i.Cwd, nil
		}
	}
	dir, err := filepath.Abs(dir)
	if err != nil {
		return "", err
	}
	if fi, err := os.Stat(dir); err != nil || !fi.IsDir() {
		return "", &hintedError{"there is no folder " + dir, "name another with -C"}
	}
	return dir, nil
}

// open makes the session, or loads it.
func (t *task) open(ctx context.Context, b *bridge.Bridge) (bridge.Info, error) {
	if t.session == "" {
		return b.NewSession(ctx, bridge.NewSessionRequest{Cwd: t.cwd})
	}
	return b.LoadSession(ctx, t.session, t.cwd)
}

// prepare puts the session into the mode that is wanted and says what is on in it, with the way out.
func (t *task) prepare(ctx context.Context, b *bridge.Bridge, session string, stderr io.Writer) error {
	if t.leave {
		if _, err := b.LeaveSpecialMode(ctx, session, ""); err != nil {
			return err
		}
	}
	s, err := b.Session(session)
	if err != nil {
		return err
	}
	if t.level != "" {
		if _, err := b.SetLevel(session, t.level); err != nil {
			return err
		}
	}
	if t.mode != "" {
		id, ok := s.Snapshot().FindMode(t.mode)
		if !ok {
			return &usageError{fmt.Sprintf("the agent has no mode %q", t.mode), modesOf(s.Snapshot())}
		}
		if err := b.SetMode(ctx, session, id); err != nil {
			return err
		}
	}
	for _, st := range s.Snapshot().SpecialModes() {
		fmt.Fprintf(stderr, "%s; --leave switches it off\n", escape.Inline(st.Sentence()))
	}
	return nil
}

// modesOf are the words for a session's modes.
func modesOf(i bridge.Info) string {
	if i.Modes == nil || len(i.Modes.AvailableModes) == 0 {
		return "it has none"
	}
	var names []string
	for _, m := range i.Modes.AvailableModes {
		names = append(names, escape.Inline(m.Name))
	}
	return "one of " + strings.Join(names, ", ")
}

// send sends the prompt.
func (t *task) send(b *bridge.Bridge, session string) (bridge.Turn, error) {
	if t.again {
		return b.SendAgain(session, "")
	}
	return b.Prompt(session, []acp.ContentBlock{acp.Text(t.text)}, nil)
}

// sendReview makes the comments that wait for a session the prompt of a turn, and shows it until it ends. A session that is not open
// is loaded first.
func (t *task) sendReview(ctx context.Context, b *bridge.Bridge, front *clifront.Front, session string, stderr io.Writer) error {
	sayable := func(err error) error { // in the words of the command line
		what, hint := explain(err)
		return &bridge.Error{Message: what, Hint: hint}
	}
	if _, err := b.Session(session); err != nil {
		if _, err := b.LoadSession(ctx, session, t.cwd); err != nil {
			return sayable(err)
		}
		if err := (&task{}).prepare(ctx, b, session, stderr); err != nil {
			return sayable(err)
		}
	}
	turn, err := b.SendReview(ctx, session, "")
	if err != nil {
		return sayable(err)
	}
	defer context.AfterFunc(ctx, func() { _ = b.Cancel(session, bridge.Cancellation{Turn: turn.ID}) })()
	_, err = front.Wait(context.WithoutCancel(ctx), turn.ID) // how it failed is shown by the front
	return err
}

func promptText(plain []string, stdin io.Reader) (string, error) {
	words := make([]string, len(plain))
	for i, w := range plain {
		words[i] = strings.TrimPrefix(w, shield)
	}
	text := strings.Join(words, " ")
	if text == "-" {
		b, err := io.ReadAll(io.LimitReader(stdin, maxPrompt+1))
		if err != nil {
			return "", fmt.Errorf("read the prompt: %w", err)
		}
		if len(b) > maxPrompt {
			return "", &hintedError{fmt.Sprintf("the prompt is longer than %d bytes", maxPrompt), "put it into a file and name the file"}
		}
		text = string(b)
	}
	if strings.TrimSpace(text) == "" {
		return "", &usageError{"there is no prompt", `write it after the flags: copilot-bridge prompt "fix the failing test"`}
	}
	return text, nil
}

// config is what all commands that start an agent have in common; program is its command, nil for Copilot. done releases what it
// opened.
func (f *agentFlags) config(program []string, stderr io.Writer) (cfg bridge.Config, done func(), err error) {
	if f.file, err = userSettings(); err != nil {
		return cfg, nil, err
	}
	log, closeLog, err := logger(f.log, stderr)
	if err != nil {
		return cfg, nil, err
	}
	state, unsaved := stateDir() // what goes on without one is told once, by the bridge
	me, err := self()
	if err != nil {
		closeLog()
		return cfg, nil, err
	}
	rec, err := openRecord(f.record, os.Environ(), stderr)
	if err != nil {
		closeLog()
		return cfg, nil, err
	}
	if len(program) == 0 {
		program = []string{defaultAgent}
	} else {
		f.file = f.file.Without("agent.command")
	}
	cfg = bridge.Config{
		Log: log, Version: version(), Command: program, Env: os.Environ(), Kind: bridge.KindAuto,
		Tools: tools.ToolSet{Files: true, Shell: true, Diagnostics: true, Ask: true}, Gets: bridge.AgentGets(f.gets),
		StateDir: state, ConfigDir: f.file.Folder, Unsaved: unsaved, Self: me, Tap: rec.tap(),
	}
	return cfg, func() { rec.close(); closeLog() }, nil
}

// runPrompt runs one turn and goes through its hunks.
func runPrompt(ctx context.Context, cfg bridge.Config, front *clifront.Front, what task, stderr io.Writer) error {
	b, err := bridge.New(cfg)
	if err != nil {
		return err
	}
	var interrupted atomic.Bool // Ctrl-C: the first one cancels the turn, the second one ends the program
	turnCtx, cancelTurn := context.WithCancel(ctx)
	defer cancelTurn()
	sig := watchSignals(ctx, func() bool {
		first := interrupted.CompareAndSwap(false, true)
		if first {
			fmt.Fprintln(stderr, "cancelling; Ctrl-C again ends at once")
			cancelTurn()
		}
		return first
	})
	defer sig.Stop()
	defer context.AfterFunc(sig.ctx, cancelTurn)()
	defer func() {
		ctx, cancel := context.WithTimeout(context.Background(), closeLimit)
		defer cancel()
		b.Close(ctx)
	}()
	s, err := what.open(turnCtx, b)
	if interrupted.Load() {
		return &exitError{interruptStatus}
	}
	if err != nil {
		return sig.orError(err)
	}
	if err := what.prepare(turnCtx, b, s.ID, stderr); err != nil {
		return sig.orError(err)
	}
	turn, err := what.send(b, s.ID)
	if err != nil {
		return err
	}
	defer context.AfterFunc(turnCtx, func() { _ = b.Cancel(s.ID, bridge.Cancellation{Turn: turn.ID}) })()
	// A cancelled turn is waited for: what the agent did up to then is still told. A second signal ends that.
	end, err := front.Wait(context.WithoutCancel(ctx), turn.ID)
	if err != nil {
		return sig.orError(err)
	}
	switch {
	case interrupted.Load():
		return &exitError{interruptStatus}
	case sig.ctx.Err() != nil:
		return sig.orError(nil)
	case end.Err != nil:
		return &exitError{exitFailed} // shown by the front
	case end.StopReason == acp.StopReasonCancelled:
		return errors.New("the turn was cancelled")
	}
	if !what.reviews {
		b.Keep(review.Selector{Turn: turn.ID})
	} else if err := front.Review(sig.ctx, b, clifront.Reviewing{
		Filter: review.Filter{Turn: turn.ID}, Session: s.ID, Again: "copilot-bridge review " + s.ID,
		Send: func(_ context.Context, session string) error {
			return what.sendReview(turnCtx, b, front, session, stderr)
		}, // Ctrl-C ends that turn
	}); err != nil {
		return sig.orError(err)
	}
	if front.Unasked() {
		return &exitError{exitUnasked}
	}
	return nil
}
