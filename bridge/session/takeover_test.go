package session_test

import (
	"testing"

	"github.com/copilot-bridge/copilot-bridge/bridge/review"
)

// TestPendingChangesComeBackWhenTheEndingBridgeLetsGo: the editor was quit and started again before its bridge was gone.
func TestPendingChangesComeBackWhenTheEndingBridgeLetsGo(t *testing.T) {
	t.Parallel()
	state := t.TempDir()
	old := newRigWith(t, map[string]string{"a.txt": "one\ntwo\n", "b.txt": "one\n"}, func(c *Config) { c.StateDir = state })
	for name, after := range map[string]string{"a.txt": "one\nTWO\n", "b.txt": "ONE\n"} {
		err := old.b.Config().Book.Record([]review.Change{{
			Session: "s", Turn: "t", Path: old.path(name), Kind: review.KindEdit, Before: old.disk(name), After: after, BeforeExists: true,
		}})
		if err != nil {
			t.Fatal(err)
		}
		old.put(name, after)
	}
	next := newRigWith(t, nil, func(c *Config) { c.StateDir, c.Folders = state, []string{old.dir} })
	if got := next.b.Review(next.ctx, review.Filter{}); len(got) != 0 {
		t.Fatal("the changes of a bridge that lives are taken", got)
	}
	old.put("a.txt", "zero\none\nTWO\n") // meanwhile
	old.put("b.txt", "one\n")
	if err := old.b.Config().Book.Close(); err != nil {
		t.Fatal(err)
	}
	next.until("the pending change", func(events []Event) bool {
		for _, ev := range events {
			if e, ok := ev.(*ReviewChanged); ok && e.Path == old.path("a.txt") {
				if len(e.Hunks) != 1 || e.Hunks[0].StartLine != 2 || e.Hunks[0].OldText != "two\n" {
					t.Fatal("shown as it was, not as it is", e.Hunks)
				}
				return true
			}
		}
		return false
	})
	got := next.b.Review(next.ctx, review.Filter{})
	if len(got) != 1 || got[0].Path != old.path("a.txt") {
		t.Fatal(got)
	}
	if n, cs := next.b.Undo(next.ctx, review.Selector{All: true}); n != 1 || len(cs) != 0 || old.disk("a.txt") != "zero\none\ntwo\n" {
		t.Fatal(n, cs, old.disk("a.txt"))
	}
	for _, ev := range next.events() {
		if e, ok := ev.(*StatusChanged); ok && e.Kind == StatusError {
			t.Error(e.Message)
		}
	}
}
