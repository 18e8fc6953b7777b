package store

import (
	"bytes"
	"errors"
	"testing"
)

// TestWhatTheAgentKeepsIsWhole: it is on disk when it is said to be, replaced as a whole, gone with the session, and
// nothing of it is a new session's of the same id.
func TestWhatTheAgentKeepsIsWhole(t *testing.T) {
	s := Open(Config{Dir: t.TempDir()})
	create := func() *Session {
		t.Helper()
		ses, err := s.Create(Meta{ID: "a", Cwd: "/"})
		if err != nil {
			t.Fatal(err)
		}
		if got, err := ses.AgentState(); got != nil || err != nil {
			t.Fatalf("a new session has %q, %v", got, err)
		}
		return ses
	}
	put := func(ses *Session, text []byte) {
		t.Helper()
		if err := ses.PutAgentState(text); err != nil {
			t.Fatal(err)
		}
		if got, err := ses.AgentState(); err != nil || !bytes.Equal(got, text) {
			t.Fatalf("%d bytes, %v", len(got), err)
		}
	}
	ses := create()
	put(ses, []byte("never announced"))
	ses.log.Close() // as a kill: the session is not in the list yet
	ses.lock.Close()

	ses = create()
	put(ses, bytes.Repeat([]byte("long"), 100_000))
	put(ses, []byte("short"))
	if err := ses.Close(); err != nil {
		t.Fatal(err)
	}
	if err := ses.PutAgentState([]byte("late")); err == nil {
		t.Error("a closed session was written to: another process may have it")
	}
	ses, err := s.Load("a")
	if err != nil {
		t.Fatal(err)
	}
	if got, err := ses.AgentState(); string(got) != "short" || err != nil {
		t.Errorf("in another run: %q, %v", got, err)
	}
	ses.readOnly = ErrNewer
	if err := ses.PutAgentState([]byte("x")); !errors.Is(err, ErrNewer) || ses.Folder() != "" {
		t.Errorf("what is not to be written to was: %v, %q", err, ses.Folder())
	}
	ses.readOnly = nil
	ses.Close()
	if err := s.Delete("a"); err != nil {
		t.Fatal(err)
	}
	create().Close()
}
