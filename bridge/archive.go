package bridge

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/copilot-bridge/copilot-bridge/acp"
	"github.com/copilot-bridge/copilot-bridge/acp/copilot"
	"github.com/copilot-bridge/copilot-bridge/bridge/store"
	"github.com/copilot-bridge/copilot-bridge/bridge/transcript"
)

// Archive is the sessions on disk: those in the store of a state folder, and those that Copilot has, whoever started
// them. It starts no agent and needs nobody to be signed in; other processes may write to the sessions meanwhile.
type Archive struct {
	store *store.Store // nil: nothing is kept
	env   []string     // where Copilot's sessions are; nil leaves them out
	// transcripts is where the transcript agent keeps what was said, "" where nothing is kept.
	transcripts string
}

// OpenArchive gives the sessions of a state folder, and of the Copilot that env leads to.
func OpenArchive(stateDir string, env []string) *Archive {
	return &Archive{store.Open(store.Config{Dir: sessionsDir(stateDir)}), env, transcriptsDir(stateDir)}
}

func sessionsDir(stateDir string) string { return filepath.Join(stateDir, "sessions") }

// archive is the bridge's own view.
func (b *Bridge) archive() *Archive {
	a := &Archive{store: b.store, transcripts: transcriptsDir(b.cfg.StateDir)}
	if b.isCopilot() {
		a.env = b.cfg.Env
	}
	return a
}

// List lists the sessions, newest first, without those in which nothing was said.
func (a *Archive) List() ([]Info, error) { return a.list(nil) }

// list is List with sessions that live in this process, whose state is newer than what is on disk.
func (a *Archive) list(live []Info) (out []Info, err error) {
	known := map[string]bool{} // ours and the agent's ids
	for _, i := range live {
		known[i.ID], known[string(i.Remote)] = true, true
		out = append(out, i)
	}
	if a.store != nil {
		var metas []store.Meta
		metas, err = a.store.List()
		for _, m := range metas {
			if known[m.ID] {
				continue
			}
			known[m.ID], known[m.Agent] = true, true
			if m.Turns > 0 || m.Title != "" {
				out = append(out, stored(m))
			}
		}
		for id := range a.store.Hidden() {
			known[id] = true
		}
	}
	if a.env != nil {
		for _, c := range copilot.Sessions(a.env) {
			if !known[c.ID] {
				out = append(out, Info{ID: c.ID, Remote: acp.SessionID(c.ID), Cwd: c.Cwd, Title: c.Name, Updated: c.Updated})
			}
		}
	}
	slices.SortFunc(out, func(x, y Info) int {
		if c := y.Updated.Compare(x.Updated); c != 0 {
			return c
		}
		return strings.Compare(x.ID, y.ID)
	})
	return out, err
}

func stored(m store.Meta) Info {
	return Info{ID: m.ID, Remote: acp.SessionID(m.Agent), Cwd: m.Cwd, Title: m.Title, Updated: m.Updated, Turns: m.Turns}
}

// Find is one session: an *Error with CodeSessionNotFound if there is none.
func (a *Archive) Find(id string) (Info, error) {
	if a.store != nil {
		if m, err := a.store.Meta(id); err == nil {
			return stored(m), nil
		}
	}
	if a.env != nil {
		if c, ok := copilot.FindSession(a.env, id); ok {
			return Info{ID: c.ID, Remote: acp.SessionID(c.ID), Cwd: c.Cwd, Title: c.Name, Updated: c.Updated}, nil
		}
	}
	return Info{}, errSession(id)
}

// Transcript is a session as Markdown. Of a session that only Copilot has it is what Copilot's own log says.
func (a *Archive) Transcript(id string) (string, error) {
	h, err := a.history(id)
	if err != nil {
		return "", err
	}
	text, _ := h.markdown()
	return text, nil
}

// Updates are the ACP session updates of a session, oldest first, the person's prompts among them.
func (a *Archive) Updates(id string) ([]*Update, error) {
	h, err := a.history(id)
	if err != nil {
		return nil, err
	}
	var out []*Update
	for _, ev := range h.replayed(id) {
		if u, ok := ev.(*Update); ok {
			out = append(out, u)
		}
	}
	return out, nil
}

// history reads a session's history, or makes one of Copilot's log.
func (a *Archive) history(id string) (*history, error) {
	h := newHistory()
	err := error(errSession(id))
	if a.store != nil {
		if err = a.store.Read(id, func(e store.Entry) bool { h.restore(e); return true }); err == nil {
			return h, nil
		}
	}
	if a.env == nil || a.store != nil && !errors.Is(err, store.ErrNotFound) {
		return nil, storeError(id, fmt.Errorf("read session %s: %w", id, err))
	}
	c, ok := copilot.FindSession(a.env, id)
	if !ok {
		return nil, errSession(id)
	}
	err = h.read(c)
	if err != nil {
		return nil, &Error{Code: CodeInternal, Message: "read Copilot's log of session " + id + ": " + err.Error(), Err: err}
	}
	return h, nil
}

// Delete removes a session from the store. What Copilot itself keeps of it stays on disk and is not listed any more.
func (a *Archive) Delete(id string) error {
	i, err := a.Find(id)
	if err != nil {
		return err
	}
	if err := a.store.Delete(id); err != nil && !errors.Is(err, store.ErrNotFound) {
		return storeError(id, err)
	}
	return a.hide(string(i.Remote))
}

// hide takes an agent's session out of the list.
func (a *Archive) hide(agentID string) error {
	if agentID == "" {
		return nil
	}
	if err := transcript.Delete(a.transcripts, agentID); err != nil {
		return &Error{Code: CodeInternal, Message: err.Error(), Hint: "remove it in " + a.transcripts, Err: err}
	}
	if err := a.store.Hide(agentID); err != nil {
		return &Error{Code: CodeInternal, Message: "hide the agent's session " + agentID + ": " + err.Error(), Err: err}
	}
	return nil
}
