package main

import (
	"context"
	"fmt"
	"io"

	"github.com/copilot-bridge/copilot-bridge/bridge/acpfront"
)

// faceACP serves an editor that speaks ACP.
func faceACP(ctx context.Context, args []string, stdin io.Reader, stdout, stderr io.Writer) error {
	fs := flags("acp")
	record := fs.String("record", "", "")
	logTo := fs.String("log", "", "")
	plain, program, err := parse(fs, args, stdout)
	if err != nil {
		return err
	}
	if len(plain) > 0 {
		return &usageError{fmt.Sprintf("acp takes no argument %q", plain[0]), "another agent comes after --"}
	}
	cfg, done, err := agentConfig(program, *record, *logTo, stderr)
	if err != nil {
		return err
	}
	defer done()
	sig := watchSignals(ctx, nil)
	defer sig.Stop()
	err = acpfront.Serve(sig.ctx, acpfront.Options{Log: cfg.Log, Bridge: cfg}, newStdio(stdin, pollableOut(stdout)))
	return sig.orError(err)
}
