package words

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

var (
	vscodeTitle = regexp.MustCompile(`\*\*Copilot Bridge: ([^*]+)\*\*`)
	vscodeName  = regexp.MustCompile(`\bcopilotBridge(?:\.[a-zA-Z]+)+`)
	subcommand  = regexp.MustCompile("`:(?:'<,'>)?CopilotBridge ([a-z]+)")
)

// TestTheNamesOnThePagesExist guards the pages for people: the commands and settings of the plugins that they name are there.
// Those of the command line are held in cmd/copilot-bridge.
func TestTheNamesOnThePagesExist(t *testing.T) {
	source, err := os.ReadFile(root + "/editors/vscode/package.json")
	if err != nil {
		t.Fatal(err)
	}
	var extension struct {
		Contributes struct {
			Commands []struct{ Command, Category, Title string }
		}
	}
	if err := json.Unmarshal(source, &extension); err != nil {
		t.Fatal(err)
	}
	words := map[string]string{} // of the extension's manifest, by key; it may have none
	if nls, err := os.ReadFile(root + "/editors/vscode/package.nls.json"); err == nil {
		if err := json.Unmarshal(nls, &words); err != nil {
			t.Fatal(err)
		}
	}
	titles := map[string]bool{}
	for _, c := range extension.Contributes.Commands {
		title := c.Title
		if word, ok := words[strings.Trim(title, "%")]; ok {
			title = word
		}
		titles[title] = true
	}
	help, err := os.ReadFile(root + "/editors/neovim/doc/copilot-bridge.txt")
	if err != nil {
		t.Fatal(err)
	}
	names, err := filepath.Glob(root + "/docs/*.md")
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	for _, name := range append(names, root+"/README.md") {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range vscodeTitle.FindAllStringSubmatch(string(text), -1) {
			if n++; !titles[m[1]] {
				t.Errorf("%s: VS Code has no command %q", name, m[1])
			}
		}
		for _, word := range vscodeName.FindAllString(string(text), -1) {
			if n++; !strings.Contains(string(source), `"`+word+`"`) {
				t.Errorf("%s: VS Code has no %s", name, word)
			}
		}
		for _, m := range subcommand.FindAllStringSubmatch(string(text), -1) {
			if n++; !strings.Contains(string(help), "\n`"+m[1]+"`") && !strings.Contains(string(help), ", `"+m[1]+"`") {
				t.Errorf("%s: Neovim has no :CopilotBridge %s", name, m[1])
			}
		}
	}
	if n < 15 {
		t.Errorf("only %d names were found", n)
	}
}
