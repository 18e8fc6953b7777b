package session_test

import (
	"os"
	"path/filepath"
	"testing"
)

// TestATitleThatCannotBeSavedIsAnError: the answer to who sets it means that it is on disk.
func TestATitleThatCannotBeSavedIsAnError(t *testing.T) {
	t.Parallel()
	r := lasting(t, hello).open()
	if err := r.b.SetTitle(r.session, "mine"); err != nil {
		t.Fatal(err)
	}
	if err := os.RemoveAll(filepath.Join(r.cfg.StateDir, "sessions")); err != nil {
		t.Fatal(err)
	}
	if err := r.b.SetTitle(r.session, "mine, again"); err == nil {
		t.Error("it counts as saved")
	}
	if got := r.theSession().Snapshot().Title; got != "mine, again" {
		t.Errorf("the session is called %q", got)
	}
}
