package main

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/copilot-bridge/copilot-bridge/bridge"
	"github.com/copilot-bridge/copilot-bridge/bridge/clifront"
	"github.com/copilot-bridge/copilot-bridge/bridge/review"
)

func reviewCommand() *cobra.Command {
	var f agentFlags
	var kind kindFlag
	var dir string
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "review [SESSION] [-- PROGRAM ARGS…]",
		Short: "keep, undo or comment on pending changes, hunk by hunk",
		Long: "Goes through the hunks that are pending in the current folder, or those of a session in its folder: keep, undo, comment on or leave " +
			"each one. Press ? for the keys. Without a terminal it lists the hunks and your comments. What is pending in an editor that is open is " +
			"reviewed there.\n\n" +
			"s sends all comments to the session as one prompt, each with its place and the lines as they are now. Only then is the agent started. " +
			"Comments that are not sent are kept.",
		Example:           "  copilot-bridge review",
		ValidArgsFunction: completeSession,
		RunE: func(cmd *cobra.Command, args []string) error {
			args, program, err := f.split(cmd, args)
			if err != nil {
				return err
			}
			what := task{}
			switch {
			case len(args) > 1:
				return &usageError{"review takes one session", "see copilot-bridge sessions list"}
			case len(args) > 0:
				what.session = args[0]
			}
			if what.cwd, err = what.folder(dir); err != nil {
				return err
			}
			return reviewPending(cmd, f, kind, program, what, asJSON)
		},
	}
	f.add(cmd)
	kind.add(cmd)
	cmd.Flags().StringVarP(&dir, "dir", "C", "", "review what is pending in `DIR` instead of the current folder")
	cmd.Flags().BoolVar(&asJSON, "json", false, "list the hunks and comments as JSON")
	_ = cmd.MarkFlagDirname("dir")
	return cmd
}

// reviewPending shows what is pending in a folder. The agent is started when comments are sent.
func reviewPending(cmd *cobra.Command, f agentFlags, kind kindFlag, program []string, what task, asJSON bool) error {
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
	cfg, done, err := f.config(program, front.Log())
	if err != nil {
		return err
	}
	defer done()
	cfg.Kind = bridge.AgentKind(kind)
	cfg.Editor, cfg.Folders, cfg.Flush = front, []string{what.cwd}, bridge.FlushDisk
	cfg = f.laidOver(cmd, cfg)
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
	r := clifront.Reviewing{
		Filter: review.Filter{Session: what.session}, Session: what.session, Again: strings.TrimSpace("copilot-bridge review " + what.session),
		Send: func(ctx context.Context, session string) error {
			return what.sendReview(ctx, b, front, session, stderr)
		},
	}
	files := b.Review(sig.ctx, r.Filter)
	comments := slices.DeleteFunc(b.Comments(sig.ctx, ""), func(c review.Comment) bool { return what.session != "" && c.Session != what.session })
	switch {
	case asJSON:
		return printJSON(stdout, map[string]any{"v": jsonVersion, "hunks": pendingJSON(files), "comments": commentsJSON(comments)})
	case len(files) == 0 && len(comments) == 0:
		_, err := fmt.Fprintln(stdout, "Nothing is pending in "+what.cwd+".")
		return err
	case keys == nil:
		front.List(sig.ctx, b, r)
		return nil
	}
	return sig.orError(front.Review(sig.ctx, b, r))
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

// commentLine is a comment that is not sent, in JSON; lines count from 1, EndLine is the last.
type commentLine struct {
	ID      string `json:"id"`
	Session string `json:"sessionId,omitzero"`
	Hunk    string `json:"hunkId,omitzero"`
	Path    string `json:"path"`
	Line    int    `json:"line"`
	EndLine int    `json:"endLine"`
	Quoted  string `json:"quoted"`
	Text    string `json:"text"`
}

func commentsJSON(list []review.Comment) []commentLine {
	out := []commentLine{}
	for _, c := range list {
		out = append(out, commentLine{c.ID, c.Session, c.Hunk, c.Path, c.StartLine + 1, c.EndLine, c.Quoted, c.Text})
	}
	return out
}
