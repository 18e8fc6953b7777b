package calls

import (
	"bytes"
	"reflect"
	"slices"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/copilot-bridge/copilot-bridge/acp"
)

// Watch is a tool call while the user is asked about it in an editor that is also shown what the agent says of it
// (one that speaks ACP): the question is drawn from both, so what the agent says meanwhile would be on the screen, and not what
// the yes is for. It belongs to the [Table] that it is given to.
type Watch struct {
	shown   acp.ToolCallUpdate // the call as it is on the screen
	Changed bool               // the agent has said something else of it
}

// NewWatch is a watch of a call that a question is about. known is what was said of it before, nil for nothing; asked is what the
// question itself says.
func NewWatch(known, asked *acp.ToolCallUpdate) *Watch { return &Watch{shown: onScreen(known, asked)} }

// Watch begins to watch.
func (t *Table) Watch(w *Watch) { t.watched = append(t.watched, w) }

// Unwatch ends it: the question has its answer.
func (t *Table) Unwatch(w *Watch) {
	t.watched = slices.DeleteFunc(t.watched, func(old *Watch) bool { return old == w })
}

// Unread takes in that something was said of a call, which may be any.
func (t *Table) Unread() { t.hear(nil) }

// hear tells the watches of what the agent says of a call; nil is something that cannot be read.
func (t *Table) hear(u *acp.ToolCallUpdate) {
	for _, w := range t.watched {
		if u == nil || u.ToolCallID == w.shown.ToolCallID && !w.repeats(u) {
			w.Changed = true
		}
	}
}

// repeats says whether an update leaves what is on the screen as it is.
func (w *Watch) repeats(u *acp.ToolCallUpdate) bool {
	was := &w.shown
	switch {
	case u.Title != nil && (was.Title == nil || *was.Title != *u.Title),
		u.Kind != nil && (was.Kind == nil || *was.Kind != *u.Kind),
		len(u.RawInput) > 0 && !equalInputs(u.RawInput, was.RawInput),
		u.Content != nil && len(u.Content)+len(was.Content) > 0 && !reflect.DeepEqual(u.Content, was.Content),
		u.Locations != nil && len(u.Locations)+len(was.Locations) > 0 && !reflect.DeepEqual(u.Locations, was.Locations):
		return false
	}
	return len(u.RawOutput) == 0
}

// equalInputs compares values, whatever the order of their members. What cannot be brought in order is compared as it came.
func equalInputs(a, b jsontext.Value) bool {
	x, y := a.Clone(), b.Clone()
	if x.Canonicalize() != nil || y.Canonicalize() != nil {
		return bytes.Equal(a, b)
	}
	return bytes.Equal(x, y)
}

// onScreen is a question about a call as an editor shows it, that merges it with what was said of the call before (ACP v1).
func onScreen(known, asked *acp.ToolCallUpdate) acp.ToolCallUpdate {
	c := Call{}
	if known != nil {
		c.said = *known
	}
	c.learn(*asked)
	return c.said
}
