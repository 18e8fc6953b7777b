package session_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/copilot-bridge/copilot-bridge/bridge/policy"
	"github.com/copilot-bridge/copilot-bridge/bridge/store"
)

// storedLevel is the level that a session has on disk, as the next bridge would read it.
func (r *rig) storedLevel() string {
	m, err := store.Open(store.Config{Dir: filepath.Join(r.cfg.StateDir, "sessions")}).Meta(r.session)
	if err != nil {
		return err.Error()
	}
	return m.Level
}

// TestALevelIsOnDiskBeforeItIsTold, of a session in which something was said, and of one without a prompt.
func TestALevelIsOnDiskBeforeItIsTold(t *testing.T) {
	t.Parallel()
	for _, prompted := range []bool{false, true} {
		script := hello
		if prompted {
			script += "expect session/prompt\nreply {\"stopReason\":\"end_turn\"}"
		}
		r := lasting(t, script).open()
		if prompted {
			r.run("hello")
		}
		var atEvent atomic.Value
		r.screen.mu.Lock()
		r.screen.show = func(_ context.Context, ev Event) {
			if c, ok := ev.(*SessionChanged); ok && c.Level != "" {
				atEvent.Store(r.storedLevel())
			}
		}
		r.screen.mu.Unlock()
		for _, l := range []policy.Level{policy.LevelReadOnly, policy.LevelAll} {
			if _, err := r.b.SetLevel(r.session, l); err != nil {
				t.Fatal(err)
			}
			if got := r.storedLevel(); got != string(l) {
				t.Errorf("prompted %v: set to %s, %q is on disk", prompted, l, got)
			}
			r.b.Flush(r.ctx)
			if got := atEvent.Load(); got != string(l) {
				t.Errorf("prompted %v: %v was on disk when the editor was told of %s", prompted, got, l)
			}
		}
	}
}

// TestANarrowedLevelOutlivesTheBridge, however it ends, and whether or not anything was said.
func TestANarrowedLevelOutlivesTheBridge(t *testing.T) {
	t.Parallel()
	load := "handshake\nstub session/close\nexpect session/load\nreply {}"
	for name, end := range map[string]func(r *rig){
		"a kill": (*rig).crash,
		"an end": func(r *rig) {
			if err := r.b.Close(r.ctx); err != nil {
				t.Log(err)
			}
		},
		"a close": func(r *rig) {
			if err := r.b.CloseSession(r.ctx, r.session); err != nil {
				t.Error(err)
			}
			r.crash()
		},
	} {
		r := newRigWith(t, nil, func(c *Config) { c.StateDir, c.Level = t.TempDir(), policy.LevelAll }, hello).open()
		if _, err := r.b.SetLevel(r.session, policy.LevelReadOnly); err != nil {
			t.Fatal(err)
		}
		end(r)
		if n := len(r.again(load).b.Sessions()); n > 0 {
			t.Errorf("%s: an empty session is listed", name)
		}
		state := r.cfg.StateDir
		next := newRigWith(t, nil, func(c *Config) { c.StateDir, c.Level, c.Folders = state, policy.LevelAll, []string{r.dir} }, load)
		info, err := next.b.LoadSession(next.ctx, r.session, "")
		if err != nil || info.Level != policy.LevelReadOnly {
			t.Errorf("after %s it has the level %q, %v", name, info.Level, err)
		}
	}
}

// TestALevelThatCannotBeSavedHoldsAndIsTold: for the session's life, and the user knows for how long.
func TestALevelThatCannotBeSavedHoldsAndIsTold(t *testing.T) {
	t.Parallel()
	r := lasting(t, hello).open()
	if err := os.RemoveAll(filepath.Join(r.cfg.StateDir, "sessions")); err != nil {
		t.Fatal(err)
	}
	now, err := r.b.SetLevel(r.session, policy.LevelReadOnly)
	if err != nil || now != policy.LevelReadOnly || r.theSession().Snapshot().Level != policy.LevelReadOnly {
		t.Errorf("it has %s, %v", now, err)
	}
	r.b.Flush(r.ctx)
	told := ""
	for _, h := range happenings(r.events(), "not_saved") {
		told += h.Message + "\n"
	}
	if !strings.Contains(told, "the level read-only holds now and is not saved: ") {
		t.Errorf("told %q", told)
	}
}

// TestPlanModeIsOnDiskWhenItIsSet, also of a session without a prompt.
func TestPlanModeIsOnDiskWhenItIsSet(t *testing.T) {
	t.Parallel()
	modes := `{"currentModeId":"agent","availableModes":[{"id":"agent","name":"Agent"},{"id":"plan","name":"Plan"}]}`
	r := lasting(t, "handshake\nexpect session/new\nset session s1\nreply {\"sessionId\":\"s1\",\"modes\":"+modes+"}\nstub session/close\nexpect session/set_mode\nreply {}").open()
	if err := r.b.SetMode(r.ctx, r.session, "plan"); err != nil {
		t.Fatal(err)
	}
	m, err := store.Open(store.Config{Dir: filepath.Join(r.cfg.StateDir, "sessions")}).Meta(r.session)
	if err != nil || m.Mode != "plan" {
		t.Errorf("%q is on disk, %v", m.Mode, err)
	}
}
