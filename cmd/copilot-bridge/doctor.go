package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/copilot-bridge/copilot-bridge/acp/copilot"
	"github.com/copilot-bridge/copilot-bridge/bridge"
	"github.com/copilot-bridge/copilot-bridge/internal/escape"
)

// doctorLimit is how long all checks together may take; a first start of Copilot unpacks itself for some seconds.
const doctorLimit = 60 * time.Second

func doctorCommand(ctx context.Context, args []string, _ io.Reader, stdout, stderr io.Writer) error {
	fs := flags("doctor")
	asJSON := fs.Bool("json", false, "")
	kind := kindFlag(fs)
	plain, program, err := parse(fs, args, stdout)
	if err != nil {
		return err
	}
	if len(plain) > 0 {
		return &usageError{fmt.Sprintf("doctor takes no argument %q", plain[0]), "another agent comes after --"}
	}
	if err := checkKind(*kind); err != nil {
		return err
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
	report := copilot.Inspect(dctx, copilot.InspectConfig{Command: program, Env: os.Environ(), Self: me, Version: version(), Print: bridge.AgentKind(*kind) == bridge.KindTranscript})
	report.Checks = append(report.Checks, editorCheck())
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

// editors are those that docs/editors.md has a set-up for, by the program that starts them.
var editors = []struct{ program, name, how string }{
	{"nvim", "Neovim", "vim.lsp.config, or vim.lsp.start on 0.10"},
	{"hx", "Helix", "languages.toml"},
	{"kak", "Kakoune", "kakoune-lsp"},
	{"subl", "Sublime Text", "its LSP package"},
	{"emacs", "Emacs", "lsp-mode, as an add-on server"},
	{"code", "VS Code", "a generic LSP client extension"},
}

// editorCheck says which editors are here and where their set-up is described. None is no failure: `prompt` needs none.
func editorCheck() copilot.Check {
	var found []string
	for _, e := range editors {
		if _, err := exec.LookPath(e.program); err == nil {
			found = append(found, e.name+" ("+e.how+")")
		}
	}
	if len(found) == 0 {
		return copilot.Check{Name: "editors", OK: true, Detail: "none on PATH; any editor with an LSP client can start `copilot-bridge lsp`, see docs/editors.md"}
	}
	return copilot.Check{Name: "editors", OK: true, Detail: strings.Join(found, ", ") + "; docs/editors.md has what to write"}
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
