package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"time"

	"github.com/rs/zerolog"
	"github.com/spf13/cobra"

	"github.com/copilot-bridge/copilot-bridge/acp/copilot"
	"github.com/copilot-bridge/copilot-bridge/bridge"
	"github.com/copilot-bridge/copilot-bridge/bridge/trust"
	"github.com/copilot-bridge/copilot-bridge/internal/escape"
)

// doctorLimit is how long all checks together may take; a first start of Copilot unpacks itself for some seconds.
// The trial of a new version comes on top.
const doctorLimit = 60*time.Second + trust.Limit

func doctorCommand() *cobra.Command {
	var f agentFlags
	var kind kindFlag
	var asJSON, noTrial bool
	cmd := &cobra.Command{
		Use:   "doctor [flags] [-- PROGRAM ARGS…]",
		Short: "check that Copilot is found, signed in and usable",
		Long: "Checks whether Copilot CLI is found, which version it is, how prompts get to it, whether it starts, is signed in and asks before " +
			"it writes, and which editors are here. It says what to fix, and then ends with exit status 1.\n\n" +
			"Where you use a model of your own (COPILOT_PROVIDER_BASE_URL), a version that is new here is tested once: two prompts in an empty folder " +
			"with a scripted model, which cost nothing (docs/troubleshooting.md).",
		Example: "  copilot-bridge doctor",
		RunE: func(cmd *cobra.Command, args []string) error {
			program, err := f.splitAlone(cmd, args)
			if err != nil {
				return err
			}
			if len(program) == 0 {
				program = []string{defaultAgent}
			}
			return examine(cmd, program, bridge.AgentKind(kind), asJSON, !noTrial)
		},
	}
	f.addAgent(cmd)
	kind.add(cmd)
	cmd.Flags().BoolVar(&asJSON, "json", false, "write the report as JSON")
	addNoTrial(cmd, &noTrial)
	return cmd
}

// examine makes the report of doctor.
func examine(cmd *cobra.Command, program []string, kind bridge.AgentKind, asJSON, try bool) error {
	me, err := self()
	if err != nil {
		return err
	}
	stdout := cmd.OutOrStdout()
	sig := watchSignals(cmd.Context(), nil)
	defer sig.Stop()
	dctx, cancel := context.WithTimeout(sig.ctx, doctorLimit)
	defer cancel()
	report := copilot.Inspect(dctx, copilot.InspectConfig{Command: program, Env: os.Environ(), Self: me, Version: version(), Print: kind == bridge.KindTranscript})
	if check, ok := trialCheck(dctx, program, me, report, try && kind != bridge.KindTranscript); ok {
		report.Checks = append(report.Checks, check)
		report.OK = report.OK && check.OK
	}
	if _, err := stateDir(); err != nil { // the bridge works without
		report.Checks = append(report.Checks, copilot.Check{Name: "state", Detail: escape.Inline(err.Error()) + "; nothing is kept"})
		report.OK = false
	}
	if _, err := userSettings(); err != nil { // nothing starts with it
		report.Checks = append(report.Checks, copilot.Check{Name: "config", Detail: escape.Inline(err.Error())})
		report.OK = false
	}
	report.Checks = append(report.Checks, editorCheck())
	if asJSON {
		if err := printJSON(stdout, struct {
			V int `json:"v"`
			copilot.Report
		}{jsonVersion, report}); err != nil {
			return err
		}
	} else {
		printReport(stdout, report, colour(stdout))
	}
	if !report.OK {
		return &exitError{exitFailed}
	}
	return sig.orError(nil)
}

// trialCheck is what is known of the honesty of this version of the agent. One that can be tried and has not been is
// tried now, if that is wanted. ok is false where there is nothing to say.
func trialCheck(ctx context.Context, program, me []string, r copilot.Report, try bool) (c copilot.Check, ok bool) {
	dir, err := stateDir()
	if err != nil || r.Agent == "" {
		return c, false
	}
	number, _ := copilot.ParseVersion(r.Version)
	this := trust.Version{Agent: r.Agent, Quirks: copilot.QuirksOf(number)}
	v, known := trust.Load(dir, this)
	if !v.Tried() && try && trust.CanTry(program, os.Environ(), this.Quirks) {
		fresh, err := trust.Trial{Agent: r.Agent, Command: program, Env: copilot.AgentEnv(os.Environ()), Self: me, Version: version(), Log: zerolog.Nop()}.Run(ctx)
		if err == nil {
			v, known = fresh, true
			err = trust.Keep(dir, v)
		}
		if err != nil && !known {
			return copilot.Check{Name: "trial", OK: true, Detail: err.Error() + "; the first edit is looked at instead"}, true
		}
	}
	switch {
	case !known:
		return copilot.Check{Name: "trial", OK: true, Detail: r.Agent + " has not been tried here; until it has asked once, your project is compared before and after each turn"}, true
	case !v.Passed():
		return copilot.Check{Name: "trial", Detail: v.Sentence(), Fix: "use another version; with this one every change and every command asks, whatever the rules say"}, true
	}
	return copilot.Check{Name: "trial", OK: true, Detail: v.Sentence()}, true
}

// editors are those that copilot-bridge works in, by the program that starts them; how is what it is there, next what to do
// first: a command for the shell, or what to write into the editor's settings.
var editors = []struct{ program, name, how, next string }{
	{"nvim", "Neovim", "plugin copilot-bridge.nvim", "git clone https://github.com/copilot-bridge/copilot-bridge.nvim ~/.local/share/nvim/site/pack/copilot/start/copilot-bridge"},
	{"code", "VS Code", "extension copilot-bridge.copilot-cli-bridge", "code --install-extension copilot-bridge.copilot-cli-bridge"},
	{"zed", "Zed", "agent server `copilot-bridge acp`", "copilot-bridge acp   (an agent server in Zed's settings: docs/editors.md)"},
	{"hx", "Helix", "language server `copilot-bridge lsp`", "copilot-bridge lsp   (a language server in languages.toml: docs/editors.md)"},
	{"kak", "Kakoune", "kakoune-lsp with `copilot-bridge lsp`", "copilot-bridge lsp   (a server of kakoune-lsp: docs/editors.md)"},
	{"subl", "Sublime Text", "LSP package with `copilot-bridge lsp`", "copilot-bridge lsp   (a client of the LSP package: docs/editors.md)"},
	{"emacs", "Emacs", "lsp-mode with `copilot-bridge lsp`", "copilot-bridge lsp   (a client of lsp-mode: docs/editors.md)"},
}

// editorCheck says which editors are here and what to use in each. None is no failure: "prompt" needs none.
func editorCheck() copilot.Check {
	var found []string
	for _, e := range editors {
		if _, err := exec.LookPath(e.program); err == nil {
			found = append(found, e.name+" ("+e.how+")")
		}
	}
	if len(found) == 0 {
		return copilot.Check{Name: "editors", OK: true, Detail: "none found in PATH; docs/editors.md says how to set one up"}
	}
	return copilot.Check{Name: "editors", OK: true, Detail: strings.Join(found, ", ") + "; docs/editors.md says how to set them up"}
}

// printReport shows the checks, each with what to do where it fell short.
func printReport(w io.Writer, r copilot.Report, colours bool) {
	paint := func(code, s string) string {
		if !colours {
			return s
		}
		return "\x1b[" + code + "m" + s + "\x1b[0m"
	}
	const beside = "                  " // mark and name: no line of an agent's begins like a check
	shown := func(text string) string { return strings.ReplaceAll(escape.Text(text), "\n", "\n"+beside) }
	for _, c := range r.Checks {
		mark := paint("32", "ok  ")
		if !c.OK {
			mark = paint("31", "FAIL")
		}
		fmt.Fprintf(w, "%s %-12s %s\n", mark, c.Name, shown(c.Detail))
		if c.Fix != "" {
			fmt.Fprintf(w, "%s%s\n", beside, shown(c.Fix))
		}
	}
}
