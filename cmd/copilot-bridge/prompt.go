package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"

	"github.com/copilot-bridge/copilot-bridge/acp"
	"github.com/copilot-bridge/copilot-bridge/bridge"
	"github.com/copilot-bridge/copilot-bridge/bridge/clifront"
	"github.com/copilot-bridge/copilot-bridge/bridge/tools"
	"github.com/copilot-bridge/copilot-bridge/internal/escape"
)

// maxPrompt bounds a prompt read from stdin.
const maxPrompt = 8 << 20

func promptCommand(ctx context.Context, args []string, stdin io.Reader, stdout, stderr io.Writer) error {
	fs := flags("prompt")
	dir := fs.String("C", "", "")
	yes, no := fs.Bool("yes", false, ""), fs.Bool("no", false, "")
	asJSON := fs.Bool("json", false, "")
	kind := kindFlag(fs)
	record := fs.String("record", "", "")
	logTo := fs.String("log", "", "")
	mode, leave := fs.String("mode", "", ""), fs.Bool("leave", false, "")
	session, again := fs.String("session", "", ""), fs.Bool("again", false, "")
	plain, program, err := parse(fs, args, stdout)
	if err != nil {
		return err
	}
	if *yes && *no {
		return &usageError{"--yes and --no exclude each other", "choose one, or neither to be asked"}
	}
	what := task{session: *session, again: *again, mode: *mode, leave: *leave}
	switch {
	case *again && (*session == "" || len(plain) > 0):
		return &usageError{"--again sends the lost prompt of a session", "name the session with --session ID and leave the prompt out"}
	case !*again:
		if what.text, err = promptText(plain, stdin); err != nil {
			return err
		}
	}
	if what.cwd, err = what.folder(*dir); err != nil {
		return err
	}
	policy := clifront.AskKeys
	var keys clifront.Keys
	switch {
	case *yes:
		policy = clifront.Yes
	case *no:
		policy = clifront.No
	default:
		if !isTerminal(stderr) {
			break
		}
		if tty := clifront.OpenTTY(); tty != nil {
			defer tty.Close()
			keys = tty
		}
	}
	front := clifront.New(clifront.Options{Stdout: stdout, Stderr: stderr, Keys: keys, Policy: policy, JSON: *asJSON, Colour: colour(stderr), Cwd: what.cwd,
		Shared: isTerminal(stdout), Size: sizeOf(stderr)})
	cfg, done, err := agentConfig(program, *record, *logTo, front.Log())
	if err != nil {
		return err
	}
	defer done()
	cfg.Kind = *kind
	cfg.Editor, cfg.Folders, cfg.Flush = front, []string{what.cwd}, bridge.FlushDisk
	return runPrompt(ctx, cfg, front, what, stderr)
}

// task is what a turn is about.
type task struct {
	cwd     string
	text    string
	session string // "" for a new one
	again   bool   // the prompt that the session has lost, not text
	mode    string // the mode to work in, "" for the one that it is in
	leave   bool   // plan mode, autopilot and allow_all are left first
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
	return filepath.Abs(dir)
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

// kindFlag says how to talk to the agent, as the setting agent.kind does.
func kindFlag(fs *flag.FlagSet) *bridge.AgentKind {
	kind := bridge.KindAuto
	fs.Func("kind", "", func(word string) error {
		switch kind = bridge.AgentKind(word); kind {
		case bridge.KindAuto, bridge.KindCopilot, bridge.KindACP, bridge.KindTranscript:
			return nil
		}
		return errors.New("it is one of auto, copilot, acp, transcript")
	})
	return &kind
}

func promptText(plain []string, stdin io.Reader) (string, error) {
	text := strings.Join(plain, " ")
	if text == "-" {
		b, err := io.ReadAll(io.LimitReader(stdin, maxPrompt+1))
		if err != nil {
			return "", fmt.Errorf("read the prompt: %w", err)
		}
		if len(b) > maxPrompt {
			return "", fmt.Errorf("the prompt is longer than %d bytes; put it into a file and name the file", maxPrompt)
		}
		text = string(b)
	}
	if strings.TrimSpace(text) == "" {
		return "", &usageError{"there is no prompt", `write it after the flags: copilot-bridge prompt "fix the failing test"`}
	}
	return text, nil
}

// agentConfig is what all commands that start an agent have in common. done releases what it opened.
func agentConfig(program []string, record, logTo string, stderr io.Writer) (cfg bridge.Config, done func(), err error) {
	log, closeLog, err := logger(logTo, stderr)
	if err != nil {
		return cfg, nil, err
	}
	state, unsaved := stateDir() // what goes on without one is told once, by the bridge
	me, err := self()
	if err != nil {
		closeLog()
		return cfg, nil, err
	}
	rec, err := openRecord(record, os.Environ(), stderr)
	if err != nil {
		closeLog()
		return cfg, nil, err
	}
	if len(program) == 0 {
		program = []string{"copilot"}
	}
	cfg = bridge.Config{
		Log: log, Version: version(), Command: program, Env: os.Environ(), Kind: bridge.KindAuto,
		Tools: tools.ToolSet{Files: true, Shell: true, Diagnostics: true}, StateDir: state, Unsaved: unsaved, Self: me, Tap: rec.tap(),
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
	return front.Review(sig.ctx, b, turn.ID)
}
