package copilot

import (
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
	for _, m := range methods {
		var meta struct {
			Terminal *terminalAuth `json:"terminal-auth"`
		}
		a, ok := m.(*acp.AuthMethodAgent)
		if !ok || len(a.Meta) == 0 || json.Unmarshal(a.Meta, &meta) != nil || meta.Terminal == nil || meta.Terminal.Command == "" {
			continue
		}
		words = append([]string{meta.Terminal.Command}, meta.Terminal.Args...)
		break
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
