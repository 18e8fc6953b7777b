package policy

import (
	"path"
	"strings"
)

// Glob matches a slash-separated path: * and ? stay inside a component, ** is any number of components. It takes time
// in proportion to the lengths, whatever the pattern: some come from the agent.
func Glob(pattern, name string) bool {
	parts := strings.Split(name, "/")
	// reached[i]: what was read of the pattern so far can end before component i.
	reached := make([]bool, len(parts)+1)
	reached[0] = true
	for g := range strings.SplitSeq(pattern, "/") {
		if g == "**" {
			for i := range parts {
				reached[i+1] = reached[i+1] || reached[i]
			}
			continue
		}
		plain := !strings.ContainsAny(g, `*?[\`)
		for i := len(parts) - 1; i >= 0; i-- {
			ok := false
			switch {
			case !reached[i]:
			case plain:
				ok = g == parts[i]
			default:
				ok, _ = path.Match(g, parts[i]) // a bad pattern matches nothing
			}
			reached[i+1] = ok
		}
		reached[0] = false
	}
	return reached[len(parts)]
}

// globQuote makes a glob that matches exactly one path.
func globQuote(p string) string {
	return strings.NewReplacer(`\`, `\\`, "*", `\*`, "?", `\?`, "[", `\[`).Replace(p)
}
