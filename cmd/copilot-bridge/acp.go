package main

import (
	"context"
	"fmt"
	"io"
	"os"

	"github.com/copilot-bridge/copilot-bridge/bridge/acpfront"
	"github.com/copilot-bridge/copilot-bridge/bridge/lend"
	"github.com/copilot-bridge/copilot-bridge/bridge/policy"
	"github.com/copilot-bridge/copilot-bridge/bridge/tools"
	"github.com/copilot-bridge/copilot-bridge/internal/durable"
)

// readRules reads permission rules, an array in a file (docs/dev/protocol.md).
func readRules(path string) ([]policy.Rule, error) {
	raw, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("read the permission rules: %w", err)
	}
	home, _ := os.UserHomeDir() // without one all of the way is looked at
	if err := durable.Trusted(path, home); err != nil {
		return nil, fmt.Errorf("the permission rules %s are not believed: %w", path, err)
	}
	rules, err := policy.ParseRules(raw)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return rules, nil
}

// acpCommand serves an editor that speaks ACP.
func acpCommand(ctx context.Context, args []string, stdin io.Reader, stdout, stderr io.Writer) error {
	fs := flags("acp")
	record := fs.String("record", "", "")
	logTo := fs.String("log", "", "")
	borrows := fs.Bool("borrow-buffers", false, "")
	rules := fs.String("rules", "", "")
	kind := kindFlag(fs)
	noTrial := fs.Bool("no-trial", false, "")
	program, err := parseAlone(fs, args, stdout, "another agent comes after --")
	if err != nil {
		return err
	}
	cfg, done, err := agentConfig(program, *record, *logTo, stderr)
	if err != nil {
		return err
	}
	defer done()
	cfg.Trials, cfg.Kind = !*noTrial, *kind
	if *rules != "" {
		if cfg.Rules, err = readRules(*rules); err != nil {
			return err
		}
	}
	opts := acpfront.Options{Log: cfg.Log, Bridge: cfg}
	if *borrows {
		opts.Borrow = lend.NewBorrower(cfg.StateDir)
		opts.Bridge.Tools.Language = tools.AllLanguage
	}
	sig := watchSignals(ctx, nil)
	defer sig.Stop()
	err = acpfront.Serve(sig.ctx, opts, newStdio(stdin, pollableOut(stdout)))
	return sig.orError(err)
}
