package main

import (
	"github.com/spf13/cobra"

	"github.com/copilot-bridge/copilot-bridge/bridge/clifront"
)

func demoCommand() *cobra.Command {
	var noColour bool
	var check string // the command of the demo, which is this program again
	cmd := &cobra.Command{
		Use:   "demo",
		Short: "watch a whole turn, without Copilot",
		Long: "Shows a whole turn with a built-in scripted agent in a temporary folder: the agent reads a line that is not saved, asks before it " +
			"edits, runs a command, and you undo one of its hunks. It needs nothing but this program.",
		Example: "  copilot-bridge demo",
		Args:    takesNone("see copilot-bridge demo --help"),
		RunE: func(cmd *cobra.Command, _ []string) error {
			stdout := cmd.OutOrStdout()
			if check != "" {
				return clifront.Check(stdout, check)
			}
			me, err := self()
			if err != nil {
				return err
			}
			sig := watchSignals(cmd.Context(), nil)
			defer sig.Stop()
			err = clifront.Demo(sig.ctx, clifront.DemoOptions{Stdout: stdout, Colour: colour(stdout) && !noColour, Pace: isTerminal(stdout), Self: me, Check: append(me, "demo", "--check", "invitation.txt")})
			return sig.orError(err)
		},
	}
	cmd.Flags().BoolVar(&noColour, "no-color", false, "do not use colors")
	cmd.Flags().StringVar(&check, "check", "", "")
	_ = cmd.Flags().MarkHidden("check")
	return cmd
}
