//go:build linux

package terminalproxy

import (
	"testing"
)

func TestOutputIsKeptForTheLastReleasedTerminals(t *testing.T) {
	r := runner(t, Config{})
	var ids []string
	for range KeptTerminals + 2 {
		term := create(t, r, Spec{Command: "echo", Args: []string{"x"}})
		wait(t, term)
		if err := term.Release(t.Context()); err != nil {
			t.Fatal(err)
		}
		ids = append(ids, term.ID())
	}
	for i, id := range ids {
		if _, ok := r.Kept("s", id); ok != (i >= 2) {
			t.Errorf("terminal %d of %d kept: %v", i, len(ids), ok)
		}
	}
	if _, ok := r.Kept("another", ids[len(ids)-1]); ok {
		t.Error("another session sees it")
	}
	r.CloseSession("s")
	if _, ok := r.Kept("s", ids[len(ids)-1]); ok {
		t.Error("kept beyond the session")
	}
}

func TestListDescribesTheTerminals(t *testing.T) {
	r := runner(t, Config{})
	dir := t.TempDir()
	a := create(t, r, Spec{Session: "a", Command: "sleep", Args: []string{"60"}, SessionCwd: dir})
	b := create(t, r, Spec{Session: "b", Command: "true", Cwd: dir})
	wait(t, b)
	list := r.List("")
	if len(list) != 2 || list[0].ID != a.ID() || list[1].ID != b.ID() {
		t.Fatalf("%+v", list)
	}
	if i := list[0]; i.Session != "a" || i.Command != "sleep" || i.Args[0] != "60" || i.Cwd != dir || i.PID != a.PID() || i.Started.IsZero() || i.Exit != nil {
		t.Errorf("%+v", i)
	}
	if i := list[1]; i.Exit == nil || !sameExit(*i.Exit, code(0)) {
		t.Errorf("%+v", i)
	}
	if list := r.List("a"); len(list) != 1 || list[0].ID != a.ID() {
		t.Errorf("session a: %+v", list)
	}
}

func TestKeptOutputIsBoundedInBytes(t *testing.T) {
	var s session
	for range 5 {
		term := &Terminal{}
		term.ring.keep = MaxOutputLimit
		term.ring.append(make([]byte, KeptBytes/4))
		s.rememberReleased(term)
	}
	if len(s.released) != 4 {
		t.Errorf("%d are kept", len(s.released))
	}
	big := &Terminal{}
	big.ring.keep = 2 * KeptBytes
	big.ring.append(make([]byte, 2*KeptBytes))
	s.rememberReleased(big)
	if len(s.released) != 1 || s.released[0] != big {
		t.Error("the last one is not kept alone")
	}
}
