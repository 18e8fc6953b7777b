package main

import (
	"cmp"
	"fmt"
	"io"
	"runtime"
	"runtime/debug"
	"strings"

	"github.com/spf13/cobra"
)

// What a release is, set by the linker (-X main.stamped=…): a release is built without a look at the working tree.
var (
	stamped       string // the version
	stampedCommit string
	stampedDate   string // of the commit, RFC 3339
)

func versionCommand() *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:     "version",
		Short:   "print the version",
		Example: "  copilot-bridge version --json",
		Args:    takesNone("it takes none"),
		RunE:    func(cmd *cobra.Command, _ []string) error { return printVersion(cmd.OutOrStdout(), asJSON) },
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "write version, commit, date and Go version as JSON")
	return cmd
}

func printVersion(w io.Writer, asJSON bool) error {
	if !asJSON {
		_, err := fmt.Fprintln(w, "copilot-bridge", version())
		return err
	}
	return printJSON(w, struct {
		V       int    `json:"v"`
		Version string `json:"version"`
		Commit  string `json:"commit"`
		Date    string `json:"date"`
		Go      string `json:"go"`
	}{jsonVersion, version(), cmp.Or(stampedCommit, setting("vcs.revision")), cmp.Or(stampedDate, setting("vcs.time")), runtime.Version()})
}

// setting is what the build knows of the working tree, "" without one.
func setting(key string) string {
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, s := range info.Settings {
			if s.Key == key {
				return s.Value
			}
		}
	}
	return ""
}

// version is what this program calls itself everywhere: the release that it is, else what the build knows of itself.
func version() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		info = nil
	}
	return versionOf(stamped, info)
}

// versionOf is the release's number without the "v" of its tag, whichever way the program was built: by the release, or by
// "go install …@v1.2.3". A build of a working tree is "devel", with its commit where that is known.
func versionOf(stamp string, info *debug.BuildInfo) string {
	switch {
	case stamp != "":
		return strings.TrimPrefix(stamp, "v")
	case info == nil:
		return "devel"
	case info.Main.Version != "" && info.Main.Version != "(devel)":
		return strings.TrimPrefix(info.Main.Version, "v")
	}
	for _, s := range info.Settings {
		if s.Key == "vcs.revision" && s.Value != "" {
			return "devel-" + s.Value[:min(len(s.Value), shortRevision)]
		}
	}
	return "devel"
}

// shortRevision is as much of a commit as git shows.
const shortRevision = 12
