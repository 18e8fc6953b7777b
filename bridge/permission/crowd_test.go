package permission

import (
	"context"
	"errors"
	"strings"
	"sync"
	"testing"

	"github.com/copilot-bridge/copilot-bridge/bridge/policy"
)

// TestTooManyQuestionsAreNotAsked: what is above the limit is refused at once, the user is told of it once a turn, and an answer
// makes room for one more.
func TestTooManyQuestionsAreNotAsked(t *testing.T) {
	g := gateOf(t, t.TempDir())
	var mu sync.Mutex
	var told []string
	g.Notice = func(text string) {
		mu.Lock()
		defer mu.Unlock()
		told = append(told, text)
	}
	asked, answer, ended := make(chan struct{}, 2*maxOpenQuestions), make(chan struct{}), make(chan struct{}, maxOpenQuestions)
	g.AskUser = func(ctx context.Context, _ *Question) (Answer, bool, error) {
		asked <- struct{}{}
		<-answer
		return Answer{OptionID: OptOnce}, false, nil
	}
	run := func() error {
		return g.Permit(t.Context(), policy.Request{Tool: policy.ToolShell, Name: "x", Argv: []string{"ls"}}, &Question{Title: "Run ls"})
	}
	g.BeginTurn("t1")
	var open sync.WaitGroup
	for range maxOpenQuestions {
		open.Go(func() {
			if err := run(); err != nil {
				t.Errorf("one that was asked: %v", err)
			}
			ended <- struct{}{}
		})
	}
	for range maxOpenQuestions {
		<-asked
	}
	refused := new(Refusal)
	for range 20 {
		if err := run(); !errors.As(err, &refused) || !strings.Contains(refused.Reason, "open already") {
			t.Errorf("one more: %v", err)
		}
	}
	ctx, _, err := g.Enter(t.Context(), policy.Request{Name: "session/request_permission"})
	if err == nil || ctx != t.Context() {
		t.Errorf("another one was let in: %v", err)
	}
	if len(told) != 1 || len(asked) != 0 {
		t.Errorf("told %q, and %d more were asked", told, len(asked))
	}
	g.BeginTurn("t2")
	if _ = run(); len(told) != 2 {
		t.Errorf("in the next turn told %q", told)
	}
	answer <- struct{}{}
	<-ended
	if _, leave, err := g.Enter(t.Context(), policy.Request{}); err != nil {
		t.Errorf("an answer made no room: %v", err)
	} else {
		leave()
	}
	close(answer)
	open.Wait()
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.open != 0 {
		t.Errorf("%d are still open", g.open)
	}
}

// TestARequestIsCountedOnce, also where it is made ready before it is asked about.
func TestARequestIsCountedOnce(t *testing.T) {
	g := gateOf(t, t.TempDir())
	ctx, leave, err := g.Enter(t.Context(), policy.Request{})
	if err != nil {
		t.Fatal(err)
	}
	g.AskUser = func(context.Context, *Question) (Answer, bool, error) {
		g.mu.Lock()
		defer g.mu.Unlock()
		if g.open != 1 {
			t.Errorf("it is counted %d times", g.open)
		}
		return Answer{}, false, nil
	}
	if _, err := g.ask(ctx, &Question{Title: "Save a.txt"}); err != nil {
		t.Error(err)
	}
	leave()
	if g.open != 0 {
		t.Errorf("%d are still open", g.open)
	}
}
