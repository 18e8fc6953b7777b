package copilot

import (
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
// SignInCommand.
func SignInHint(methods []acp.AuthMethod) string {
	return "run `" + SignInCommand(methods) + "` in a terminal, then try again"
}

// SignInCommand is the command line that signs in, fit to be shown and pasted into a shell. The methods are those of the
// initialize result; without a usable one it is Copilot's usual way.
func SignInCommand(methods []acp.AuthMethod) string {
	words := []string{"copilot", "login"}
	if t := hintOf(methods); t != nil {
		words = append([]string{t.Command}, t.Args...)
	}
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
