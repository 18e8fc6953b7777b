package permission

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/copilot-bridge/copilot-bridge/acp"
	"github.com/copilot-bridge/copilot-bridge/bridge/permission/meaning"
	"github.com/copilot-bridge/copilot-bridge/bridge/policy"
	"github.com/copilot-bridge/copilot-bridge/fsproxy"
)

// askedChange is the change of one file as a question of the agent's shows it, on its way to what would really happen.
type askedChange struct {
	t       Target
	old     *string // what is there, nil for nothing
	text    string  // and what will be
	whole   bool    // text is the agent's idea of the whole file
	unknown string  // why the two could not be compared
	notes   []string
	look    func() // asks an editor that does not tell of its buffers what it has, once; nil where there is no need
}

// consult asks the editor; false if there is nothing more to be learnt.
func (c *askedChange) consult() bool {
	look := c.look
	c.look = nil
	if look == nil || c.whole {
		return false
	}
	look()
	return true
}

// askedChanges are the changes of a question, one a file.
type askedChanges struct {
	g    *Gate
	ctx  context.Context
	list []*askedChange
	left int // bytes of text that may still be compared
}

// at is the change of a file, which begins as the text that is there.
func (l *askedChanges) at(t Target) *askedChange {
	if i := l.index(t); i >= 0 {
		return l.list[i]
	}
	c := &askedChange{t: t}
	take := func(old *string, err error) {
		if c.old, c.text = old, ""; err != nil {
			c.unknown = "it could not be compared with what is there"
		} else if old != nil {
			c.text, l.left = *old, l.left-len(*old)
		}
	}
	if l.left <= 0 {
		c.unknown = "it could not be compared with what is there, there is too much of it"
	} else {
		take(l.g.TextOf(l.ctx, t, fsproxy.WithDisk()))
	}
	if l.g.all.FS.Remote() {
		c.look = func() {
			ctx, cancel := context.WithTimeout(l.ctx, maxAskedRead)
			defer cancel()
			if old, err := l.g.TextOf(ctx, t); err == nil {
				take(old, nil)
			}
		}
	}
	l.list = append(l.list, c)
	return c
}

func (l *askedChanges) index(t Target) int {
	return slices.IndexFunc(l.list, func(c *askedChange) bool { return c.t.Real == t.Real })
}

// showChanges shows the changes of a question as they would happen, whole texts, and notes which of them a yes covers: the
// files whose change is shown, and of them exactly this change. Most agents show only the lines they replace.
func (g *Gate) showChanges(ctx context.Context, a *Asked, content []acp.ToolCallContent, in meaning.Input) {
	r, q := &a.Request, &a.Shown
	l := &askedChanges{g: g, ctx: ctx, left: maxAskedTexts}
	for _, item := range content {
		d, ok := item.(*acp.Diff)
		if !ok {
			continue
		}
		t, err := g.Resolve(d.Path)
		if err != nil {
			continue // the question is refused
		}
		c := l.at(t)
		var disk *string
		if c.old != nil && c.unknown == "" {
			disk = g.onDisk(ctx, t)
		}
		c.put(d.OldText, d.NewText, disk)
		if len(in.Paths) > 0 && in.Odd == "" && !in.Agrees(d) && g.namedBy(in.Paths, t) {
			r.Odd = "its input and the change that it shows are not the same"
		}
	}
	if len(l.list) == 0 && len(a.Targets) == 1 && in.Odd == "" && r.Tool == policy.ToolEdit {
		l.fromInput(a.Targets[0], in)
		l.list = slices.DeleteFunc(l.list, func(c *askedChange) bool { return c.unknown != "" && c.text == "" })
	}
	for _, c := range l.list {
		g.finish(ctx, a, c)
	}
	if r.Tool != policy.ToolEdit || r.Odd != "" {
		a.covers = nil // a yes to a read is none to a write
	}
	if r.Tool != policy.ToolEdit {
		return
	}
	unseen := slices.DeleteFunc(slices.Clone(a.Targets), func(t Target) bool { return l.index(t) >= 0 })
	switch {
	case len(l.list) == 0:
		q.aside = append(q.aside, "the agent does not show what it will change")
	case len(unseen) > 0:
		q.Notes = append(q.Notes, "the agent also names "+strings.Join(g.names(unseen), ", ")+" and does not show what it will change there")
	}
}

// onDisk is the text of a file on disk, nil if there is none: an agent that knows only that takes it for the whole.
func (g *Gate) onDisk(ctx context.Context, t Target) *string {
	disk := g.all.Disk
	if t.Outside {
		disk = disk.WithOutside(t.Real)
	}
	snap, err := disk.Read(ctx, t.Real)
	if err != nil {
		return nil
	}
	text := snap.Text.String()
	return &text
}

// put makes one diff of the agent's: the replacement of a whole text, that of the buffer or that on disk, or else of the one
// place where its old text is.
func (c *askedChange) put(old *string, text string, disk *string) {
	is := func(whole *string) bool { return old != nil && whole != nil && *old == *whole }
	fresh := old == nil || *old == ""
	if c.unknown == "" {
		if c.old == nil && fresh || c.old != nil && is(&c.text) {
			c.text = text
			return
		}
		if c.consult() {
			c.put(old, text, disk)
			return
		}
		if next, err := fsproxy.Replace(c.text, deref(old), text); err == nil && !fresh && !is(disk) {
			c.text = next
			return
		}
	}
	switch {
	case c.unknown != "":
	case c.old == nil:
		c.notes = append(c.notes, c.t.Path+" is not there; the agent shows it as one that is")
	case is(disk):
		c.notes = append(c.notes, c.t.Path+" holds unsaved text that the agent does not know; this is what would become of it")
	case fresh:
		c.notes = append(c.notes, fmt.Sprintf("%s exists already, %d lines; the agent shows it as a new file. What is shown here is what would become of it", c.t.Path, len(wholeLines(c.text))))
	default:
		c.notes = append(c.notes, c.t.Path+" does not hold what the agent shows as its old text; what is shown here is what would become of it if the new text is all of it")
	}
	c.text, c.whole = text, true
}

func deref(text *string) string {
	if text == nil {
		return ""
	}
	return *text
}

// fromInput is the change that the input of an agent tells that shows none.
func (l *askedChanges) fromInput(t Target, in meaning.Input) {
	if in.Text == nil && (in.Old == nil || in.New == nil) {
		return
	}
	c := l.at(t)
	c.consult()
	if in.Text != nil {
		c.replace(*in.Text)
		return
	}
	switch next, err := fsproxy.Replace(c.text, *in.Old, *in.New); {
	case c.unknown != "":
	case in.Every && *in.Old != "" && strings.Contains(c.text, *in.Old):
		c.text = strings.ReplaceAll(c.text, *in.Old, *in.New)
	case err == nil:
		c.text = next
	default:
		c.unknown, c.text = "it does not hold what the agent wants to replace", *in.New
	}
}

// replace puts a text of which the agent says that it is the whole file.
func (c *askedChange) replace(text string) {
	if c.old != nil && c.unknown == "" {
		c.notes = append(c.notes, fmt.Sprintf("%s exists already, %d lines; all of it is replaced", c.t.Path, len(wholeLines(*c.old))))
	}
	c.text, c.whole = text, true
}

// finish shows a change, and covers it.
func (g *Gate) finish(ctx context.Context, a *Asked, c *askedChange) {
	q := &a.Shown
	if c.unknown != "" {
		q.Notes = append(q.Notes, c.t.Path+": "+c.unknown)
		q.Diffs = append(q.Diffs, FileDiff{Path: c.t.Path, NewText: c.text})
		return
	}
	old, text := c.old, c.text
	if c.whole && old != nil {
		ctx, cancel := context.WithTimeout(ctx, maxAskedRead)
		defer cancel()
		old, text, _ = g.Preview(ctx, c.t, old, text, g.StartedFrom(ctx, c.t))
	}
	covered := ChangeGrant(c.t, 0, old, text) // made is told when it is used
	a.covers = append(a.covers, covered)
	q.Diffs = append(q.Diffs, FileDiff{Path: c.t.Path, OldText: covered.before, NewText: covered.after, Created: !covered.exists})
	q.Notes = append(q.Notes, c.notes...)
	q.otherwise = q.otherwise || len(c.notes) > 0 && old != nil
}

// namedBy says whether a file is one of those that paths name.
func (g *Gate) namedBy(paths []string, t Target) bool {
	return slices.ContainsFunc(paths, func(p string) bool {
		other, err := g.Resolve(p)
		return err == nil && other.Real == t.Real
	})
}
