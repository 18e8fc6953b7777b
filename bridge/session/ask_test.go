package session

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"github.com/copilot-bridge/copilot-bridge/acp"
	"github.com/copilot-bridge/copilot-bridge/bridge/permission"
	"github.com/copilot-bridge/copilot-bridge/bridge/wire"
)

func TestNobodyToAskIsANo(t *testing.T) {
	s := &Session{all: &Set{}, in: newInbox()}
	if _, _, err := s.askUser(context.Background(), &Question{Title: "x"}); err == nil {
		t.Error("there is nobody, and no error")
	}
}

// a question that nobody answers stays open, for a day and longer, and is no yes.
func TestAQuestionStaysOpenForDays(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ed := &asker{}
		answer := make(chan Answer)
		ed.ask = func(ctx context.Context, _ *Question) (Answer, error) {
			select {
			case a := <-answer:
				return a, nil
			case <-ctx.Done():
				return Answer{}, ctx.Err()
			}
		}
		b := &Set{cfg: Config{Editor: ed, Out: wire.New(true, func(Event, func(Event)) {})}}
		s := &Session{all: b, in: newInbox()}
		got := make(chan Answer, 1)
		go func() {
			a, _, err := s.askUser(t.Context(), &Question{Title: "x", Options: []acp.PermissionOption{{OptionID: permission.OptReject, Kind: acp.PermissionOptionKindRejectOnce}}})
			if err != nil {
				t.Error(err)
			}
			got <- a
		}()
		time.Sleep(72 * time.Hour)
		synctest.Wait()
		if len(got) > 0 {
			t.Fatalf("answered by itself: %+v", <-got)
		}
		answer <- Answer{OptionID: permission.OptReject}
		if a := <-got; a.OptionID != permission.OptReject {
			t.Errorf("the answer is %+v", a)
		}
	})
}

// asker is an editor that only asks.
type asker struct {
	Editor
	ask func(context.Context, *Question) (Answer, error)
}

func (a *asker) Ask(ctx context.Context, q *Question) (Answer, error) { return a.ask(ctx, q) }
