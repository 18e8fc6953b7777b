package wire

import (
	"context"
	"sync"
	"testing"

	"go.uber.org/goleak"

	"github.com/copilot-bridge/copilot-bridge/bridge/conversation"
	"github.com/copilot-bridge/copilot-bridge/internal/await"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(await.Watch(m)) }

type (
	Event   = conversation.Event
	Message = conversation.Message
)

// StatusChanged is an event that is merged with no other.
type StatusChanged struct{ Message string }

func (*StatusChanged) IsEvent() {}

// screen keeps what it is shown.
type screen struct {
	show   func(context.Context, Event) // before an event counts as shown; nil: at once
	mu     sync.Mutex
	events []Event
}

func newScreen() *screen { return &screen{} }

func (s *screen) Show(ctx context.Context, ev Event) {
	if s.show != nil {
		s.show(ctx, ev)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.events = append(s.events, ev)
}

func (s *screen) seen() []Event {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.events[:len(s.events):len(s.events)]
}
