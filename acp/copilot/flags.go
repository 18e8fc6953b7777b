package copilot

import "strings"

// flags are the flags of a command line with their values, as Copilot's parser takes them: --flag=a,b, --flag a b c up
// to the next flag, and again later.
type flags map[string][]string

func readFlags(argv []string) flags {
	f := flags{}
	name := ""
	for _, word := range argv {
		if !strings.HasPrefix(word, "-") {
			if name != "" {
				f[name] = append(f[name], splitList(word)...)
			}
			continue
		}
		var value string
		var joined bool
		name, value, joined = strings.Cut(word, "=")
		f[name] = append(f[name], splitList(value)...)
		if joined {
			name = "" // Copilot takes the words after --flag=value for something else
		}
	}
	return f
}

func splitList(s string) (out []string) {
	for _, v := range strings.Split(s, ",") {
		if v = strings.TrimSpace(v); v != "" {
			out = append(out, v)
		}
	}
	return out
}

func (f flags) has(name string) bool { _, ok := f[name]; return ok }

func (f flags) lists(name, value string) bool {
	for _, v := range f[name] {
		if v == value {
			return true
		}
	}
	return false
}
