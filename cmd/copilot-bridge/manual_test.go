package main

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// unlisted are flags that no user gives: the demo starts itself with one, an agent the editor tools with the other.
var unlisted = []string{"demo --check", "mcp --socket"}

// flagsInCode are the flags that the commands take, "prompt --yes", as the sources define them.
func flagsInCode(t *testing.T) []string {
	t.Helper()
	sources, err := filepath.Glob("*.go")
	if err != nil || len(sources) == 0 {
		t.Fatalf("no sources: %v", err)
	}
	defined := regexp.MustCompile(`flags\("(\w+)"\)|fs\.(?:Bool|String)(?:Var)?\((?:&\S+, )?"([\w-]+)"|(kindFlag)\(fs\)|fs\.\w+Var\(\S+, "([\w-]+)"`)
	var all []string
	for _, name := range sources {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		raw, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		command := ""
		for _, m := range defined.FindAllStringSubmatch(string(raw), -1) {
			flag := m[2] + m[4]
			if m[3] != "" {
				flag = "kind"
			}
			switch {
			case m[1] != "":
				command = m[1]
			case command == "": // kindFlag itself
			case len(flag) == 1:
				all = append(all, command+" -"+flag)
			default:
				all = append(all, command+" --"+flag)
			}
		}
	}
	return all
}

// TestHelpNamesEveryFlagAndNoOther: what --help says is the one list of flags; completions and the manual are made of it.
func TestHelpNamesEveryFlagAndNoOther(t *testing.T) {
	all, err := topics()
	if err != nil {
		t.Fatal(err)
	}
	var inHelp []string
	for _, topic := range all {
		for _, o := range topic.options {
			for _, f := range o.flags {
				inHelp = append(inHelp, topic.name+" "+f)
			}
		}
	}
	inCode := append(flagsInCode(t), "acp --login") // which is looked for before the flags are read
	if len(inCode) < 20 {
		t.Fatalf("found only %q", inCode)
	}
	for _, f := range inCode {
		if !slices.Contains(inHelp, f) && !slices.Contains(unlisted, f) {
			t.Errorf("--help does not say anything of %s", f)
		}
	}
	for _, f := range inHelp {
		if !slices.Contains(inCode, f) {
			t.Errorf("--help names %s, which is none", f)
		}
	}
}

// TestCompletionsAndManualHaveAllOfTheHelp: every command that is one, every verb, every flag.
func TestCompletionsAndManualHaveAllOfTheHelp(t *testing.T) {
	all, err := topics()
	if err != nil {
		t.Fatal(err)
	}
	texts := map[string]string{"man": strings.NewReplacer(`\-`, "-", `\fB`, "", `\fR`, "").Replace(manual(all, "1.2.3"))}
	for shell, write := range shells {
		texts[shell] = write(all)
	}
	for what, text := range texts {
		has := func(word string) {
			if what == "fish" {
				word = strings.TrimLeft(word, "-")
			}
			if !regexp.MustCompile(`(?:^|[^\w-])` + regexp.QuoteMeta(word) + `(?:[^\w-]|$)`).MatchString(text) {
				t.Errorf("%s: nothing of %q", what, word)
			}
		}
		for name := range commands {
			if name != "mcp" { // not for users
				has(name)
			}
		}
		for _, topic := range all {
			for _, v := range topic.verbs {
				has(v)
			}
			for _, o := range topic.options {
				for _, f := range o.flags {
					has(f)
				}
			}
		}
	}
	if got := all[slices.IndexFunc(all, func(t topic) bool { return t.name == "sessions" })]; !slices.Equal(got.verbs, []string{"list", "show", "export", "delete"}) {
		t.Errorf("the verbs of sessions: %q", got.verbs)
	}
}

// TestTheManualChangesNoText: what the formatter would read as its own is written so that it does not.
func TestTheManualChangesNoText(t *testing.T) {
	for in, want := range map[string]string{
		"--no-trial": `\-\-no\-trial`, ".profile": `\&.profile`, "'x'": `\&\(aqx\(aq`, `a\b`: `a\eb`, "": `\&`, "~/src": `\(ti/src`,
	} {
		if got := line(in); got != want {
			t.Errorf("%q: %s, want %s", in, got, want)
		}
	}
}
