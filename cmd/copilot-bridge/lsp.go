package main

import (
	"github.com/spf13/cobra"

	"github.com/copilot-bridge/copilot-bridge/bridge/lspfront"
)

// lspFlags are those of "lsp", which an editor may also start without the word.
type lspFlags struct {
	agentFlags
	lend bool
}

func lspCommand() *cobra.Command {
	var f lspFlags
	cmd := &cobra.Command{
		Use:   "lsp [flags] [-- PROGRAM ARGS…]",
		Short: "serve an editor that speaks LSP",
		Long: "Serves an editor as a language server: LSP 3.18, the Language Server Protocol, on stdin and stdout. Your editor starts it; docs/editors.md says how.\n\n" +
			"With --lend-buffers a \"copilot-bridge acp --borrow-buffers\" in the same workspace reads and writes what is open here, unsaved text " +
			"included, and asks this editor's language servers (docs/editors.md).",
		Example: "  copilot-bridge lsp --log /tmp/bridge.log",
		RunE:    func(cmd *cobra.Command, args []string) error { return serveLSP(cmd, args, f) },
	}
	f.add(cmd)
	cmd.Flags().BoolVar(&f.lend, "lend-buffers", false, "share open files with an ACP editor in the same workspace")
	return cmd
}

func serveLSP(cmd *cobra.Command, args []string, f lspFlags) error {
	program, err := f.splitAlone(cmd, args)
	if err != nil {
		return err
	}
	cfg, done, err := f.config(program, cmd.ErrOrStderr())
	if err != nil {
		return err
	}
	defer done()
	sig := watchSignals(cmd.Context(), nil)
	defer sig.Stop()
	stream := newStdio(cmd.InOrStdin(), cmd.OutOrStdout())
	err = lspfront.Serve(sig.ctx, lspfront.Options{Log: cfg.Log, Version: cfg.Version, Bridge: cfg, File: f.file, Lend: f.lend}, stream, stream, stream)
	return sig.orError(err)
}
