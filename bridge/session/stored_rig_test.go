package session_test

import (
	"testing"

	"github.com/copilot-bridge/copilot-bridge/acp"
	"github.com/copilot-bridge/copilot-bridge/bridge/conversation"
)

// again is another bridge over the same state, as after a restart.
func (r *rig) again(scripts ...string) *rig {
	r.t.Helper()
	state := r.cfg.StateDir
	next := newRigWith(r.t, nil, func(c *Config) {
		c.StateDir = state
		c.Folders = []string{r.dir}
	}, scripts...)
	next.session, next.dir = r.session, r.dir
	return next
}

// lasting is a rig whose state is on disk.
func lasting(t *testing.T, scripts ...string) *rig {
	t.Helper()
	state := t.TempDir()
	return newRigWith(t, nil, func(c *Config) { c.StateDir = state }, scripts...)
}

// crash ends a bridge as a kill does, as far as the store can tell: its locks are free and nothing more is written.
func (r *rig) crash() {
	r.t.Helper()
	r.b.Flush(r.ctx)
	for _, c := range r.b.Conversations() {
		c.Close()
	}
	r.b.Config().Book.Close()
}

// replays are what the editor was shown of the past, and news what it was shown as new.
func replays(events []Event) (past, news string) {
	for _, e := range events {
		if u, ok := e.(*Message); ok {
			text := acp.Kind(u.Update())
			if t := conversation.PlainText(u.Update()); t != nil {
				text += "=" + t.Text
			}
			if u.Replay {
				past += text + " "
			} else {
				news += text + " "
			}
		}
	}
	return past, news
}

const reloads = "handshake\nstub session/close\nignore $/cancel_request\nexpect@l session/load {\"sessionId\":\"s1\"}\n"
