package session

import (
	"bytes"
	"reflect"
	"slices"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/copilot-bridge/copilot-bridge/acp"
)

// watch is a tool call while the user is asked about it in an editor that is also shown what the agent says of it
// ([Bridge.speaksACP]): the question is drawn from both, so what the agent says meanwhile would be on the screen, and not what
// the yes is for. Only step changes it.
type watch struct {
	shown   acp.ToolCallUpdate // the call as it is on the screen
	changed bool               // the agent has said something else of it
}

type (
	watchIn   struct{ watch *watch } // a question is put
	unwatchIn struct{ watch *watch } // and has its answer; nil is none
	changedIn struct {               // has the agent said something else since?
		question[bool]
		watch *watch
	}
)

func (s *state) watches(w *watch) { s.watched = append(s.watched, w) }

func (s *state) unwatch(w *watch) {
	s.watched = slices.DeleteFunc(s.watched, func(old *watch) bool { return old == w })
}

// hear tells the watches of what the agent says of a call; nil is something that cannot be read.
func (s *state) hear(u *acp.ToolCallUpdate) {
	for _, w := range s.watched {
		if u == nil || u.ToolCallID == w.shown.ToolCallID && !w.repeats(u) {
			w.changed = true
		}
	}
}

// repeats says whether an update leaves what is on the screen as it is.
func (w *watch) repeats(u *acp.ToolCallUpdate) bool {
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
	c := call{}
	if known != nil {
		c.said = *known
	}
	c.learn(*asked)
	return c.said
}
