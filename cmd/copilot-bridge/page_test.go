package main

import (
	"flag"
	"fmt"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

var update = flag.Bool("update", false, "write docs/cli.md")

const commandPage = "../../docs/cli.md"

// otherPage is how help names a page; on this page it is a link.
var otherPage = regexp.MustCompile(`docs/((?:dev/)?([a-z-]+)\.md)`)

// onPage is a text of help as Markdown.
func onPage(text string) string {
	text = strings.NewReplacer("<", "&lt;", "*", `\*`, "|", `\|`).Replace(text)
	return otherPage.ReplaceAllString(text, "[$2]($1)")
}

// commandsOnPage is docs/cli.md: all that --help says of every command.
func commandsOnPage(root *cobra.Command) string {
	var b strings.Builder
	p := func(format string, args ...any) { fmt.Fprintf(&b, format+"\n", args...) }
	p("# Command line\n\n<!-- Written by `go test ./cmd/copilot-bridge -run TestTheCommandPage -update` from what --help says. -->\n")
	for _, text := range strings.Split(root.Long, "\n\n") {
		p("%s\n", onPage(text))
	}
	p("`copilot-bridge COMMAND --help` says the same in your terminal. Most people need three commands: `doctor`, `prompt` and `permissions`; editors start `lsp` or `acp`.")
	for _, g := range groups(root) {
		p("\n**%s**\n\n| command | what it does |\n|---|---|", strings.TrimSuffix(g.title, ":"))
		for _, c := range g.commands {
			p("| [`%s`](#%s) | %s |", c.Name(), c.Name(), onPage(c.Short))
		}
	}
	for _, g := range groups(root) {
		for _, c := range g.commands {
			writeCommand(p, c)
		}
	}
	p("\n## Exit status\n\n| status | meaning |\n|---|---|")
	for _, e := range exitStatus {
		p("| %d | %s |", e.code, onPage(e.says))
	}
	return b.String()
}

// writeCommand is the part of the page about one command.
func writeCommand(p func(format string, args ...any), c *cobra.Command) {
	p("\n## %s\n", c.Name())
	for _, use := range usages(c) {
		p("    %s", use)
	}
	for _, text := range strings.Split(about(c), "\n\n") {
		p("\n%s", onPage(text))
	}
	if c.HasAvailableSubCommands() {
		p("\n| command | what it does |\n|---|---|")
		for _, below := range c.Commands() {
			p("| `%s` | %s |", onPage(below.Use), onPage(below.Short))
		}
	}
	n := 0
	c.LocalFlags().VisitAll(func(f *pflag.Flag) {
		if f.Hidden || f.Name == "help" {
			return
		}
		if n++; n == 1 {
			p("\n| flag | what it does |\n|---|---|")
		}
		value, says := pflag.UnquoteUsage(f)
		head := strings.TrimSpace("--" + f.Name + " " + value)
		if f.Shorthand != "" {
			head = "-" + f.Shorthand + ", " + head
		}
		p("| `%s` | %s |", head, onPage(says))
	})
	if c.Example != "" {
		p("\nExample:\n")
		for e := range strings.Lines(c.Example) {
			p("    %s", strings.TrimSpace(e))
		}
	}
}

// TestTheCommandPage guards docs/cli.md: it says what --help says, of every command and flag.
func TestTheCommandPage(t *testing.T) {
	want := commandsOnPage(newRoot())
	if *update {
		if err := os.WriteFile(commandPage, []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if got, err := os.ReadFile(commandPage); err != nil || string(got) != want {
		t.Errorf("docs/cli.md is not what --help says (%v): run this test with -update", err)
	}
}
