package main

import (
	"fmt"
	"io"
	"os"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/spf13/cobra"

	"github.com/copilot-bridge/copilot-bridge/acp"
	"github.com/copilot-bridge/copilot-bridge/bridge"
	"github.com/copilot-bridge/copilot-bridge/internal/escape"
)

// sessionsCommand shows and removes the sessions on disk. It starts no agent.
func sessionsCommand() *cobra.Command {
	var asJSON bool
	in := func(do func(a *bridge.Archive, w io.Writer, id string, asJSON bool) error) func(*cobra.Command, []string) error {
		return func(cmd *cobra.Command, args []string) error {
			dir, err := stateDir()
			if err != nil {
				return err
			}
			return do(bridge.OpenArchive(dir, os.Environ()), cmd.OutOrStdout(), strings.Join(args, ""), asJSON)
		}
	}
	rename := func(cmd *cobra.Command, args []string) error {
		return in(func(a *bridge.Archive, w io.Writer, id string, asJSON bool) error {
			return renameSession(a, w, id, args[1], asJSON)
		})(cmd, args[:1])
	}
	cmd := &cobra.Command{
		Use:   "sessions",
		Short: "list, show, export, rename and delete sessions",
		Long: "Lists the sessions on disk, the newest first: those of copilot-bridge and those that Copilot CLI has from elsewhere. You need not be " +
			"signed in.\n\nexport writes a Markdown document, or with --json the ACP updates that an editor was shown. After delete, what Copilot " +
			"itself keeps of a session stays in its own folder and is not listed any more.",
		Example: "  copilot-bridge sessions export s-1f2e3d4c-1 > session.md",
		Args:    takesVerbs,
		RunE:    in(listSessions),
	}
	cmd.PersistentFlags().BoolVar(&asJSON, "json", false, "write JSON")
	cmd.AddCommand(&cobra.Command{Use: "list", Short: "list the sessions", Args: takesNone("see copilot-bridge sessions --help"), RunE: in(listSessions)})
	for _, c := range []*cobra.Command{
		{Use: "show ID", Short: "show a session and what was said in it", RunE: in(showSession)},
		{Use: "export ID", Short: "write a session as a document", RunE: in(exportSession)},
		{Use: "delete ID", Short: "delete a session", RunE: in(deleteSession)},
		{Use: "rename ID TITLE", Short: "give a session another title", RunE: rename},
	} {
		c.ValidArgsFunction = completeSession
		c.Args = func(cmd *cobra.Command, args []string) error {
			if takes := strings.Count(cmd.Use, " "); takes == 2 && len(args) != 2 {
				return &usageError{"sessions rename takes the id of one session and its title", "put a title of several words in quotes"}
			} else if takes == 1 && len(args) != 1 {
				return &usageError{"sessions " + cmd.Name() + " takes the id of one session", "see copilot-bridge sessions list"}
			}
			return nil
		}
		cmd.AddCommand(c)
	}
	return cmd
}

// completeSession are the ids of the sessions on disk, for a shell.
func completeSession(_ *cobra.Command, args []string, _ string) ([]cobra.Completion, cobra.ShellCompDirective) {
	dir, err := stateDir()
	if err != nil || len(args) > 0 {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	list, err := bridge.OpenArchive(dir, os.Environ()).List()
	if err != nil {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	var ids []cobra.Completion
	for _, i := range list {
		ids = append(ids, cobra.CompletionWithDesc(escape.Inline(i.ID), escape.Inline(escape.Clip(strings.Join(strings.Fields(i.Title), " "), 60))))
	}
	return ids, cobra.ShellCompDirectiveNoFileComp
}

// sessionLine is a session in JSON.
type sessionLine struct {
	ID             string    `json:"sessionId"`
	AgentSessionID string    `json:"agentSessionId,omitzero"`
	Cwd            string    `json:"cwd"`
	Title          string    `json:"title,omitzero"`
	UpdatedAt      time.Time `json:"updatedAt"`
	Turns          int       `json:"turns"`
}

func lineOf(i bridge.Info) sessionLine {
	return sessionLine{i.ID, string(i.Remote), i.Cwd, i.Title, i.Updated.UTC(), i.Turns}
}

func listSessions(a *bridge.Archive, w io.Writer, _ string, asJSON bool) error {
	list, err := a.List()
	if err != nil {
		return err
	}
	if asJSON {
		out := []sessionLine{}
		for _, i := range list {
			out = append(out, lineOf(i))
		}
		return printDocument(w, "sessions", out)
	}
	if len(list) == 0 {
		_, err := fmt.Fprintln(w, "No sessions are kept yet. Start one: copilot-bridge prompt \"…\"")
		return err
	}
	tw := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	for _, i := range list {
		fmt.Fprintf(tw, "%s\t%s\t%s\t%s\n", escape.Inline(i.ID), i.Updated.Local().Format("2006-01-02 15:04"), escape.Inline(i.Cwd), escape.Inline(escape.Clip(strings.Join(strings.Fields(i.Title), " "), 60)))
	}
	return tw.Flush()
}

func showSession(a *bridge.Archive, w io.Writer, id string, asJSON bool) error {
	i, err := a.Find(id)
	if err != nil {
		return err
	}
	if asJSON {
		return printDocument(w, "session", lineOf(i))
	}
	for _, f := range [][2]string{{"session", i.ID}, {"agent's", string(i.Remote)}, {"title", i.Title}, {"folder", i.Cwd}, {"last used", i.Updated.Local().Format(time.DateTime)}, {"turns", fmt.Sprint(i.Turns)}} {
		fmt.Fprintf(w, "%-10s %s\n", f[0], escape.Inline(f[1]))
	}
	text, err := a.Transcript(id)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(w, "\n%s\n", strings.TrimRight(text, "\n"))
	return err
}

func exportSession(a *bridge.Archive, w io.Writer, id string, asJSON bool) error {
	i, err := a.Find(id)
	if err != nil {
		return err
	}
	if !asJSON {
		text, err := a.Transcript(id)
		if err != nil {
			return err
		}
		title := i.Title
		if title == "" {
			title = "Session " + i.ID
		}
		_, err = fmt.Fprintf(w, "# %s\n\n%s, %s\n\n%s\n", escape.Inline(title), escape.Inline(i.Cwd), i.Updated.UTC().Format(time.RFC3339), strings.TrimRight(text, "\n"))
		return err
	}
	updates, err := a.Updates(id)
	if err != nil {
		return err
	}
	out := struct {
		V       int              `json:"v"`
		Session sessionLine      `json:"session"`
		Updates []jsontext.Value `json:"updates"`
	}{jsonVersion, lineOf(i), []jsontext.Value{}}
	for _, u := range updates {
		raw, err := acp.Marshal(u.Update())
		if err != nil {
			return fmt.Errorf("export session %s: %w", id, err)
		}
		out.Updates = append(out.Updates, raw)
	}
	return printJSON(w, out)
}

func renameSession(a *bridge.Archive, w io.Writer, id, title string, asJSON bool) error {
	if err := a.SetTitle(id, title); err != nil {
		return err
	}
	if asJSON {
		return printDocument(w, "renamed", id)
	}
	_, err := fmt.Fprintln(w, "renamed", escape.Inline(id))
	return err
}

func deleteSession(a *bridge.Archive, w io.Writer, id string, asJSON bool) error {
	if err := a.Delete(id); err != nil {
		return err
	}
	if asJSON {
		return printDocument(w, "deleted", id)
	}
	_, err := fmt.Fprintln(w, "deleted", escape.Inline(id))
	return err
}
