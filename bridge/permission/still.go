package permission

import (
	"fmt"
	"maps"
	"slices"
	"sync"

	"github.com/copilot-bridge/copilot-bridge/bridge/policy"
)

// A decision is made before what it is about is done: the user is asked, files are saved, the workspace is looked through, the editor is
// waited for. So each is made once more right before the first effect, against the level, the mode, the rules and the names of that
// moment. Only a user's yes outlives its decision, and no yes outlives a no.

// yes is what a user has said yes to.
type yes struct {
	must    string // why it asks whatever is allowed, "" where it asked because nothing allowed it
	unsaved bool   // of a command: the user wants it run without saving
}

// Still says whether what a grant covers may be done now. It is called right before the first effect on disk, in a buffer or on a process.
// A no is a *Refusal; what would be asked about now, and was not, or not for what it is, is [ErrShownOtherwise].
func (g *Gate) Still(c Grant) error {
	r, err := g.requestOf(c)
	if err != nil {
		return err
	}
	return g.still(r, c.yes)
}

// Starts is Still for a change that is about to be made. Until over is called, which it is once the change is made or has failed, the
// file that comes of it counts as if it were there: of changes at the same time each sees the others.
func (g *Gate) Starts(c Grant) (over func(), err error) {
	real := c.file
	if c.to != "" {
		real = c.to
	}
	over = g.all.comes(real)
	if err := g.Still(c); err != nil {
		over()
		return nil, err
	}
	return over, nil
}

// comes counts new files as if they were there, until over is called.
func (a *Authority) comes(paths ...string) (over func()) {
	count := func(by int) {
		a.mu.Lock()
		defer a.mu.Unlock()
		for _, p := range paths {
			if a.coming[p] += by; a.coming[p] == 0 {
				delete(a.coming, p)
			}
		}
	}
	count(1)
	return sync.OnceFunc(func() { count(-1) })
}

// allComing are the files that count so, of all sessions: they may be in one folder.
func (a *Authority) allComing() []string {
	a.mu.Lock()
	defer a.mu.Unlock()
	return slices.Collect(maps.Keys(a.coming))
}

// StillRuns is Still for a command that is about to be started: what it runs and names is what it was, too.
func (g *Gate) StillRuns(c Grant) error {
	if g.asItIs(c).key() != c.key() {
		return ErrShownOtherwise
	}
	return g.Still(c)
}

// still decides once more about what was allowed, by y if the user was asked.
func (g *Gate) still(r policy.Request, y *yes) error {
	d := g.Decide(&r)
	if d.Verdict == policy.Deny {
		if err := g.RefuseChange(r.Name, r.Tool, subject(r)); err != nil {
			return err
		}
		return g.refuse(r, policy.ByRule, d.Reason)
	}
	if !y.holds(d) {
		return ErrShownOtherwise
	}
	return nil
}

// holds says whether what is decided now leaves a yes good, nil for none: what asks for what it is was asked about as that.
func (y *yes) holds(d policy.Decision) bool {
	return d.Verdict == policy.Allow || d.Verdict == policy.Ask && y != nil && (!d.Must || d.Reason == y.must)
}

// yesTo is the user's yes to a request of which that was decided.
func yesTo(d policy.Decision, unsaved bool) *yes {
	y := &yes{unsaved: unsaved}
	if d.Must {
		y.must = d.Reason
	}
	return y
}

// musts say of each of several requests that are asked about in one question why it asks by itself whatever is allowed, "" if it does not.
func (g *Gate) musts(alone []policy.Request) (out []string) {
	for _, r := range alone {
		out = append(out, yesTo(g.Decide(&r), false).must)
	}
	return out
}

// requestOf is what is decided of a grant, by the names that its files have now.
func (g *Gate) requestOf(c Grant) (policy.Request, error) {
	if c.cmd != nil {
		t, err := g.sameAs(c.cmd.Cwd, c.dir)
		if err != nil {
			return policy.Request{}, err
		}
		r, _ := g.commandRequest(*c.cmd, t, c)
		return r, nil
	}
	names, r := g.searchNames(), policy.Request{Tool: policy.ToolEdit, Name: c.tool}
	t, err := g.sameAs(c.given, c.file)
	if err != nil {
		return r, err
	}
	r.Paths = append(r.Paths, g.pathAmong(names, t, c.op()))
	if c.to != "" {
		if t, err = g.sameAs(c.givenTo, c.to); err != nil {
			return r, err
		}
		r.Paths = append(r.Paths, g.pathAmong(names, t, policy.OpRename))
	}
	return r, nil
}

// sameAs resolves a path that led to real when it was decided about.
func (g *Gate) sameAs(given, real string) (Target, error) {
	t, err := g.Resolve(given)
	if err != nil || t.Real != real {
		return t, g.refuse(policy.Request{Name: given}, policy.ByNobody, fmt.Sprintf("%s does not lead to %s any more; nothing was done", given, real))
	}
	return t, nil
}

// subject is what a request is about, for the log.
func subject(r policy.Request) string {
	switch {
	case len(r.Paths) > 0:
		return r.Paths[0].Given
	case len(r.Argv) > 0:
		return CommandTitle(r.Argv)
	}
	return ""
}

// StillAsked is [Gate.Still] for the agent's own question, before files are saved for it.
func (g *Gate) StillAsked(a *Asked) error {
	r := &a.Request
	if r.Tool == policy.ToolEdit {
		names := g.searchNames()
		names.coming = append(names.coming, newFiles(a.Targets...)...)
		for i, p := range r.Paths {
			for _, t := range a.Targets {
				if t.Path == p.Given {
					r.Paths[i] = g.pathAmong(names, t, p.Op)
				}
			}
		}
	}
	if r.Tool == policy.ToolRead {
		return nil
	}
	return g.still(*r, a.yes)
}

// StartsAsked is [Gate.Starts] for the agent's own question, right before the agent hears the yes and does it itself: when that is over nobody
// can tell, so the files count until the turn ends.
func (g *Gate) StartsAsked(a *Asked) error {
	if a.Request.Tool != policy.ToolEdit {
		return g.StillAsked(a)
	}
	over := g.all.comes(newFiles(a.Targets...)...)
	if err := g.StillAsked(a); err != nil {
		over()
		return err
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	g.over = append(g.over, over)
	return nil
}

// newFiles are those of files that are not there yet, links resolved.
func newFiles(list ...Target) (out []string) {
	for _, t := range list {
		if !t.Exists {
			out = append(out, t.Real)
		}
	}
	return out
}
