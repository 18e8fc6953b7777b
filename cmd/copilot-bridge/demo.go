package main

import (
	"context"
	"io"

	"github.com/copilot-bridge/copilot-bridge/bridge/clifront"
)

func demoCommand(ctx context.Context, args []string, _ io.Reader, stdout, _ io.Writer) error {
	fs := flags("demo")
	plainText := fs.Bool("no-color", false, "")
	check := fs.String("check", "", "") // the command of the demo, which is this program again
	if _, err := parseAlone(fs, args, stdout, "see copilot-bridge demo --help"); err != nil {
		return err
	}
	if *check != "" {
		return clifront.Check(stdout, *check)
	}
	me, err := self()
	if err != nil {
		return err
	}
	sig := watchSignals(ctx, nil)
	defer sig.Stop()
	err = clifront.Demo(sig.ctx, clifront.DemoOptions{Stdout: stdout, Colour: colour(stdout) && !*plainText, Pace: isTerminal(stdout), Self: me, Check: append(me, "demo", "--check", "invitation.txt")})
	return sig.orError(err)
}
