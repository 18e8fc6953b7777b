package lspfront

import (
	"flag"
	"fmt"
	"maps"
	"os"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/copilot-bridge/copilot-bridge/bridge"
	"github.com/copilot-bridge/copilot-bridge/bridge/tools"
)

var update = flag.Bool("update", false, "write the settings on docs/configuration.md")

const (
	settingsPage  = "../../docs/configuration.md"
	settingsBegin = "<!-- settings: written by `go test ./bridge/lspfront -run TestTheSettingsPage -update` -->\n"
	settingsEnd   = "<!-- end of settings -->\n"
)

// formerNames are settings that have another name now, and which.
var formerNames = map[string]string{"permission.canary": "permission.trial"}

// onPage is what docs/configuration.md says about a setting. What it may be is asked of the code that reads it.
type onPage struct {
	name    string
	def     string // the default, as JSON
	short   string
	more    string
	example string // a value
}

// settingsOnPage are all settings in the order of the page.
var settingsOnPage = []onPage{
	{"agent.command", `["copilot"]`, "The agent's program and its arguments.",
		"For Copilot CLI the bridge adds `--acp --stdio` and the rest. Other agents are started exactly as you write.", `["/usr/local/bin/copilot", "--model", "gpt-5"]`},
	{"agent.env", `{}`, "Variables to add to the agent's environment.", "", `{"HTTPS_PROXY": "http://proxy.example.com:8080"}`},
	{"agent.kind", `"auto"`, "How to talk to the agent.",
		"`auto` finds out. `copilot` and `acp` speak ACP. `transcript` runs `copilot -p` once for each turn, for a Copilot CLI without ACP.", `"acp"`},
	{"agent.tools", `"auto"`, "Whose tools an agent other than Copilot uses.",
		"`auto` gives the editor's tools to agents that are known to read the disk, and asks you once about unknown ones. `editor` gives them to every agent. `own` leaves each agent, Copilot too, its own tools.", `"editor"`},
	{"agent.maxTurns", `10`, "With `transcript`: how many earlier turns to send with a prompt.", "Used only if the program keeps no history itself.", `20`},
	{"agent.tokenLimit", `128000`, "With `transcript`: the size of the context window, in tokens.", "", `64000`},
	{"permission.level", `"ask"`, "How much the agent may do without asking.", "See [permissions](permissions.md). Takes effect at once, in sessions that begin afterwards.", `"edits"`},
	{"permission.rules", `[]`, "Your own rules: what to always allow, ask about or deny.",
		"The first rule that matches counts. See [permissions](permissions.md) for what a rule can say. Takes effect at once.", `[{"tool": "edit", "path": "src/**", "decision": "allow"}]`},
	{"permission.trial", `true`, "Test each new version of Copilot once: does it ask before it acts?",
		"See [what a trial is](troubleshooting.md#what-is-a-trial). Takes effect at once.", `false`},
	{"flush", `"ask"`, "Before a command runs: what to do with unsaved text in files that the agent changed.",
		"`ask` asks you once for all of them. `disk` saves them without asking. `never` leaves them unsaved, so the command does not see that text.", `"disk"`},
	{"onDismiss", `"reject"`, "What closing a question without an answer means.", "`reject` is a no. `keepPending` leaves the question open, and the agent waits.", `"keepPending"`},
	{"tools.files", `true`, "Give the agent file tools that see your unsaved text.",
		"If `false`, the agent reads and writes the disk with its own tools. Then changes that it makes without asking are only found after the turn.", `false`},
	{"tools.shell", `true`, "Run the agent's commands in the bridge, which asks first and ends them with the turn.", "If `false`, the agent runs them itself.", `false`},
	{"tools.diagnostics", `true`, "Let the agent read the errors and warnings of your language servers.", "", `false`},
	{"tools.ask", `true`, "Let the agent ask you a question with options to choose from.", "If `false`, it can ask only in the text of its answer.", `false`},
	{"tools.language", `true`, "Let the agent ask your language servers.",
		"`true` gives it all seven tools, `false` none, a list only those: `symbols`, `definition`, `references`, `hover`, `rename`, `format`, `codeActions`. Needs a plugin.", `["definition", "references"]`},
	{"tools.feedback", `true`, "Tell the agent which errors its edit added.", "Waits for the language servers, at most 2 seconds. Needs a plugin.", `false`},
	{"terminal.pty", `false`, "Run commands in a pseudo-terminal, so that you see colors and progress.", "Needs a plugin. Not on Windows. Commands get no keyboard either way.", `true`},
	{"terminal.keepEnv", `[]`, "Variables that commands may see although they look like credentials.",
		"Without this, variables such as `GH_TOKEN`, `COPILOT_*`, `*_TOKEN`, `*_KEY` and `*_SECRET` are removed before a command runs.", `["NPM_TOKEN"]`},
	{"prompts", `null`, "Code actions that send a prompt about a selection.",
		"Replaces the three that are there: Fix, Explain, Write tests.", `[{"title": "Add types", "text": "Add type annotations to this.", "kind": "refactor.rewrite"}]`},
	{"notifications", `true`, "Tell you of a finished turn or a question while you look elsewhere.", "An editor's own setting for its notifications wins.", `false`},
	{"registerCommands", `true`, "Let the editor register the bridge's commands.", "Set it to `false` if your LSP client reports duplicate commands.", `false`},
}

// must is what the code says a setting has to be.
var must = regexp.MustCompile(`must be (.*)`)

// allowed is what a value may be, in the words of the error for one that may not.
func allowed(name string) string {
	if name == "permission.rules" {
		return "a list of rules"
	}
	var s settings
	err := fields[name](jsontext.Value(`{"no": [0]}`), &s)
	if err == nil {
		return ""
	}
	m := must.FindStringSubmatch(err.Error())
	if m == nil {
		return ""
	}
	return strings.NewReplacer("tools.", "", `"`, "`").Replace(m[1])
}

// written is the part of the page that is made here.
func written(t *testing.T) string {
	var b strings.Builder
	p := func(format string, args ...any) { fmt.Fprintf(&b, format+"\n", args...) }
	p("\n| setting | default | what it does |\n|---|---|---|")
	for _, s := range settingsOnPage {
		def := "`" + s.def + "`"
		if s.def == "null" {
			def = ""
		}
		p("| [`%s`](#%s) | %s | %s |", s.name, strings.ToLower(strings.ReplaceAll(s.name, ".", "")), def, s.short)
	}
	for _, s := range settingsOnPage {
		p("\n### %s\n\n%s", s.name, strings.TrimSpace(s.short+" "+s.more))
		if a := allowed(s.name); a == "" {
			t.Errorf("the code does not say what %s must be", s.name)
		} else {
			p("\nValue: %s.", a)
		}
		p("\n```json\n%s\n```", nested(s.name, s.example))
	}
	return b.String() + "\n"
}

// nested is a setting as initializationOptions have it.
func nested(name, value string) string {
	if group, rest, ok := strings.Cut(name, "."); ok {
		return fmt.Sprintf("{ %q: { %q: %s } }", group, rest, value)
	}
	return fmt.Sprintf("{ %q: %s }", name, value)
}

// TestTheSettingsPage guards docs/configuration.md: it has every setting, with its default, what it may be, and an example that
// the server takes.
func TestTheSettingsPage(t *testing.T) {
	var names []string
	for _, s := range settingsOnPage {
		names = append(names, s.name)
	}
	for name := range maps.Keys(fields) {
		if _, former := formerNames[name]; !former && !slices.Contains(names, name) {
			t.Errorf("the page does not have %s: describe it in settingsOnPage", name)
		}
	}
	fresh := func() *config {
		return newConfig(bridge.Config{Tools: tools.ToolSet{Files: true, Shell: true, Diagnostics: true}})
	}
	for _, s := range settingsOnPage {
		if fields[s.name] == nil {
			t.Errorf("%s is no setting", s.name)
			continue
		}
		c := fresh()
		c.set(jsontext.Value(nested(s.name, s.example)), nil)
		if w := c.takeWarnings(); len(w) > 0 {
			t.Errorf("the example of %s: %q", s.name, w)
		}
		d := fresh()
		d.set(jsontext.Value(nested(s.name, s.def)), nil)
		if w := d.takeWarnings(); len(w) > 0 {
			t.Errorf("the default of %s: %q", s.name, w)
		}
		if other := changed(reflect.ValueOf(fresh().get()), reflect.ValueOf(d.get())); other != "" {
			t.Errorf("%s is not the default of %s: it changes %s", s.def, s.name, other)
		}
	}
	page, err := os.ReadFile(settingsPage)
	if err != nil {
		t.Fatal(err)
	}
	head, rest, ok := strings.Cut(string(page), settingsBegin)
	_, tail, ok2 := strings.Cut(rest, settingsEnd)
	if !ok || !ok2 {
		t.Fatal("the marks around the settings are gone")
	}
	want := head + settingsBegin + written(t) + settingsEnd + tail
	if *update {
		if err := os.WriteFile(settingsPage, []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
	} else if string(page) != want {
		t.Error("docs/configuration.md is not what the settings are: run this test with -update")
	}
}

// changed names a setting that is another one in b than in a, where a has a value at all: what is empty stands for the default.
func changed(a, b reflect.Value) string {
	for i := range a.NumField() {
		x, y, f := a.Field(i), b.Field(i), a.Type().Field(i)
		switch {
		case !f.IsExported() || x.Kind() == reflect.Func:
		case f.Type == reflect.TypeFor[bridge.Config](), f.Type == reflect.TypeFor[tools.ToolSet]():
			if name := changed(x, y); name != "" {
				return name
			}
		case reflect.DeepEqual(x.Interface(), y.Interface()), x.IsZero() && x.Kind() != reflect.Bool:
		default:
			return f.Name
		}
	}
	return ""
}
