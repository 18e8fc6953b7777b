package session

import (
	"errors"
	"path/filepath"
	"slices"
	"strings"

	"github.com/copilot-bridge/copilot-bridge/acp"
	"github.com/copilot-bridge/copilot-bridge/bridge/conversation"
	"github.com/copilot-bridge/copilot-bridge/bridge/store"
)

// Archive is [conversation.Archive] with errors as an editor is told of them.
type Archive struct{ disk conversation.Archive }

// OpenArchive gives the sessions of a state folder, and of the Copilot that env leads to.
func OpenArchive(stateDir string, env []string) *Archive {
	return &Archive{conversation.Archive{Store: store.Open(store.Config{Dir: sessionsDir(stateDir)}), Copilot: env}}
}

func sessionsDir(stateDir string) string { return filepath.Join(stateDir, "sessions") }

// archive is the bridge's own view.
func (all *Set) archive() *Archive {
	a := &Archive{conversation.Archive{Store: all.cfg.Store}}
	if all.cfg.Agents.IsCopilot() {
		a.disk.Copilot = all.cfg.Env
	}
	return a
}

// List lists the sessions, newest first, without those in which nothing was said.
func (a *Archive) List() ([]Info, error) { return a.list(nil) }

// list is List with sessions that live in this process, whose state is newer than what is on disk.
func (a *Archive) list(live []Info) ([]Info, error) {
	var known []string
	for _, i := range live {
		known = append(known, i.ID, string(i.Remote))
	}
	metas, err := a.disk.List(known...)
	out := slices.Clone(live)
	for _, m := range metas {
		out = append(out, stored(m))
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
	m, err := a.disk.Find(id)
	if err != nil {
		return Info{}, storeError(id, err)
	}
	return stored(m), nil
}

// Transcript is a session as Markdown. Of a session that only Copilot has it is what Copilot's own log says.
func (a *Archive) Transcript(id string) (string, error) {
	c, err := a.open(id)
	if err != nil {
		return "", err
	}
	text, _ := c.Markdown()
	return text, nil
}

// Updates are the ACP session updates of a session, oldest first, the user's prompts among them.
func (a *Archive) Updates(id string) ([]*Message, error) {
	c, err := a.open(id)
	if err != nil {
		return nil, err
	}
	return c.Updates(), nil
}

// open reads what was said in a session.
func (a *Archive) open(id string) (*conversation.Conversation, error) {
	c, err := a.disk.Open(id)
	switch {
	case errors.Is(err, conversation.ErrCopilotLog):
		return nil, &Error{Code: CodeInternal, Message: err.Error(), Err: err}
	case err != nil:
		return nil, storeError(id, err)
	}
	return c, nil
}

// Delete removes a session from the store. What Copilot itself keeps of it stays on disk and is not listed any more.
func (a *Archive) Delete(id string) error {
	i, err := a.Find(id)
	if err != nil {
		return err
	}
	if err := a.disk.Store.Delete(id); err != nil && !errors.Is(err, store.ErrNotFound) {
		return storeError(id, err)
	}
	return a.hide(string(i.Remote))
}

// hide takes an agent's session out of the list.
func (a *Archive) hide(agentID string) error {
	if agentID == "" {
		return nil
	}
	if err := a.disk.Store.Hide(agentID); err != nil {
		return &Error{Code: CodeInternal, Message: "hide the agent's session " + agentID + ": " + err.Error(), Err: err}
	}
	return nil
}
