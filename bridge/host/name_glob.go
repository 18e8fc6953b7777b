package host

import (
	"fmt"
	"slices"
	"strings"

	"github.com/copilot-bridge/copilot-bridge/bridge/policy"
	"github.com/copilot-bridge/copilot-bridge/fsproxy/disk"
)

// nameGlob is a glob as ripgrep's -g has it: without a slash it is for the name, {a,b} are alternatives, ! in front
// negates. The zero value matches everything.
type nameGlob struct {
	globs  []string // the braces expanded
	negate bool
}

func newNameGlob(glob string) (g nameGlob, err error) {
	for strings.HasPrefix(glob, "!") {
		glob, g.negate = glob[1:], !g.negate
	}
	if glob == "" {
		return nameGlob{}, nil
	}
	if len(glob) > disk.MaxPath {
		return g, fmt.Errorf("a glob of %d bytes is too long", len(glob))
	}
	if g.globs = braces([]string{glob}); len(g.globs) > maxGlobs {
		return g, fmt.Errorf("the glob has more than %d alternatives; search for less at once", maxGlobs)
	}
	return g, nil
}

// match says whether the glob is about a file, by its path below the folder that is searched, with slashes.
func (g nameGlob) match(rel string) bool {
	if g.globs == nil {
		return true
	}
	return slices.ContainsFunc(g.globs, func(glob string) bool {
		if !strings.Contains(glob, "/") {
			return policy.Glob(glob, rel[strings.LastIndexByte(rel, '/')+1:])
		}
		return policy.Glob(strings.TrimPrefix(glob, "/"), rel)
	}) != g.negate
}

// braces expands {a,b} in globs, until there are more than maxGlobs.
func braces(globs []string) []string {
	for i := 0; i < len(globs) && len(globs) <= maxGlobs; {
		before, rest, opened := strings.Cut(globs[i], "{")
		inside, after, closed := strings.Cut(rest, "}")
		if !opened || !closed {
			i++
			continue
		}
		var alternatives []string
		for alt := range strings.SplitSeq(inside, ",") {
			alternatives = append(alternatives, before+alt+after)
		}
		globs = slices.Replace(globs, i, i+1, alternatives...)
	}
	return globs
}
