package permission

import (
	"context"
	"fmt"
	"slices"

	"github.com/copilot-bridge/copilot-bridge/bridge/policy"
)

// FileChange is what is to become of one file in a change of several.
type FileChange struct {
	Target   Target
	Made     int     // how often agents had changed the file before its text was read
	Old, New *string // the whole texts; nil where there is no file. Where the file only gets another name they are the same
	To       *Target // the name that it gets
	Grant    Grant   // what a yes covers; [Gate.PermitChanges] makes it of the others
}

// grant is for the change as it is shown.
func (c FileChange) grant() Grant {
	if c.To != nil || c.New == nil {
		return WholeGrant(c.Target, c.Made, deref(c.Old), c.To)
	}
	return ChangeGrant(c.Target, c.Made, c.Old, *c.New)
}

// PermitChanges asks once about changes of several files, which are shown whole: a yes is for all of them, a no for none. A rule
// that denies one of the files denies the change. Each change gets the grant that covers what was shown of it.
func (g *Gate) PermitChanges(ctx context.Context, tool, title string, list []FileChange) error {
	for i := range list {
		list[i].Grant = list[i].grant()
	}
	if len(list) == 0 || len(list) > maxChangedFiles {
		return &Refusal{Reason: fmt.Sprintf("refused: it changes %d files, and a change of 1 to %d can be shown in one question; nothing was changed", len(list), maxChangedFiles), User: "Refused: it changes too many files for one question"}
	}
	names := g.searchNames()
	names.coming = append(names.coming, newFiles(targetsOf(list)...)...)
	r := policy.Request{Tool: policy.ToolEdit, Name: tool}
	q := &Question{Title: title}
	size, alone := 0, make([]policy.Request, len(list)) // each file, as it is decided about again when its turn comes
	for i, c := range list {
		begin := len(r.Paths)
		r.Paths = append(r.Paths, g.pathAmong(names, c.Target, c.Grant.op()))
		d := FileDiff{Path: c.Target.Path, OldText: c.Grant.before, NewText: c.Grant.after, Created: !c.Grant.exists}
		switch {
		case c.To != nil:
			r.Paths = append(r.Paths, g.pathAmong(names, *c.To, policy.OpRename))
			q.Notes = append(q.Notes, fmt.Sprintf("%s gets the name %s", c.Target.Path, c.To.Path))
			for _, n := range c.To.Notes() {
				q.Notes = append(q.Notes, c.To.Path+": "+n)
			}
		case c.Grant.gone:
			q.Notes = append(q.Notes, c.Target.Path+" is removed")
		}
		for _, n := range c.Target.Notes() {
			q.Notes = append(q.Notes, c.Target.Path+": "+n)
		}
		alone[i] = policy.Request{Tool: r.Tool, Name: tool, Paths: r.Paths[begin:]}
		size += len(d.OldText) + len(d.NewText)
		q.Diffs = append(q.Diffs, d)
	}
	if size > maxAskedTexts {
		return &Refusal{Reason: fmt.Sprintf("refused: the change has %d bytes of text, and %d are the most that one question shows; nothing was changed", size, maxAskedTexts), User: "Refused: it changes more text than one question shows"}
	}
	musts := g.musts(alone)
	y, _, err := g.permit(ctx, r, q)
	if err != nil {
		return err
	}
	for i := range list {
		list[i].Grant.tool = tool
		if y != nil {
			list[i].Grant.yes = &yes{must: musts[i]}
		}
	}
	for _, t := range targetsOf(list) {
		if err := g.Same(t); err != nil {
			return err
		}
	}
	return nil
}

// targetsOf are all files that changes are about, under their old and their new names.
func targetsOf(list []FileChange) (all []Target) {
	for _, c := range list {
		all = append(all, c.Target)
		if c.To != nil {
			all = append(all, *c.To)
		}
	}
	return all
}

// Sight is what may be told of a place in a file that a tool came upon.
type Sight int

const (
	SightNone Sight = iota // not even that it is there
	SightName              // its name, and not its text
	SightText
)

// Sight says what may be told of a file that somebody else names: what lies outside the session's folders is named, and its text
// asks first; what a rule denies, or may hold secrets, is left out and counted. real is the name with its links resolved. Before its
// text is shown, [Reading.Twin] looks for other names of the file.
func (r *Reading) Sight(given, real string) Sight {
	outside := false
	for _, name := range slices.Compact([]string{given, real}) {
		switch v := r.Verdict(name); {
		case v == policy.Allow:
		case v == policy.Deny, IsSecret(policy.Path{Given: name, Roots: r.roots}), r.inside(name):
			r.count(v)
			return SightNone
		default:
			outside = true
		}
	}
	if outside {
		return SightName
	}
	return SightText
}
