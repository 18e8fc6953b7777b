package meaning

import (
	"encoding/json"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/copilot-bridge/copilot-bridge/acp"
)

func callWith(input string) *acp.ToolCallUpdate { return &acp.ToolCallUpdate{RawInput: []byte(input)} }

// TestWhateverMayBeAFilesNameIsFound: under any member, in any shape, however it is written.
func TestWhateverMayBeAFilesNameIsFound(t *testing.T) {
	for input, want := range map[string]string{
		`{"target":".git/hooks/pre-commit","content":"x"}`: ".git/hooks/pre-commit",
		`{"a":{"b":[{"c":".env"}]}}`:                       ".env",
		`{".env":1}`:                                       ".env",
		`[".env"]`:                                         ".env",
		`".env"`:                                           ".env",
		`{"n":"a","n":".env"}`:                             ".env",
		`{"url":"FILE:///etc/shadow"}`:                     "/etc/shadow",
		`{"url":"file:/etc/shadow"}`:                       "/etc/shadow",
		`{"url":"file:.env"}`:                              ".env",
		`{"url":"file://localhost/etc/shadow?x#y"}`:        "/etc/shadow",
		`{"url":"File:%2Fetc%2Fshadow"}`:                   "/etc/shadow",
		`{"url":"file:///w/%252e%2565nv"}`:                 "/w/.env",
		`{"url":"vscode://file/w/.git/config"}`:            "/w/.git/config",
		`{"n":"%2egit%2fconfig"}`:                          ".git/config",
		`{"q":"open \".env\" now"}`:                        ".env",
		`{"q":"see .git/config."}`:                         ".git/config",
		`{"q":"(AGENTS.md)"}`:                              "AGENTS.md",
		`{"q":"a\nb .env\nc"}`:                             ".env",
		`{"q":"user@host:.env"}`:                           ".env",
		`{"q":"path=.env&x=1"}`:                            ".env",
		`{"json":"{\"path\":\".env\"}"}`:                   ".env",
		`{"json":"{\\\"path\\\":\\\".env\\\"}"}`:           ".env",
		`{"n":"sub\\..\\..\\x"}`:                           "sub/../../x",
		`{"n":"．git／config"}`:                              ".git/config",
		`{"n":"  .env  "}`:                                 ".env",
		`{"dir":".cargo","name":"config.toml"}`:            ".cargo/config.toml",
		`{"name":"config.toml","in":{"dir":".cargo/"}}`:    ".cargo/config.toml",
		`{"parts":["..","x"]}`:                             "../x",
	} {
		names, all := Names(callWith(input))
		if !all || !slices.ContainsFunc(names, func(n Name) bool { return n.Text == want }) {
			t.Errorf("%s: %q is not in %+v, %v", input, want, names, all)
		}
	}
	for _, long := range []string{strings.Repeat("./", 3000) + ".env", strings.Repeat("%2e%2f", 3000) + ".env", strings.Repeat("x/../", 1500) + ".env"} {
		names, _ := Names(callWith(`{"n":"` + long + `"}`))
		if !slices.ContainsFunc(names, func(n Name) bool { return n.Text == ".env" }) {
			t.Errorf("%.20s… is not shortened", long)
		}
	}
	for _, text := range []string{"~", "~/x", "~root/x", "$HOME/x", "${HOME}/x", "$HOME", "%USERPROFILE%/x", `%APPDATA%\x`, "copy it to ~/x", "see '$HOME/x'", "a=~/x"} {
		b, err := json.Marshal(map[string]string{"n": text})
		if err != nil {
			t.Fatal(err)
		}
		names, _ := Names(callWith(string(b)))
		if !slices.ContainsFunc(names, func(n Name) bool { return n.Elsewhere }) {
			t.Errorf("%s begins with no home or variable: %+v", text, names)
		}
	}
	title, text := ".env", &acp.TextContent{Text: "see .envrc"}
	names, _ := Names(nil, &acp.ToolCallUpdate{Title: &title, Content: []acp.ToolCallContent{&acp.Content{Content: text}}})
	for _, want := range []string{".env", ".envrc"} {
		if !slices.ContainsFunc(names, func(n Name) bool { return n.Text == want }) {
			t.Errorf("%s is not in %+v", want, names)
		}
	}
}

// TestAddressesOfTheWebAreNoFiles, but what stands beside them may be.
func TestAddressesOfTheWebAreNoFiles(t *testing.T) {
	names, all := Names(callWith(`{"url":"https://example.org/.git/config?x=/etc/passwd","to":"see http://x.org/~me/.env"}`))
	if !all {
		t.Error("not all")
	}
	for _, n := range names {
		if strings.Contains(n.Text, ".git") || strings.Contains(n.Text, ".env") || strings.Contains(n.Text, "etc") && !strings.Contains(n.Text, "see ") {
			t.Errorf("%+v", n)
		}
	}
}

// TestWhatIsTooMuchIsNotAll: a call that has more than is looked at, or what cannot be read, does not pass for one that names nothing.
func TestWhatIsTooMuchIsNotAll(t *testing.T) {
	var words, parts []string
	for i := range maxNames + 1 {
		words = append(words, "word"+strconv.Itoa(i))
	}
	for i := range maxJoined + 1 {
		parts = append(parts, `"x`+strconv.Itoa(i)+`"`)
	}
	for _, input := range []string{`{"text":"` + strings.Join(words, " ") + `"}`, `[` + strings.Join(parts, ",") + `]`, `{"a":`, `{"a":"b"} x`} {
		if _, all := Names(callWith(input)); all {
			t.Errorf("%.40s: all of it", input)
		}
	}
}
