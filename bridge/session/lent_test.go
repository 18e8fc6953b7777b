package session_test

import (
	"testing"

	"github.com/copilot-bridge/copilot-bridge/bridge/review"
)

// TestALentBufferIsChangedAndReviewed: another bridge of the user's changes a buffer that is open here, where it can be
// undone.
func TestALentBufferIsChangedAndReviewed(t *testing.T) {
	t.Parallel()
	r := newRig(t, map[string]string{"a.txt": "one\ntwo\n"})
	const mine = "mine\none\ntwo\n"
	r.buffer("a.txt", mine)
	if text, unsaved, open := r.b.LendRead(r.path("a.txt")); text != mine || !unsaved || !open {
		t.Fatalf("lent is %q, unsaved %v, open %v", text, unsaved, open)
	}
	if err := r.b.LendWrite(r.ctx, r.path("a.txt"), mine, "mine\none\nTWO\n"); err != nil {
		t.Fatal(err)
	}
	if got := r.bufferText("a.txt"); got != "mine\none\nTWO\n" {
		t.Errorf("the buffer holds %q", got)
	}
	if got := r.disk("a.txt"); got != "one\ntwo\n" {
		t.Errorf("the disk under it holds %q", got)
	}
	files := r.b.Review(r.ctx, review.Filter{})
	if len(files) != 1 || len(files[0].Hunks) != 1 || files[0].Hunks[0].OldText != "two\n" {
		t.Errorf("to review is %+v", files)
	}
}
