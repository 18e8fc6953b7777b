package conversation

import (
	"errors"
	"fmt"

	"github.com/copilot-bridge/copilot-bridge/acp/copilot"
	"github.com/copilot-bridge/copilot-bridge/bridge/store"
)

// ErrCopilotLog is in the error of [Archive.Open] where Copilot has the session and its log cannot be read.
var ErrCopilotLog = errors.New("read Copilot's log")

// Archive is the sessions on disk: those in a store, and those that Copilot has, no matter who started them. It starts no agent
// and needs nobody to be signed in; other processes may write to the sessions meanwhile. Its methods may be called from
// any goroutine and wait for the disk.
type Archive struct {
	Store   *store.Store // nil: nothing is kept
	Copilot []string     // the environment that leads to Copilot's sessions; nil leaves them out
}

// List lists the sessions, in no order, without those in which nothing was said and without those of known, which are
// ids of the bridge's or of an agent's. Of a session that only Copilot has ID and Agent are the same. With an error it is
// what could be read.
func (a *Archive) List(known ...string) (out []store.Meta, err error) {
	seen := map[string]bool{}
	for _, id := range known {
		seen[id] = true
	}
	if a.Store != nil {
		var metas []store.Meta
		metas, err = a.Store.List()
		for _, m := range metas {
			if seen[m.ID] {
				continue
			}
			seen[m.ID], seen[m.Agent] = true, true
			if m.Turns > 0 || m.Title != "" {
				out = append(out, m)
			}
		}
		for id := range a.Store.Hidden() {
			seen[id] = true
		}
	}
	if a.Copilot != nil {
		for _, s := range copilot.Sessions(a.Copilot) {
			if !seen[s.ID] {
				out = append(out, copilotMeta(s))
			}
		}
	}
	return out, err
}

func copilotMeta(s copilot.SessionState) store.Meta {
	return store.Meta{ID: s.ID, Agent: s.ID, Cwd: s.Cwd, Title: s.Name, Updated: s.Updated}
}

// Find is one session: [store.ErrNotFound] if there is none.
func (a *Archive) Find(id string) (store.Meta, error) {
	if a.Store != nil {
		if m, err := a.Store.Meta(id); err == nil {
			return m, nil
		}
	}
	if s, ok := a.findCopilot(id); ok {
		return copilotMeta(s), nil
	}
	return store.Meta{}, store.ErrNotFound
}

func (a *Archive) findCopilot(id string) (copilot.SessionState, bool) {
	if a.Copilot == nil {
		return copilot.SessionState{}, false
	}
	return copilot.FindSession(a.Copilot, id)
}

// Open reads what was said in a session, for reading only. Of one that only Copilot has it is what Copilot's own log
// says. Errors: [store.ErrNotFound], [ErrCopilotLog], and those of the store.
func (a *Archive) Open(id string) (*Conversation, error) {
	if a.Store != nil {
		c, err := Read(a.Store, id)
		if err == nil {
			return c, nil
		}
		if a.Copilot == nil || !errors.Is(err, store.ErrNotFound) {
			return nil, fmt.Errorf("read session %s: %w", id, err)
		}
	}
	s, ok := a.findCopilot(id)
	if !ok {
		return nil, store.ErrNotFound
	}
	c := New(Config{ID: id})
	if err := c.ReadCopilot(s); err != nil {
		return nil, fmt.Errorf("%w of session %s: %w", ErrCopilotLog, id, err)
	}
	return c, nil
}
