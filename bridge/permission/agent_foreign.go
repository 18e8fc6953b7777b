package permission

import (
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/copilot-bridge/copilot-bridge/acp"
	"github.com/copilot-bridge/copilot-bridge/bridge/permission/meaning"
)

// lookThrough looks for files that a call of somebody else's tool may name, under whatever member and in whatever form. What the
// tool does with them is not known: if one of them would ask for what it is, or is kept by a rule, the call is not understood, and
// asks at every level.
func (g *Gate) lookThrough(a *Asked, calls ...*acp.ToolCallUpdate) {
	names, all := meaning.Names(calls...)
	until, search := time.Now().Add(callPathsBudget), g.searchNames()
	for _, n := range names {
		if time.Now().After(until) {
			all = false
			break
		}
		p := g.namedPath(search, n.Text, g.Cwd, until)
		switch {
		case n.Elsewhere:
			p.Outside = true
		case p.Outside && !n.Whole && filepath.IsAbs(n.Text): // a word such as /div or /api/v1 is no file's name for that
			p.Outside = mayBeThere(p.Given)
		}
		why, kept := g.all.Rules.Keeps(p, g.Cwd, g.all.Home)
		if !kept {
			continue
		}
		if n.Whole && len(a.Request.Paths) < meaning.MaxFiles { // a rule that denies is not for what a text mentions
			a.Request.Paths = append(a.Request.Paths, p)
		}
		if a.Request.Odd == "" {
			a.Request.Odd = fmt.Sprintf("it is not known what the tool does with %s, which it names (%s)", bounded(n.Text), why)
		}
	}
	if !all && a.Request.Odd == "" {
		a.Request.Odd = "it has more text than can be looked through for the files that it names"
	}
}

// mayBeThere says whether there is something of that name, or a folder for it that is not the top of the disk.
func mayBeThere(path string) bool {
	if _, err := os.Lstat(path); err == nil {
		return true
	}
	dir := filepath.Dir(path)
	_, err := os.Lstat(dir)
	return err == nil && dir != filepath.Dir(dir)
}
