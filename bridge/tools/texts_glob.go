package tools

import (
	"fmt"
	"path"
	"slices"
	"strings"
)

// maxPlainNames is how many names are listed as they are; more are grouped by folder, as Copilot's glob does.
const maxPlainNames = 1_000

// GlobText is glob's answer: names as [GrepName] gives them. more says that there are others which were not looked for.
func GlobText(names []string, more bool) string {
	if len(names) == 0 {
		return "No files matched the pattern."
	}
	text := strings.Join(names, "\n")
	if len(names) > maxPlainNames || len(text) > MaxResult {
		text = globGrouped(names)
	}
	if more {
		text += "\n\n[there are more files; use a narrower pattern or paths]"
	}
	return text
}

// globGrouped lists the names folder by folder, with the number of each: where a list is cut, the folders still tell.
func globGrouped(names []string) string {
	groups := map[string][]string{}
	var dirs []string
	for _, n := range names {
		dir := path.Dir(n)
		if dir != "." && strings.HasPrefix(n, "./") {
			dir = "./" + dir
		}
		if groups[dir] == nil {
			dirs = append(dirs, dir)
		}
		groups[dir] = append(groups[dir], path.Base(n))
	}
	slices.SortStableFunc(dirs, func(a, b string) int { return len(groups[b]) - len(groups[a]) })
	var out strings.Builder
	fmt.Fprintf(&out, "[glob: %d path(s); grouped by directory]", len(names))
	for _, dir := range dirs {
		fmt.Fprintf(&out, "\n\n%s/ (%d path(s))", dir, len(groups[dir]))
		for _, name := range groups[dir] {
			out.WriteString("\n  " + name)
		}
	}
	return out.String()
}
