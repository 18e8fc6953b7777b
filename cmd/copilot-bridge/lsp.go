package main

import (
	"context"
	"io"

	"github.com/copilot-bridge/copilot-bridge/bridge/lspfront"
)

// lspCommand serves an editor that speaks LSP.
func lspCommand(ctx context.Context, args []string, stdin io.Reader, stdout, stderr io.Writer) error {
	fs := flags("lsp")
	record := fs.String("record", "", "")
	logTo := fs.String("log", "", "")
	lends := fs.Bool("lend-buffers", false, "")
	program, err := parseAlone(fs, args, stdout, "another agent comes after --")
	if err != nil {
		return err
	}
	cfg, done, err := agentConfig(program, *record, *logTo, stderr)
	if err != nil {
		return err
	}
	defer done()
	sig := watchSignals(ctx, nil)
	defer sig.Stop()
	stream := newStdio(stdin, stdout)
	err = lspfront.Serve(sig.ctx, lspfront.Options{Log: cfg.Log, Version: cfg.Version, Bridge: cfg, Lend: *lends}, stream, stream, stream)
	return sig.orError(err)
}
