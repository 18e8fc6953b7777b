package fsproxy

import (
	"slices"

	"github.com/copilot-bridge/copilot-bridge/fsproxy/text"
)

// Change is what happened to a buffer.
type Change struct {
	Path string
	// Before is nil when the buffer was opened, After when it was closed or dropped.
	Before, After *Snapshot
	// Steps are the content changes of one notification, the last of them leading to
	// After; empty when something else happened.
	Steps  []Step
	Closed bool
}

// Step is one content change: an edit of the text before it, by byte offsets, and
// the text it led to. When the editor sent its whole text, the edit is of all of it.
type Step struct {
	Edit TextEdit
	Text text.Text
}

type subscription struct{ f func(Change) }

// Subscribe has f called after every change, in order, one at a time. f must not
// block nor change the overlay; it may read it. A call under way when cancel is
// called may still end after it.
func (o *Overlay) Subscribe(f func(Change)) (cancel func()) {
	s := &subscription{f}
	o.mu.Lock()
	o.subs = append(slices.Clone(o.subs), s)
	o.mu.Unlock()
	return func() {
		o.mu.Lock()
		defer o.mu.Unlock()
		o.subs = slices.DeleteFunc(slices.Clone(o.subs), func(x *subscription) bool { return x == s })
	}
}

// tell makes d the document at path, none if it is nil, and says so. The caller
// has the turn.
func (o *Overlay) tell(path string, d *document, steps []Step) {
	c := Change{Path: path, Steps: steps, Closed: d == nil}
	o.mu.Lock()
	if old := o.docs[path]; old != nil {
		c.Before = old.snap
	}
	if d == nil {
		delete(o.docs, path)
	} else {
		o.docs[path] = d
		c.After = d.snap
	}
	subs := o.subs
	o.mu.Unlock()
	if c.Before == nil && c.After == nil {
		return
	}
	for _, s := range subs {
		s.f(c)
	}
}
