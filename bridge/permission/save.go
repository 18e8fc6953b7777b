package permission

import (
	"slices"

	"github.com/copilot-bridge/copilot-bridge/acp"
)

// OptUnsaved is an option of the question about a command before which files are saved: it runs, and they are not.
const OptUnsaved = acp.PermissionOptionID("run_unsaved")

// withSaving are the options of such a question. All others that allow save first.
func withSaving(list []acp.PermissionOption) []acp.PermissionOption {
	list = slices.Clone(list)
	i := slices.IndexFunc(list, func(o acp.PermissionOption) bool { return o.OptionID == OptOnce })
	list[i].Name = "Save and run"
	return slices.Insert(list, i+1, acp.PermissionOption{OptionID: OptUnsaved, Name: "Run without saving", Kind: acp.PermissionOptionKindAllowOnce})
}

// ToSave are the files that a yes to the agent's own question has saved.
func (a *Asked) ToSave() []string {
	if a.Shown.unsaved {
		return nil
	}
	return a.Shown.Save
}

// SaveFirst has a question about a command say what is saved before it runs.
func (a *Asked) SaveFirst(paths []string) {
	a.Shown.Save, a.Request.Saves = paths, len(paths) > 0
}

// Saving runs save, which does what the yes to the agent's own question about a command says is done first, and has the yes cover the
// command with what it runs and names from then on, unless that had become something else since it was asked about. paths are the files
// that save may change.
func (g *Gate) Saving(a *Asked, paths []string, save func() error) error {
	same, alone := true, make([]Grant, len(a.covers))
	for i, c := range a.covers {
		same, alone[i] = same && g.asItIs(c).key() == c.key(), g.asItIs(c, paths...)
	}
	if err := save(); err != nil || !same {
		return err
	}
	for i, c := range a.covers {
		if g.asItIs(c, paths...).key() == alone[i].key() {
			a.covers[i] = g.asItIs(c)
		}
	}
	return nil
}

// Ready is Saving for a command that is about to run: c is for what it runs and names from then on. Where that has become something else,
// by another hand than save's, it is asked about again.
func (g *Gate) Ready(c *Grant, paths []string, save func() error) error {
	if g.asItIs(*c).key() != c.key() {
		return ErrShownOtherwise
	}
	alone := g.asItIs(*c, paths...)
	if err := save(); err != nil {
		return err
	}
	if g.asItIs(*c, paths...).key() != alone.key() {
		return ErrShownOtherwise
	}
	*c = g.asItIs(*c)
	return nil
}

// asItIs is the grant of a command with what it runs and names just now, whatever is in the files but.
func (g *Gate) asItIs(c Grant, but ...string) Grant {
	c.program, c.named = g.contentOf(c.argv, c.dir, c.env, but...), g.namedFiles(c.argv, c.dir, but...)
	return c
}
