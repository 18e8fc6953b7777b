package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/copilot-bridge/copilot-bridge/acp/copilot"
	"github.com/copilot-bridge/copilot-bridge/internal/escape"
)

// doctorLimit is how long all checks together may take; a first start of Copilot unpacks itself for some seconds.
const doctorLimit = 60 * time.Second

func doctorCommand(ctx context.Context, args []string, _ io.Reader, stdout, stderr io.Writer) error {
	fs := flags("doctor")
	asJSON := fs.Bool("json", false, "")
	plain, program, err := parse(fs, args, stdout)
	if err != nil {
		return err
	}
	if len(plain) > 0 {
		return &usageError{fmt.Sprintf("doctor takes no argument %q", plain[0]), "another agent comes after --"}
	}
	if len(program) == 0 {
		program = []string{"copilot"}
	}
	me, err := self()
	if err != nil {
		return err
	}
	sig := watchSignals(ctx, nil)
	defer sig.Stop()
	dctx, cancel := context.WithTimeout(sig.ctx, doctorLimit)
	defer cancel()
	report := copilot.Inspect(dctx, copilot.InspectConfig{Command: program, Env: os.Environ(), Self: me, Version: version()})
	if *asJSON {
		b, err := json.Marshal(report, jsontext.WithIndent("  "), json.Deterministic(true))
		if err != nil {
			return err
		}
		fmt.Fprintf(stdout, "%s\n", b)
	} else {
		printReport(stdout, report, colour(stdout))
	}
	if !report.OK {
		return &exitError{exitFailed}
	}
	return sig.orError(nil)
}

// printReport shows the checks, each with what to do where it fell short.
func printReport(w io.Writer, r copilot.Report, colours bool) {
	paint := func(code, s string) string {
		if !colours {
			return s
		}
		return "\x1b[" + code + "m" + s + "\x1b[0m"
	}
	for _, c := range r.Checks {
		mark := paint("32", "ok  ")
		if !c.OK {
			mark = paint("31", "FAIL")
		}
		fmt.Fprintf(w, "%s %-12s %s\n", mark, c.Name, escape.Text(c.Detail))
		if c.Fix != "" {
			fmt.Fprintf(w, "     %-12s %s\n", "", escape.Text(c.Fix))
		}
	}
}
