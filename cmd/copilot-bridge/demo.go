package main

import (
	"os"
	"os/exec"

	"github.com/spf13/cobra"

	"github.com/copilot-bridge/copilot-bridge/bridge/clifront"
)

func demoCommand() *cobra.Command {
	var noColour, auto bool
	var test string // the command of the demo, which is this program again
	cmd := &cobra.Command{
		Use:   "demo",
		Short: "try a whole turn, without Copilot",
		Long: "Plays a whole turn in a temporary folder, with a built-in scripted agent: it reads a line that you have not saved, asks before it " +
			"edits, and makes a failing test pass. You answer the question, keep one hunk and undo another. It takes less than a minute, needs " +
			"nothing but this program, and leaves nothing behind.\n\n" +
			"Without a terminal, or with --auto, it plays by itself. The file is Go, but you need no Go: this program runs its test.",
		Example: "  copilot-bridge demo",
		Args:    takesNone("see copilot-bridge demo --help"),
		RunE: func(cmd *cobra.Command, _ []string) error {
			stdout := cmd.OutOrStdout()
			if test != "" {
				return clifront.Check(stdout, test)
			}
			me, err := self()
			if err != nil {
				return err
			}
			o := clifront.DemoOptions{
				Stdout: stdout, Colour: colour(stdout) && !noColour, Pace: isTerminal(stdout), Self: me,
				Check: append(me, "demo", "--test", "price.go"), Next: nextSteps(),
			}
			if isTerminal(stdout) {
				o.Size, o.Clear = sizeOf(stdout), os.Getenv("TERM") != "dumb"
				if tty := clifront.OpenTTY(); tty != nil && !auto {
					defer tty.Close()
					o.Keys = tty
				}
			}
			sig := watchSignals(cmd.Context(), nil)
			defer sig.Stop()
			return sig.orError(clifront.Demo(sig.ctx, o))
		},
	}
	cmd.Flags().BoolVar(&auto, "auto", false, "play by itself, without keys")
	cmd.Flags().BoolVar(&noColour, "no-color", false, "do not use colors")
	cmd.Flags().StringVar(&test, "test", "", "")
	_ = cmd.Flags().MarkHidden("test")
	return cmd
}

// nextSteps are what to do after the demo: Copilot CLI itself where it is missing, and one command for each editor that is here, or
// for the terminal where none is.
func nextSteps() (out []clifront.NextStep) {
	if _, err := exec.LookPath(defaultAgent); err != nil {
		out = append(out, clifront.NextStep{For: "Copilot CLI, which is not here yet", Command: "npm install -g @github/copilot"})
	}
	for _, e := range editors {
		if _, err := exec.LookPath(e.program); err == nil {
			out = append(out, clifront.NextStep{For: e.name, Command: e.next})
		}
	}
	return append(out, clifront.NextStep{For: "this terminal", Command: `copilot-bridge prompt "explain this folder"`})
}
