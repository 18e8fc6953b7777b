package acptest

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// A Verdict is the state of an expectation.
type Verdict int

// The verdicts.
const (
	Unmet      Verdict = iota // not yet; it is worth waiting
	Met                       // it came true
	Unmeetable                // it cannot come true any more: waiting is hopeless
)

// A message as it came from the peer.
type message struct {
	ID     jsontext.Value `json:"id"`
	Method string         `json:"method"`
	Params jsontext.Value `json:"params"`
	Result jsontext.Value `json:"result"`
	Error  jsontext.Value `json:"error"`
}

func (m *message) String() string {
	if m.Method != "" {
		return short(m.Method + " " + string(m.Params))
	}
	if m.Error != nil {
		return short("error to " + string(m.ID) + " " + string(m.Error))
	}
	return short("result to " + string(m.ID) + " " + string(m.Result))
}

// state is what an agent knows of its peer and of the test: all that the steps wait for. The reader and the test change
// it, the player waits for changes.
type state struct {
	mu         sync.Mutex
	inbox      []*message          // requests and notifications that no step took yet
	answers    map[string]*message // id → response that no step took yet
	end        error               // why nothing more will come, errHungUp if the peer is done; nil while something may
	set        map[string]bool     // markers that the test set
	gone       bool                // nobody will set a marker any more
	deaf       bool                // the reader stops before its next read
	transcript []string
	changed    chan struct{} // closed by the next change
}

func newState() *state {
	return &state{answers: map[string]*message{}, set: map[string]bool{}, changed: make(chan struct{})}
}

// change runs f on the state and wakes those who wait.
func (s *state) change(f func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	f()
	close(s.changed)
	s.changed = make(chan struct{})
}

// received files a line of the peer.
func (s *state) received(line []byte) {
	m := new(message)
	err := json.Unmarshal(line, m, jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))
	s.change(func() {
		switch {
		case err != nil:
			s.end = fmt.Errorf("the peer sent a line that is no message: %w: %.200q", err, line)
		case m.Method != "":
			s.inbox = append(s.inbox, m)
		case s.answers[string(m.ID)] != nil:
			s.end = fmt.Errorf("the peer answered request %s twice", m.ID)
		default:
			s.answers[string(m.ID)] = m
		}
		s.note("← " + m.String())
	})
}

func (s *state) note(text string) {
	if len(s.transcript) == maxTranscript {
		s.transcript = s.transcript[1:]
	}
	s.transcript = append(s.transcript, text)
}

var (
	errStopped = errors.New("stopped")              // ends a script that was told to stop
	errHungUp  = errors.New("the peer has hung up") // ends a script that waits for the peer
)

// wait blocks until want is met. want runs with the state locked; why tells what it waits for, or why it waits in vain.
func (s *state) wait(ctx context.Context, want func() (verdict Verdict, why string)) error {
	for {
		s.mu.Lock()
		verdict, why := want()
		changed := s.changed
		s.mu.Unlock()
		switch verdict {
		case Met:
			return nil
		case Unmeetable:
			return errors.New(why)
		}
		select {
		case <-changed:
		case <-ctx.Done():
			if errors.Is(context.Cause(ctx), errStopped) {
				return errStopped
			}
			return fmt.Errorf("%s: %w", why, context.Cause(ctx))
		}
	}
}
