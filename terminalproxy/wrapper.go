package terminalproxy

import (
	"bytes"
	"os"
	"slices"
	"strings"
)

// The shell tools run each command as a process of its own: a command that calls exit, exec or kill -9 $$ ends itself
// and nothing else, and no prompt, no history and no half-typed line come between two commands. What a shell would
// keep, its folder and its environment, is written at the end of each command to a file and given to the next.
//
// bashWrapper and shWrapper run the command, their first argument, and write STATE whatever happens: at a plain end,
// at `exit 3`, under `set -e`, with the command's own EXIT trap (the function trap puts ours before it), and before
// `exec program` (a DEBUG trap, only set when the command has that word, because it costs a little at each
// step). A command that is killed leaves no state, and the next one starts where this one did. `set -e` ends before the
// command's EXIT trap runs: that trap is to see the exit status, which under `set -e` would end it at once.
//
// They are one line each, so that "line 3" in an error message is the command's line 3. Nothing in them depends
// on what the command may redefine, and nothing of theirs is seen by the programs it runs, or by `set -x`.
const (
	bashWrapper = `__cb_save() { local __cb_rc=$?; if [[ ${1-} ]]; then builtin set +e; fi; if [[ $BASH_SUBSHELL == 0 ]]; then ( builtin set +aefuvxC; builtin trap - EXIT DEBUG ERR; IFS=$' \t\n'; ` +
		`builtin printf 'state\0%s\0' "$(builtin pwd)"; for __cb_n in $(builtin compgen -e); do builtin printf '%s=%s\0' "$__cb_n" "${!__cb_n}"; done; builtin printf '\0' ) 2>/dev/null >| STATE; fi; return $__cb_rc; }; ` +
		`trap() { local __cb_a __cb_s; if [[ $BASH_SUBSHELL != 0 ]]; then builtin trap "$@"; return; fi; case ${1-} in --) shift;; -?*) builtin trap "$@"; return;; esac; ` +
		`case $# in 0) builtin trap; return;; 1) __cb_a=-;; *) __cb_a=$1; shift;; esac; ` +
		`for __cb_s in "$@"; do case $__cb_s in EXIT|exit|Exit|0) case $__cb_a in ''|-) builtin trap -- '{ __cb_save exit; } 2>/dev/null' EXIT;; *) builtin trap -- '{ __cb_save exit; } 2>/dev/null'$'\n'"$__cb_a" EXIT;; esac;; *) builtin trap -- "$__cb_a" "$__cb_s" || return;; esac; done; }; ` +
		`builtin trap -- '{ __cb_save exit; } 2>/dev/null' EXIT; __cb_run=$1; shift; ` +
		`case $__cb_run in *exec*) builtin trap -- '{ [[ $BASH_COMMAND == exec\ * ]] && __cb_save; } 2>/dev/null' DEBUG;; esac; eval "$__cb_run"`

	// In a plain sh the command's own EXIT trap replaces ours; the state is then written only at a plain end.
	shWrapper = `__cb_save() { __cb_rc=$?; ( set +aefuvxC; printf 'state\0%s\0' "$(pwd)"; env -0; printf '\0' ) 2>/dev/null >| STATE; return $__cb_rc; }; ` +
		`trap '{ __cb_save; } 2>/dev/null' EXIT; __cb_run=$1; shift; eval "$__cb_run"; { __cb_save; } 2>/dev/null`
)

// wrapped is the argv that runs command and writes its state to the file named state.
func wrapped(path string, isBash bool, command, state string) []string {
	script := shWrapper
	if isBash {
		script = bashWrapper
	}
	quoted := "'" + strings.ReplaceAll(state, "'", `'\''`) + "'"
	return []string{path, "-c", strings.ReplaceAll(script, "STATE", quoted), path, command}
}

// state is what a shell keeps between two commands.
type state struct {
	cwd string
	env []string
}

// readState reads what a command has left, if it has left something whole. The command may have written the file
// itself: it could as well have changed the environment in any other way, but it must not be able to break us.
func readState(path string) (state, bool) {
	info, err := os.Lstat(path)
	if err != nil || !info.Mode().IsRegular() || info.Size() > maxState {
		return state{}, false
	}
	data, err := os.ReadFile(path)
	if err != nil {
		return state{}, false
	}
	body, ok := bytes.CutSuffix(data, []byte("\x00\x00"))
	records := strings.Split(string(body), "\x00")
	if !ok || len(records) < 2 || records[0] != "state" || !strings.HasPrefix(records[1], "/") {
		return state{}, false
	}
	var e environment
	for _, kv := range records[2:] {
		switch name, value, ok := strings.Cut(kv, "="); {
		case !ok || name == "" || strings.Contains(name, " "):
		case ofTheShell(name), strings.HasPrefix(name, "__cb_"):
		default:
			e.set(name, value)
		}
	}
	return state{cwd: records[1], env: e.list()}, true
}

// ofTheShell says whether a variable is set by each shell itself, so that it is neither handed on nor one that a command has
// changed. OLDPWD is handed on neither: "cd -" would lead where nobody was shown.
func ofTheShell(name string) bool {
	switch name {
	case "_", "SHLVL", "PWD", "OLDPWD", "PPID", "BASH_VERSINFO":
		return true
	}
	return false
}

// unspeakable are the entries of env that no shell has a variable for, such as exported functions
// (BASH_FUNC_module%%): it hands them on, but cannot list them.
func unspeakable(env []string) []string {
	return slices.DeleteFunc(slices.Clone(env), func(kv string) bool {
		name, _, _ := strings.Cut(kv, "=")
		return !strings.ContainsFunc(name, func(r rune) bool {
			return r != '_' && (r < '0' || r > '9') && (r < 'A' || r > 'Z') && (r < 'a' || r > 'z')
		})
	})
}
