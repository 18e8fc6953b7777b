package terminalproxy

import (
	"slices"
	"strings"
)

// Surprising returns those of env that make a harmless command do something else, for the question to show
// them: variables of the loader, the shell, interpreters, git, pagers, editors and askpass programs, PATH and
// its like. Duplicates are resolved first, the last one counts, so that what is shown is what holds.
func Surprising(env []EnvVar) []EnvVar {
	var found []EnvVar
	seen := make(map[string]bool)
	for _, v := range slices.Backward(env) {
		if k := strings.ToUpper(strings.TrimPrefix(v.Name, UnsetPrefix)); !seen[k] {
			seen[k] = true
			if surprising(k, v.Value) {
				found = append(found, v)
			}
		}
	}
	slices.Reverse(found)
	return found
}

func surprising(name, value string) bool {
	if pager := strings.HasSuffix(name, "PAGER"); pager && (value == "" || value == "cat") {
		return false // every agent does that, to see all of the output
	}
	if slices.Contains(harmless, name) {
		return false
	}
	return slices.Contains(surprisingNames, name) ||
		slices.ContainsFunc(surprisingPrefixes, func(p string) bool { return strings.HasPrefix(name, p) }) ||
		slices.ContainsFunc(surprisingSuffixes, func(s string) bool { return strings.HasSuffix(name, s) })
}

// Families are named whole: new members of GIT_ or NODE_ appear with every release.
var (
	surprisingPrefixes = []string{
		"LD_", "DYLD_", "GLIBC_", "MALLOC_", "BASH_FUNC_", "GIT_", "SSH_", "PYTHON", "NODE_", "NPM_CONFIG_", "RUBY",
		"PERL", "PHP", "LUA_", "CARGO_", "RUSTC", "DOTNET_", "JAVA_", "JDK_", "_JAVA_", "GO", "XDG_CONFIG_",
	}
	surprisingSuffixes = []string{"PAGER", "ASKPASS", "EDITOR", "_PROXY", "_PRELOAD", "_WRAPPER", "OPTIONS", "PATH"}
	surprisingNames    = []string{
		"BASH_ENV", "ENV", "SHELLOPTS", "BASHOPTS", "PROMPT_COMMAND", "PS4", "IFS", "CDPATH", "ZDOTDIR", "SHELL", "HOME",
		"VISUAL", "BROWSER", "LESSOPEN", "LESSCLOSE", "MANOPT", "MAKEFLAGS", "MAKEFILES", "GNUMAKEFLAGS", "CC", "CXX", "LD", "AR",
		"RUSTFLAGS", "MAVEN_OPTS", "GRADLE_OPTS", "BUNDLE_GEMFILE", "GEM_HOME", "TERMINFO", "HOSTALIASES", "RES_OPTIONS",
		"SSL_CERT_FILE", "SSL_CERT_DIR", "CURL_HOME", "WGETRC", "COMSPEC", "PATHEXT", "DOCKER_HOST", "KUBECONFIG",
	}
	harmless = []string{
		"GIT_TERMINAL_PROMPT", "GIT_OPTIONAL_LOCKS", "GIT_AUTHOR_NAME", "GIT_AUTHOR_EMAIL", "GIT_AUTHOR_DATE",
		"GIT_COMMITTER_NAME", "GIT_COMMITTER_EMAIL", "GIT_COMMITTER_DATE", "GOOS", "GOARCH", "GOMAXPROCS", "GOTRACEBACK",
		"PYTHONUNBUFFERED", "PYTHONDONTWRITEBYTECODE", "PYTHONIOENCODING", "PYTHONUTF8", "PYTHONHASHSEED", "NODE_ENV",
		"NODE_NO_WARNINGS", "CARGO_TERM_COLOR",
	}
)
