package bridge

import (
	"os"
	"path/filepath"

	"github.com/copilot-bridge/copilot-bridge/acp"
	"github.com/copilot-bridge/copilot-bridge/acp/copilot"
	"github.com/copilot-bridge/copilot-bridge/bridge/store"
)

// place is where a stored session goes on: in its own folder, or in the one that is wanted. moved says in words why it
// does not stay where it was, "" if it does.
func (b *Bridge) place(stored, wanted string) (cwd, moved string) {
	b.mu.Lock()
	folders := b.folders
	b.mu.Unlock()
	here := b.IsHere(stored)
	fi, err := os.Stat(stored)
	gone := err != nil || !fi.IsDir()
	switch {
	case wanted != "" && sameDir(wanted, stored), wanted == "" && (len(folders) == 0 || here && !gone):
		return stored, ""
	case wanted == "":
		wanted = folders[0]
	}
	if gone {
		return wanted, "The folder of this session, " + stored + ", is gone"
	}
	return wanted, "This session worked in another folder, " + stored
}

// IsHere says whether a folder is one of the editor's or below one. An editor without folders is everywhere.
func (b *Bridge) IsHere(dir string) bool {
	b.mu.Lock()
	folders := b.folders
	b.mu.Unlock()
	for _, f := range folders {
		if rel, err := filepath.Rel(realDir(f), realDir(dir)); err == nil && filepath.IsLocal(rel) {
			return true
		}
	}
	return len(folders) == 0
}

// realDir is a folder's path without links, as far as it is there.
func realDir(dir string) string {
	if real, err := filepath.EvalSymlinks(dir); err == nil {
		return real
	}
	return filepath.Clean(dir)
}

func sameDir(a, b string) bool { return realDir(a) == realDir(b) }

// move has the session go on in a new session of the agent's, and says so.
func (s *Session) move(why string) {
	s.mu.Lock()
	s.remote, s.elsewhere = "", false
	s.mu.Unlock()
	s.conversation.CarryOver()
	s.b.out.push(&SessionChanged{Session: s.ID, Event: &Happening{Type: "history_lost",
		Message: why + ": it goes on in " + s.Cwd + " in a new session of the agent's, which is told a summary of the history with your next prompt."}})
}

// adopt makes a session of one that was started elsewhere, under the agent's own id.
func (b *Bridge) adopt(c copilot.SessionState, cwd string) (*Session, error) {
	home, moved := b.place(c.Cwd, cwd)
	s, err := b.register(NewSessionRequest{id: c.ID, Cwd: home})
	if err != nil {
		return nil, err
	}
	s.mu.Lock()
	s.remote, s.elsewhere = acp.SessionID(c.ID), true
	s.snap.Title, s.snap.Updated = c.Name, c.Updated
	s.mu.Unlock()
	s.create(store.Meta{Title: c.Name, Agent: c.ID})
	if moved != "" {
		s.readCopilot()
		s.conversation.SetMeta(func(m *store.Meta) { m.Agent = "" })
		s.move(moved)
	}
	return s, nil
}

// readCopilot takes what was said from Copilot's own log, as far as it can be read: for a session that Copilot will not
// replay.
func (s *Session) readCopilot() {
	c, ok := copilot.FindSession(s.b.cfg.Env, string(s.remoteID()))
	if !ok || !s.conversation.Empty() {
		return // there is none, or it was replayed in part
	}
	if err := s.conversation.ReadCopilot(c); err != nil {
		s.log.Warn().Err(err).Msg("Copilot's log of the session")
	}
}
