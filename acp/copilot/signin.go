package copilot

import (
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"github.com/go-json-experiment/json"

	"github.com/copilot-bridge/copilot-bridge/acp"
	"github.com/copilot-bridge/copilot-bridge/internal/escape"
)

// terminalAuth is what Copilot says about signing in beside its one method, since before ACP had a way to say it.
type terminalAuth struct {
	Command string   `json:"command"`
	Args    []string `json:"args"`
}

// SignInHint says how to sign in, for the user: "run `copilot login` in a terminal, then try again". The methods are as for
// SignInCommand. Where a program of the agent's name is in PATH it is named as one types it, without the folder that the agent runs
// from: both keep the sign-in in the same place.
func SignInHint(methods []acp.AuthMethod) string {
	words := signInWords(methods)
	if name := strings.TrimSuffix(filepath.Base(words[0]), ".exe"); filepath.IsAbs(words[0]) {
		if _, err := exec.LookPath(name); err == nil {
			words[0] = name
		}
	}
	return "run `" + commandLine(words) + "` in a terminal, then try again"
}

// SignInCommand is the command line that signs in, fit to be shown and pasted into a shell. The methods are those of the
// initialize result; without a usable one it is Copilot's usual way.
func SignInCommand(methods []acp.AuthMethod) string { return commandLine(signInWords(methods)) }

func signInWords(methods []acp.AuthMethod) []string {
	if t := hintOf(methods); t != nil {
		return append([]string{t.Command}, t.Args...)
	}
	return []string{"copilot", "login"}
}

// commandLine is the words as one line for a shell.
func commandLine(words []string) string {
	for i, w := range words {
		words[i] = quoted(w)
	}
	return escape.Inline(strings.Join(words, " "))
}

// quoted makes a word safe to paste into a shell.
func quoted(w string) string {
	if w != "" && !strings.ContainsAny(w, " \t\n\"'`$&|;<>()*?[]#~!{}") {
		return w
	}
	return "'" + strings.ReplaceAll(w, "'", `'\''`) + "'"
}

// SignsInByLogin says that the agent signs in as Copilot does, by its own command with the word "login" behind it, and offers
// no auth method of type terminal itself.
func SignsInByLogin(methods []acp.AuthMethod) bool {
	for _, m := range methods {
		if _, ok := m.(*acp.AuthMethodTerminal); ok {
			return false
		}
	}
	t := hintOf(methods)
	return t != nil && slices.Equal(t.Args, []string{"login"})
}

// hintOf is Copilot's hint from before ACP had sign-ins in a terminal, nil if no method has one.
func hintOf(methods []acp.AuthMethod) *terminalAuth {
	for _, m := range methods {
		var meta struct {
			Terminal *terminalAuth `json:"terminal-auth"`
		}
		a, ok := m.(*acp.AuthMethodAgent)
		if ok && len(a.Meta) > 0 && json.Unmarshal(a.Meta, &meta) == nil && meta.Terminal != nil && meta.Terminal.Command != "" {
			return meta.Terminal
		}
	}
	return nil
}
