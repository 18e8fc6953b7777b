package permission

import (
	"path/filepath"
	"slices"
	"time"

	"github.com/copilot-bridge/copilot-bridge/bridge/policy"
)

// namedWords resolves what the words of a command name from its folder, for rules that leave words open; nil where there is none,
// or where the command is no plain words, so that none covers it.
func (g *Gate) namedWords(argv []string, dir string) (out []policy.Named) {
	words, plain := policy.PlainWords(argv)
	if !plain || !g.all.Rules.LeavesWords() {
		return nil
	}
	until, search := time.Now().Add(callPathsBudget), g.searchNames()
	seen := []string{}
	for _, w := range words[1:] {
		if slices.Contains(seen, w) {
			continue
		}
		seen = append(seen, w)
		for i, part := range policy.WordParts(w) {
			out = append(out, policy.Named{Word: w, Part: i > 0, Path: g.namedPath(search, part, dir, until)})
		}
	}
	return out
}

// namedPath is what a text is if it names something from a folder. Of what cannot be resolved, or not in time, it is not known
// which names it has.
func (g *Gate) namedPath(search *nameSearch, name, dir string, until time.Time) policy.Path {
	if !filepath.IsAbs(name) {
		name = filepath.Join(dir, name)
	}
	t, err := g.Resolve(name)
	if err != nil || time.Now().After(until) {
		name = filepath.Clean(name)
		return policy.Path{Given: name, Real: name, Op: policy.OpWrite, Outside: !g.within(name), Nameless: true, Roots: g.Roots()}
	}
	return g.pathAmong(search, t, policy.OpWrite)
}
