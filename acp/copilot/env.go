package copilot

import (
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
)

// workspaceCode are variables by which Copilot runs hooks and MCP servers that the workspace brings, which is code of
// the repository's authors.
var workspaceCode = []string{
	"GITHUB_COPILOT_PROMPT_MODE_REPO_HOOKS",
	"GITHUB_COPILOT_PROMPT_MODE_WORKSPACE_MCP",
}

// noLazyFetch keeps git from fetching what a partial clone lacks. Copilot runs `git rev-parse HEAD^{commit}` around each turn
// (1.0.102), without a question and with the workspace's .git/config in force: where the commit is missing, git would run the
// program that the configuration names for the fetch. Known to git since 2.45 and to the repaired versions since 2.39.4.
const noLazyFetch = "GIT_NO_LAZY_FETCH"

// AgentEnv is env without what makes Copilot run code from the workspace: without the variables that ask for it, except those in
// keep, the ones the user's own configuration sets, and with the one that keeps git from it, unless env has a value for that.
// Everything else stays, COPILOT_AUTO_UPDATE too: updating is between the user and Copilot. A nil env is the process's own.
func AgentEnv(env []string, keep ...string) []string {
	if env == nil {
		env = os.Environ()
	}
	out := slices.DeleteFunc(slices.Clone(env), func(kv string) bool {
		name, _, _ := strings.Cut(kv, "=")
		return contains(workspaceCode, name) && !contains(keep, name)
	})
	if variable(out, noLazyFetch) == "" {
		out = append(out, noLazyFetch+"=1")
	}
	return out
}

// HasProvider says that env names a model of the user's own, with which Copilot runs without a login.
func HasProvider(env []string) bool { return variable(env, "COPILOT_PROVIDER_BASE_URL") != "" }

// contains compares names as the system does.
func contains(names []string, name string) bool {
	return slices.ContainsFunc(names, func(n string) bool {
		return n == name || runtime.GOOS == "windows" && strings.EqualFold(n, name)
	})
}

// StateDir is where Copilot keeps its sessions, logs and settings: $COPILOT_HOME, else .copilot in the home folder.
// Older versions used $XDG_STATE_HOME, and newer ones move what they find there. "" if env names no home.
func StateDir(env []string) string {
	if dir := variable(env, "COPILOT_HOME"); dir != "" {
		return dir
	}
	home := variable(env, "HOME")
	if runtime.GOOS == "windows" {
		home = variable(env, "USERPROFILE")
	}
	if home == "" {
		return ""
	}
	return filepath.Join(home, ".copilot")
}

// oldStateDir is where a version before the move kept its sessions, "" if that cannot be.
func oldStateDir(env []string) string {
	if dir := variable(env, "XDG_STATE_HOME"); dir != "" {
		return filepath.Join(dir, ".copilot")
	}
	return ""
}

// variable is the value that counts: the last one.
func variable(env []string, name string) string {
	for _, kv := range slices.Backward(env) {
		n, v, _ := strings.Cut(kv, "=")
		if contains([]string{name}, n) {
			return v
		}
	}
	return ""
}
