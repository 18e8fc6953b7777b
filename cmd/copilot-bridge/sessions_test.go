package main

import (
	"bytes"
	"context"
	"errors"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/copilot-bridge/copilot-bridge/bridge/store"
)

// sessionsIn makes a state folder with one session in it.
func sessionsIn(t *testing.T) {
	t.Helper()
	root := t.TempDir()
	t.Setenv("XDG_STATE_HOME", root)
	t.Setenv("COPILOT_HOME", filepath.Join(root, "none"))
	st := store.Open(store.Config{Dir: filepath.Join(root, "copilot-bridge", "sessions")})
	ses, err := st.Create(store.Meta{ID: "s-1", Agent: "0a0a0a0a-1111", Cwd: "/w", Title: "A \x1b[31mtitle", Turns: 1, Updated: time.Unix(0, 0)})
	if err != nil {
		t.Fatal(err)
	}
	ses.Append(store.Entry{Kind: store.KindPrompt, Turn: "t", Body: []byte(`[{"type":"text","text":"do \u001b[2Jit"}]`)})
	ses.Append(store.Entry{Kind: store.KindUpdate, Turn: "t", First: 1, Ends: []uint32{4}, Body: []byte(`{"sessionUpdate":"agent_message_chunk","content":{"type":"text","text":"done"}}`)})
	ses.Append(store.Entry{Kind: store.KindEnd, Turn: "t", Body: []byte(`{"stopReason":"end_turn"}`)})
	if err := ses.Close(); err != nil {
		t.Fatal(err)
	}
}

func sessions(t *testing.T, args ...string) (string, error) {
	t.Helper()
	var out bytes.Buffer
	err := run(context.Background(), append([]string{"sessions"}, args...), strings.NewReader(""), &out, &out)
	if strings.Contains(out.String(), "\x1b") {
		t.Errorf("%q: an escape sequence gets through: %q", args, out.String())
	}
	return out.String(), err
}

func TestSessionsAreListedShownExportedAndDeleted(t *testing.T) {
	sessionsIn(t)
	for _, c := range []struct {
		args []string
		has  []string
	}{
		{nil, []string{"s-1", "/w", "title"}},
		{[]string{"list"}, []string{"s-1"}},
		{[]string{"list", "--json"}, []string{`"sessionId": "s-1"`, `"turns": 1`}},
		{[]string{"show", "s-1"}, []string{"0a0a0a0a-1111", "## You", "do ", "## Copilot", "done"}},
		{[]string{"show", "--json", "s-1"}, []string{`"cwd": "/w"`}},
		{[]string{"export", "s-1"}, []string{"# A ", "## You", "done"}},
		{[]string{"export", "s-1", "--json"}, []string{`"user_message_chunk"`, `"agent_message_chunk"`}},
		{[]string{"rename", "s-1", "another  name"}, []string{"renamed s-1"}},
		{[]string{"list"}, []string{"another name"}},
		{[]string{"delete", "s-1"}, []string{"deleted s-1"}},
	} {
		out, err := sessions(t, c.args...)
		if err != nil {
			t.Errorf("%q: %v", c.args, err)
		}
		for _, text := range c.has {
			if !strings.Contains(out, text) {
				t.Errorf("%q: no %q in\n%s", c.args, text, out)
			}
		}
	}
	if out, err := sessions(t); err != nil || !strings.HasPrefix(out, "No sessions are kept yet.") {
		t.Errorf("after the deletion: %q, %v", out, err)
	}
	if _, err := sessions(t, "show", "s-1"); err == nil || !strings.Contains(err.Error(), "there is no session") {
		t.Errorf("show: %v", err)
	}
}

func TestSessionsSaysWhatIsWrongWithACommandLine(t *testing.T) {
	t.Setenv("XDG_STATE_HOME", t.TempDir())
	for _, args := range [][]string{{"bad"}, {"show"}, {"show", "a", "b"}, {"list", "x"}, {"--wrong"}, {"list", "--", "copilot"}} {
		var usage *usageError
		if _, err := sessions(t, args...); !errors.As(err, &usage) || usage.hint == "" {
			t.Errorf("%q: %v", args, err)
		}
	}
}
