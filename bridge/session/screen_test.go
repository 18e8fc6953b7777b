package session_test

import (
	"context"
	"strings"
	"sync"

	"github.com/copilot-bridge/copilot-bridge/bridge/host"

	"github.com/copilot-bridge/copilot-bridge/acp"
	"github.com/copilot-bridge/copilot-bridge/bridge/permission"
)

// screen is an [Editor] that keeps what it is shown and answers as it is told to.
type screen struct {
	mu      sync.Mutex
	events  []Event
	changed chan struct{}
	asked   []*Question

	show        func(context.Context, Event) // before an event counts as shown; nil: at once
	ask         func(context.Context, *Question) (Answer, error)
	input       func(context.Context, *InputRequest) (InputAnswer, error)
	diagnostics func([]string) ([]FileDiagnostics, error)
	diagnosed   func(context.Context, string) (host.Diagnosed, error)
	languages   host.LanguageServers
	selection   func() (*Selection, error)
}

func newScreen() *screen { return &screen{changed: make(chan struct{}), ask: yes} }

const (
	optReject  = permission.OptReject
	optOnce    = permission.OptOnce
	optUnsaved = permission.OptUnsaved
	optAlways  = permission.OptAlways
)

func yes(context.Context, *Question) (Answer, error) { return Answer{OptionID: optOnce}, nil }
func no(context.Context, *Question) (Answer, error)  { return Answer{OptionID: optReject}, nil }

func (s *screen) Show(ctx context.Context, ev Event) {
	s.mu.Lock()
	show := s.show
	s.mu.Unlock()
	if show != nil {
		show(ctx, ev)
	}
	s.change(func() { s.events = append(s.events, ev) })
}

func (s *screen) change(f func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	f()
	close(s.changed)
	s.changed = make(chan struct{})
}

func (s *screen) Ask(ctx context.Context, q *Question) (Answer, error) {
	s.change(func() { s.asked = append(s.asked, q) })
	acp.Queued(ctx)
	return s.ask(ctx, q)
}

func (s *screen) Input(ctx context.Context, in *InputRequest) (InputAnswer, error) {
	if s.input == nil {
		return InputAnswer{}, ErrUnsupported
	}
	return s.input(ctx, in)
}

func (s *screen) Diagnostics(_ context.Context, paths []string) ([]FileDiagnostics, error) {
	if s.diagnostics == nil {
		return nil, ErrUnsupported
	}
	return s.diagnostics(paths)
}

func (s *screen) Diagnosed(ctx context.Context, path string) (host.Diagnosed, error) {
	if s.diagnosed == nil {
		return host.Diagnosed{}, ErrUnsupported
	}
	return s.diagnosed(ctx, path)
}

func (s *screen) Languages(context.Context, string) (host.LanguageServers, error) {
	if s.languages == nil {
		return nil, ErrUnsupported
	}
	return s.languages, nil
}

func (s *screen) Selection(context.Context) (*Selection, error) {
	if s.selection == nil {
		return nil, ErrUnsupported
	}
	return s.selection()
}

func (s *screen) questions() []*Question {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]*Question(nil), s.asked...)
}

// seen are the events so far, and what is closed when there is another one.
func (s *screen) seen() ([]Event, <-chan struct{}) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.events[:len(s.events):len(s.events)], s.changed
}

// updates are the session updates so far, in order.
func updates(events []Event) (out []*Message) {
	for _, ev := range events {
		if u, ok := ev.(*Message); ok {
			out = append(out, u)
		}
	}
	return out
}

// said is all the agent's text.
func said(events []Event) string {
	var b strings.Builder
	for _, u := range updates(events) {
		if c, ok := u.Update().(*acp.AgentMessageChunk); ok {
			if t, ok := c.Content.(*acp.TextContent); ok {
				b.WriteString(t.Text)
			}
		}
	}
	return b.String()
}

func ends(events []Event) (out []*TurnEnded) {
	for _, ev := range events {
		if e, ok := ev.(*TurnEnded); ok {
			out = append(out, e)
		}
	}
	return out
}

func happenings(events []Event, kind string) (out []*Happening) {
	for _, ev := range events {
		if c, ok := ev.(*SessionChanged); ok && c.Event != nil && c.Event.Type == kind {
			out = append(out, c.Event)
		}
	}
	return out
}
