package terminalproxy

import (
	"slices"
	"testing"
)

func TestSurprisingVariablesAreNamed(t *testing.T) {
	for name, want := range map[string]bool{
		"LD_PRELOAD": true, "ld_preload": true, "DYLD_INSERT_LIBRARIES": true, "PATH": true, "BASH_ENV": true, "ENV": true, "PROMPT_COMMAND": true,
		"GIT_EXTERNAL_DIFF": true, "GIT_SSH_COMMAND": true, "GIT_CONFIG_COUNT": true, "GIT_ASKPASS": true, "SSH_ASKPASS": true, "SUDO_ASKPASS": true,
		"PYTHONPATH": true, "PYTHONSTARTUP": true, "NODE_OPTIONS": true, "PERL5OPT": true, "RUBYOPT": true, "JAVA_TOOL_OPTIONS": true,
		"EDITOR": true, "GIT_EDITOR": true, "VISUAL": true, "LESSOPEN": true, "HTTPS_PROXY": true, "NPM_CONFIG_REGISTRY": true, "GOFLAGS": true, "GOPROXY": true,
		"RUSTC_WRAPPER": true, "MAKEFLAGS": true, "BASH_FUNC_ls%%": true, "HOME": true, "IFS": true,
		"CLAUDECODE": false, "NO_COLOR": false, "TERM": false, "CI": false, "FOO": false, "LANG": false, "GIT_TERMINAL_PROMPT": false,
		"GIT_AUTHOR_NAME": false, "PYTHONUNBUFFERED": false, "GOOS": false, "NODE_ENV": false,
	} {
		if got := len(Surprising([]EnvVar{{name, "x"}})) == 1; got != want {
			t.Errorf("%s surprising: %v, want %v", name, got, want)
		}
	}
	env := []EnvVar{{"PAGER", "cat"}, {"GIT_PAGER", ""}, {"MANPAGER", "sh -c evil"}, {"PATH", "/a"}, {"FOO", "1"}, {"PATH", "/b"}}
	if got, want := Surprising(env), []EnvVar{{"MANPAGER", "sh -c evil"}, {"PATH", "/b"}}; !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}
