package main

import (
	"flag"
	"fmt"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/go-json-experiment/json"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

var update = flag.Bool("update", false, "write docs/cli.md")

const (
	commandPage = "../../docs/cli.md"
	eventSchema = "../../docs/cli-events.schema.json"
)

// otherPage is how help names a page; on this page it is a link.
var otherPage = regexp.MustCompile(`docs/((?:dev/)?([a-z-]+)\.md)`)

// onPage is a text of help as Markdown.
func onPage(text string) string {
	text = strings.NewReplacer("<", "&lt;", "*", `\*`, "|", `\|`).Replace(text)
	text = strings.ReplaceAll(text, "docs/cli.md says", "[JSON](#json) below says")
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
	writeEvents(p)
	return b.String()
}

// writeEvents is the part of the page about JSON: the types of events in the order of their schema.
func writeEvents(p func(format string, args ...any)) {
	p("\n## JSON\n\n`copilot-bridge prompt --json` writes events to stdout while the turn runs, one JSON object a line. Each has `\"v\": 1` and a `type`:\n")
	p("| type | what it says |\n|---|---|")
	raw, err := os.ReadFile(eventSchema)
	var schema struct {
		OneOf []struct {
			Ref string `json:"$ref"`
		} `json:"oneOf"`
		Defs map[string]struct {
			Description string `json:"description"`
		} `json:"$defs"`
	}
	if err == nil {
		err = json.Unmarshal(raw, &schema)
	}
	if err != nil {
		p("%v", err) // and so the page is not as it is
	}
	for _, one := range schema.OneOf {
		name := strings.TrimPrefix(one.Ref, "#/$defs/")
		p("| `%s` | %s |", name, onPage(schema.Defs[name].Description))
	}
	p("\nEvery member is in the schema [cli-events.schema.json](cli-events.schema.json). Ignore types and members that you do not know: more may come " +
		"without a new `v`. This prints the answer alone:\n")
	p("    copilot-bridge prompt --json --no \"what does main.go do?\" | jq -rj 'select(.update.sessionUpdate == \"agent_message_chunk\") | .update.content.text'\n")
	p("With `--json` the other commands write one object at their end: `{\"v\": 1, …}` and what was asked for, such as `sessions` or `hunks`. An empty list is `[]`.")
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
