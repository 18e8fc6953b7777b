package main

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/copilot-bridge/copilot-bridge/bridge"
	"github.com/copilot-bridge/copilot-bridge/bridge/clifront"
	"github.com/copilot-bridge/copilot-bridge/bridge/review"
)

func reviewCommand() *cobra.Command {
	var f agentFlags
	var dir string
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "review [SESSION]",
		Short: "keep or undo pending changes, hunk by hunk",
		Long: "Goes through the hunks that are pending in the current folder, or those of a session in its folder: keep, undo or leave each one. " +
			"Without a terminal it lists them. What is pending in an editor that is open is reviewed there.",
		Example: "  copilot-bridge review",
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) > 1 {
				return &usageError{"review takes one session", "see copilot-bridge sessions list"}
			}
			return nil
		},
		ValidArgsFunction: completeSession,
		RunE: func(cmd *cobra.Command, args []string) error {
			what := task{}
			if len(args) > 0 {
				what.session = args[0]
			}
			var err error
			if what.cwd, err = what.folder(dir); err != nil {
				return err
			}
			return reviewPending(cmd, f, what, asJSON)
		},
	}
	f.addLog(cmd)
	cmd.Flags().StringVarP(&dir, "dir", "C", "", "review what is pending in `DIR` instead of the current folder")
	cmd.Flags().BoolVar(&asJSON, "json", false, "list the hunks as JSON")
	_ = cmd.MarkFlagDirname("dir")
	return cmd
}

// reviewPending shows what is pending in a folder. It starts no agent.
func reviewPending(cmd *cobra.Command, f agentFlags, what task, asJSON bool) error {
	stdout, stderr := cmd.OutOrStdout(), cmd.ErrOrStderr()
	var keys clifront.Keys
	if isTerminal(stdout) && isTerminal(stderr) && !asJSON {
		if tty := clifront.OpenTTY(); tty != nil {
			defer tty.Close()
			keys = tty
		}
	}
	// What is listed is the output here, so there is no second stream.
	front := clifront.New(clifront.Options{Stdout: stdout, Stderr: stdout, Keys: keys, Colour: colour(stdout), Cwd: what.cwd, Shared: isTerminal(stdout), Size: sizeOf(stdout)})
	cfg, done, err := f.config(nil, front.Log())
	if err != nil {
		return err
	}
	defer done()
	cfg.Editor, cfg.Folders, cfg.Flush = front, []string{what.cwd}, bridge.FlushDisk
	sig := watchSignals(cmd.Context(), nil)
	defer sig.Stop()
	b, err := bridge.New(cfg)
	if err != nil {
		return err
	}
	defer func() {
		ctx, cancel := context.WithTimeout(context.Background(), closeLimit)
		defer cancel()
		b.Close(ctx)
	}()
	filter := review.Filter{Session: what.session}
	files := b.Review(sig.ctx, filter)
	switch {
	case asJSON:
		return printDocument(stdout, "hunks", pendingJSON(files))
	case len(files) == 0:
		_, err := fmt.Fprintln(stdout, "Nothing is pending in "+what.cwd+".")
		return err
	case keys == nil:
		front.List(sig.ctx, b, filter)
		return nil
	}
	again := "copilot-bridge review"
	if what.session != "" {
		again += " " + what.session
	}
	return sig.orError(front.Review(sig.ctx, b, filter, again))
}

// hunkLine is a pending hunk in JSON; lines count from 1.
type hunkLine struct {
	ID      string `json:"id"`
	Session string `json:"sessionId"`
	Turn    string `json:"turnId"`
	Path    string `json:"path"`
	Line    int    `json:"line"`
	OldText string `json:"oldText"`
	NewText string `json:"newText"`
}

func pendingJSON(files []review.File) []hunkLine {
	out := []hunkLine{}
	for _, f := range files {
		for _, h := range f.Hunks {
			out = append(out, hunkLine{h.ID, h.Session, h.Turn, f.Path, h.StartLine + 1, h.OldText, h.NewText})
		}
	}
	return out
}
