package policy

import (
	"fmt"
	"slices"
	"strings"
)

// lineShells are the shells whose line is looked into. The bash tool uses the first.
var lineShells = []string{"bash", "sh", "/bin/bash", "/bin/sh"}

// LineOf is the line that a command has a shell run, "" if it is none: `python -c` runs code, and what runs it is to be seen.
func LineOf(argv []string) string {
	if len(argv) == 3 && argv[1] == "-c" && slices.Contains(lineShells, argv[0]) {
		return argv[2]
	}
	return ""
}

// CommandText is a command for reading: the line of a shell as it is, other words quoted where it matters. It is not safe to show.
func CommandText(argv []string) string {
	if line := LineOf(argv); line != "" {
		return line
	}
	words := slices.Clone(argv)
	for i, w := range words {
		if w == "" || strings.ContainsAny(w, " \t\n'\"\\$`") {
			words[i] = fmt.Sprintf("%q", w)
		}
	}
	return strings.Join(words, " ")
}

// Words are a rule as the user says it. They are not safe to show.
func (r Rule) Words() string {
	out := string(r.Decision) + " " + string(r.Tool)
	if r.Path != "" {
		out += " " + r.Path
	}
	if len(r.Argv) > 0 {
		out += ": " + CommandText(r.Argv)
	}
	if r.Dir != "" {
		out += "  in " + r.Dir
	}
	if r.Content != "" {
		out += "  while the file it runs stays as it is"
	}
	return out
}
