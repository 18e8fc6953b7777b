package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/copilot-bridge/copilot-bridge/bridge"
	"github.com/copilot-bridge/copilot-bridge/bridge/acpfront"
	"github.com/copilot-bridge/copilot-bridge/bridge/lend"
	"github.com/copilot-bridge/copilot-bridge/bridge/policy"
	"github.com/copilot-bridge/copilot-bridge/bridge/tools"
	"github.com/copilot-bridge/copilot-bridge/internal/durable"
)

// useRules has a bridge use the permission rules in a file, an array (docs/dev/protocol.md), and watch over the file.
func useRules(cfg *bridge.Config, path string) error {
	raw, err := os.ReadFile(path)
	if err != nil {
		return fmt.Errorf("read the permission rules: %w", err)
	}
	home, _ := os.UserHomeDir() // without one all of the way is looked at
	if err := durable.Trusted(path, home); err != nil {
		return fmt.Errorf("the permission rules %s are not used: %w", path, err)
	}
	if cfg.RulesFile, err = filepath.Abs(path); err != nil {
		return fmt.Errorf("find the permission rules: %w", err)
	}
	cfg.Rules, err = policy.ParseRules(raw)
	var wrong *policy.RuleError
	if errors.As(err, &wrong) {
		line, column := wrong.In(raw)
		return fmt.Errorf("%s:%d:%d: %w", path, line, column, wrong)
	}
	return err
}

func acpCommand() *cobra.Command {
	var f agentFlags
	var kind kindFlag
	var rules string
	var borrows, noTrial, signIn bool
	cmd := &cobra.Command{
		Use:   "acp [flags] [-- PROGRAM ARGS…]",
		Short: "serve an editor that speaks ACP",
		Long: "Serves an editor as an agent: ACP v1, the Agent Client Protocol, on stdin and stdout. Your editor starts it; docs/editors.md says how. Messages that " +
			"copilot-bridge does not know pass unchanged; docs/dev/acp.md says what it adds.",
		Example: "  copilot-bridge acp --log /tmp/bridge.log",
		RunE: func(cmd *cobra.Command, args []string) error {
			if last := len(args) - 1; last >= 0 && cmd.ArgsLenAtDash() >= 0 && args[last] == acpfront.LoginFlag {
				args, signIn = args[:last], true
			}
			if signIn && len(args) == cmd.ArgsLenAtDash() {
				return login(cmd, nil)
			}
			program, err := f.splitAlone(cmd, args)
			if err != nil {
				return err
			}
			if signIn {
				return login(cmd, program)
			}
			cfg, done, err := f.config(program, cmd.ErrOrStderr())
			if err != nil {
				return err
			}
			defer done()
			cfg.Trials, cfg.Kind = true, bridge.AgentKind(kind)
			cfg = f.laidOver(cmd, cfg)
			cfg.Trials = cfg.Trials && !noTrial
			if rules != "" {
				if err := useRules(&cfg, rules); err != nil {
					return err
				}
			}
			opts := acpfront.Options{Log: cfg.Log, Bridge: cfg}
			if borrows {
				opts.Borrow = lend.NewBorrower(cfg.StateDir)
				opts.Bridge.Tools.Language = tools.AllLanguage
			}
			sig := watchSignals(cmd.Context(), nil)
			defer sig.Stop()
			return sig.orError(acpfront.Serve(sig.ctx, opts, newStdio(cmd.InOrStdin(), pollableOut(cmd.OutOrStdout()))))
		},
	}
	f.add(cmd)
	kind.add(cmd)
	cmd.Flags().StringVar(&rules, "rules", "", "read permission rules, a JSON array, from `FILE` (docs/dev/protocol.md)")
	cmd.Flags().BoolVar(&borrows, "borrow-buffers", false, "read and write what \"copilot-bridge lsp --lend-buffers\" has open in the same workspace, and ask its language servers")
	addNoTrial(cmd, &noTrial)
	cmd.Flags().BoolVar(&signIn, strings.TrimPrefix(acpfront.LoginFlag, "--"), false, "sign in to Copilot in this terminal, and end; editors write it last, also after another agent's arguments")
	return cmd
}

func addNoTrial(cmd *cobra.Command, to *bool) {
	cmd.Flags().BoolVar(to, "no-trial", false, "do not test whether a new version of Copilot asks before it acts (docs/troubleshooting.md)")
}
