package main

import (
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"github.com/copilot-bridge/copilot-bridge/bridge/policy"
	"github.com/copilot-bridge/copilot-bridge/internal/escape"
)

// logLines is how much of the log is shown: about what the user scrolls through.
const logLines = 1000

// permissionsCommand shows and takes back answers that were given for good, and shows the log of decisions. A bridge
// that is running follows a change at once.
func permissionsCommand() *cobra.Command {
	var asJSON bool
	in := func(do func(dir string, w io.Writer, args []string, asJSON bool) error) func(*cobra.Command, []string) error {
		return func(cmd *cobra.Command, args []string) error {
			dir, err := stateDir()
			if err != nil {
				return err
			}
			return do(dir, cmd.OutOrStdout(), args, asJSON)
		}
	}
	cmd := &cobra.Command{
		Use:   "permissions",
		Short: "list and revoke \"always\" answers, show the log of decisions",
		Long: "Lists the answers \"Always allow\" that are remembered, the oldest first. An answer is for one exact command in one folder, or for " +
			"one file. After revoke you are asked again, also by a copilot-bridge that is running.\n\n" +
			"Your own rules are in the editor's settings (permission.rules); docs/permissions.md says what always asks.",
		Example: "  copilot-bridge permissions revoke p3",
		Args:    takesVerbs,
		RunE:    in(listPermissions),
	}
	cmd.PersistentFlags().BoolVar(&asJSON, "json", false, "write JSON")
	cmd.AddCommand(
		&cobra.Command{Use: "list", Short: "list the remembered answers", Args: takesNone("see copilot-bridge permissions --help"), RunE: in(listPermissions)},
		&cobra.Command{Use: "log", Short: "show what was allowed and refused, by whom and why, the newest last", Args: takesNone("see copilot-bridge permissions --help"), RunE: in(logPermissions)},
		&cobra.Command{Use: "revoke ID…", Short: "forget answers", Args: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 {
				return &usageError{"permissions revoke takes the id of an answer", "see copilot-bridge permissions list"}
			}
			return nil
		}, RunE: in(revokePermissions)},
	)
	return cmd
}

func openMemory(dir string) (*policy.Memory, error) {
	m, err := policy.OpenMemory(filepath.Join(dir, policy.MemoryFile))
	if err != nil {
		return nil, fmt.Errorf("open the remembered permissions: %w", err)
	}
	return m, nil
}

func listPermissions(dir string, w io.Writer, _ []string, asJSON bool) error {
	m, err := openMemory(dir)
	if err != nil {
		return err
	}
	list, err := m.List()
	if err != nil {
		return err
	}
	if asJSON {
		return printDocument(w, "permissions", append([]policy.Remembered{}, list...))
	}
	if len(list) == 0 {
		_, err := fmt.Fprintln(w, "No answers are remembered, so every question is asked again.")
		return err
	}
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	for _, x := range list {
		fmt.Fprintf(t, "%s\t%s\t%s\n", x.ID, x.When.Local().Format(time.DateOnly), escape.Inline(x.Rule.Words()))
	}
	return t.Flush()
}

func revokePermissions(dir string, w io.Writer, ids []string, asJSON bool) error {
	m, err := openMemory(dir)
	if err != nil {
		return err
	}
	var failed error
	done := []string{}
	for _, id := range ids {
		if err := m.Revoke(id); err != nil {
			failed = errors.Join(failed, err)
			continue
		}
		done = append(done, id)
		if !asJSON {
			fmt.Fprintf(w, "%s is revoked; you will be asked again\n", escape.Inline(id))
		}
	}
	if asJSON {
		if err := printDocument(w, "revoked", done); err != nil {
			return err
		}
	}
	if errors.Is(failed, policy.ErrNotRemembered) {
		return &hintedError{failed.Error(), "copilot-bridge permissions lists them"}
	}
	return failed
}

func logPermissions(dir string, w io.Writer, _ []string, asJSON bool) error {
	entries, err := policy.ReadAudit(filepath.Join(dir, policy.AuditFile), logLines)
	if err != nil {
		return fmt.Errorf("read the log: %w", err)
	}
	if asJSON {
		return printDocument(w, "decisions", append([]policy.Entry{}, entries...))
	}
	if len(entries) == 0 {
		_, err := fmt.Fprintln(w, "Nothing has been decided yet.")
		return err
	}
	for _, e := range entries {
		_, err := fmt.Fprintf(w, "%s  %-5s by %-6s  %s  (%s)\n", e.Time.Local().Format(time.DateTime), e.Verdict, escape.Inline(string(e.Who)), escape.Inline(e.What), escape.Inline(e.Why))
		if err != nil {
			return err
		}
	}
	return nil
}
