package session

import (
	"os"
	"path/filepath"

	"github.com/copilot-bridge/copilot-bridge/acp/copilot"
	"github.com/copilot-bridge/copilot-bridge/bridge/store"
)

// workFolder is where a stored session goes on: in its own folder, or in the one that is wanted. moved says in words why it
// does not stay where it was, "" if it does.
func (all *Set) workFolder(stored, wanted string) (cwd, moved string) {
	folders := all.Folders()
	here := all.IsHere(stored)
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
func (all *Set) IsHere(dir string) bool {
	folders := all.Folders()
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

// move has a session that the agent does not know any more go on in a new one of the agent's, and says so.
func (s *Session) move(why string) {
	s.conversation.CarryOver()
	s.all.cfg.Out.Push(&SessionChanged{Session: s.ID, Event: &Happening{Type: "history_lost",
		Message: why + ": it goes on in " + s.Cwd + " in a new agent session, and your next prompt sends it a summary of the history."}})
}

// adopt makes a session of one that was started elsewhere, under the agent's own id.
func (all *Set) adopt(c copilot.SessionState, cwd string) (*Session, error) {
	home, moved := all.workFolder(c.Cwd, cwd)
	r := beginning{NewSessionRequest: NewSessionRequest{Cwd: home}, meta: store.Meta{ID: c.ID, Agent: c.ID, Title: c.Name, Updated: c.Updated}, elsewhere: true}
	if moved != "" {
		r.meta.Agent, r.elsewhere = "", false
	}
	s, err := all.register(r)
	if err != nil {
		return nil, err
	}
	s.create(store.Meta{Title: c.Name, Agent: r.meta.Agent})
	if moved != "" {
		s.readCopilot(c.ID)
		s.move(moved)
	}
	return s, nil
}

// readCopilot takes what was said from Copilot's own log, as far as it can be read: for a session that Copilot will not
// replay.
func (s *Session) readCopilot(id string) {
	c, ok := copilot.FindSession(s.all.cfg.Env, id)
	if !ok || !s.conversation.Empty() {
		return // there is none, or it was replayed in part
	}
	if err := s.conversation.ReadCopilot(c); err != nil {
		s.log.Warn().Err(err).Msg("Copilot's log of the session")
	}
}
