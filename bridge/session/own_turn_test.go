package session_test

import (
	"context"
	"slices"
	"testing"

	"github.com/copilot-bridge/copilot-bridge/acp"
	"github.com/copilot-bridge/copilot-bridge/bridge/review"
	"github.com/copilot-bridge/copilot-bridge/bridge/tools"
)

// own are the turns that the agent has begun by itself.
func own(events []Event) (turns []string) {
	for _, ev := range events {
		if s, ok := ev.(*TurnStarted); ok && s.Own {
			turns = append(turns, s.Turn)
		}
	}
	return turns
}

// TestAnEditWithoutAPromptHasATurnOfItsOwn: it is asked about, made and pending, and that turn can be undone by itself.
func TestAnEditWithoutAPromptHasATurnOfItsOwn(t *testing.T) {
	t.Parallel()
	r := newRig(t, map[string]string{"a.txt": "one\n"}, hello+`expect@p session/prompt
reply@p {"stopReason":"end_turn"}`).open().withTools()
	r.run("hello")
	for n, text := range []string{"two\n", "three\n"} {
		old := r.disk("a.txt")
		if _, err := r.link().Edit(r.ctx, caller(), tools.EditArgs{Path: r.path("a.txt"), Old: old, New: text}); err != nil {
			t.Fatal(err)
		}
		var turns []string
		r.until("the end of the turn", func(events []Event) bool {
			turns = own(events)
			return len(turns) == n+1 && slices.ContainsFunc(ends(events), func(e *TurnEnded) bool { return e.Turn == turns[n] && e.StopReason == acp.StopReasonEndTurn })
		})
		if files := r.b.Review(r.ctx, review.Filter{Turn: turns[n]}); len(files) != 1 {
			t.Errorf("pending of the turn: %+v", files)
		}
	}
	turns := own(r.events())
	if _, conflicts := r.b.Undo(r.ctx, review.Selector{Turn: turns[1]}); len(conflicts) > 0 || r.disk("a.txt") != "two\n" {
		t.Errorf("undone: %v, %q", conflicts, r.disk("a.txt"))
	}
}

// TestACancelEndsWhatIsDoneInATurnOfTheAgentsOwn: a question in it is withdrawn, and nothing is changed.
func TestACancelEndsWhatIsDoneInATurnOfTheAgentsOwn(t *testing.T) {
	t.Parallel()
	r := newRig(t, map[string]string{"a.txt": "one\n"}, hello+"expect session/cancel").open().withTools()
	asked := make(chan struct{})
	r.screen.ask = func(ctx context.Context, _ *Question) (Answer, error) {
		close(asked)
		<-ctx.Done()
		return Answer{}, ctx.Err()
	}
	failed := make(chan error, 1)
	go func() {
		_, err := r.link().Edit(r.ctx, caller(), tools.EditArgs{Path: r.path("a.txt"), Old: "one", New: "two"})
		failed <- err
	}()
	<-asked
	turn := own(r.events())[0]
	if err := r.b.Cancel(r.session, Cancellation{Turn: turn}); err != nil {
		t.Fatal(err)
	}
	if err := <-failed; err == nil {
		t.Error("the edit was made")
	}
	if end := r.ended(turn); end.StopReason != acp.StopReasonCancelled || r.disk("a.txt") != "one\n" {
		t.Errorf("ended with %s, the disk holds %q", end.StopReason, r.disk("a.txt"))
	}
}
