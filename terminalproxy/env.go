package terminalproxy

import (
	"runtime"
	"slices"
	"strings"
)

// environment is an ordered set of variables in which the last value of a name wins.
type environment struct {
	names  []string // in the order of their first appearance
	values map[string]string
}

// key is what two spellings of one variable have in common.
func key(name string) string {
	if runtime.GOOS == "windows" {
		return strings.ToUpper(name)
	}
	return name
}

func (e *environment) set(name, value string) {
	if e.values == nil {
		e.values = make(map[string]string)
	}
	if _, ok := e.values[key(name)]; !ok {
		e.names = append(e.names, name)
	}
	e.values[key(name)] = value
}

func (e *environment) add(env []string) {
	for _, kv := range env {
		name, value, _ := strings.Cut(kv, "=")
		e.set(name, value)
	}
}

func (e *environment) list() []string {
	list := make([]string, 0, len(e.names))
	for _, name := range e.names {
		list = append(list, name+"="+e.values[key(name)])
	}
	return list
}

// withoutSecrets is env without the credentials that a command has no business with, except the names in keep,
// and without duplicates.
func withoutSecrets(env, keep []string) []string {
	var e environment
	for _, kv := range env {
		// Windows has entries such as "=C:=C:\dir"; nothing of ours needs them.
		if name, value, ok := strings.Cut(kv, "="); ok && name != "" && (slices.Contains(keep, name) || !Secret(name)) {
			e.set(name, value)
		}
	}
	return e.list()
}

// Secret reports whether a variable of this name is taken out of a command's environment: GH_TOKEN, GITHUB_TOKEN,
// COPILOT_*, *_TOKEN, *_KEY and *_SECRET, in any case.
func Secret(name string) bool {
	name = strings.ToUpper(name)
	return strings.HasPrefix(name, "COPILOT_") ||
		strings.HasSuffix(name, "_TOKEN") || strings.HasSuffix(name, "_KEY") || strings.HasSuffix(name, "_SECRET")
}

// withAgent is base for a command in dir, with what the agent asked for.
func withAgent(base []string, dir string, agent []EnvVar) ([]string, error) {
	var e environment
	e.add(base)
	e.set("PWD", dir) // the name of the folder as it was given, with its symbolic links
	for i, v := range agent {
		switch {
		case v.Name == "":
			return nil, invalid("env[%d] has no name", i)
		case strings.ContainsFunc(v.Name, func(r rune) bool { return r == '=' || r <= ' ' || r == 0x7f }):
			return nil, invalid("env[%d] has the name %q: a name has no '=', no space and no control character", i, v.Name)
		case strings.IndexByte(v.Value, 0) >= 0:
			return nil, invalid("env[%d], %s, contains a NUL byte", i, v.Name)
		}
		e.set(v.Name, v.Value)
	}
	return e.list(), nil
}
