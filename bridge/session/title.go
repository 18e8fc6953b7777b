package session

import (
	"context"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/copilot-bridge/copilot-bridge/acp"
	"github.com/copilot-bridge/copilot-bridge/bridge/store"
)

// titleIn gives the session a title. One that the user has given stays, whatever the agent calls it.
type titleIn struct {
	title string
	user  bool
}

// SetTitle gives a session the title that the user wants for it: one of this bridge, or one in the store. What only the agent
// has must be opened first. A title is one line of at most maxTitle characters.
func (all *Set) SetTitle(session, title string) error {
	title, err := oneTitle(title)
	if err != nil {
		return err
	}
	s, err := all.Session(session)
	if err != nil {
		return all.archive().SetTitle(session, title)
	}
	s.tell(titleIn{title, true})
	s.conversation.SetMeta(func(m *store.Meta) { m.Title, m.Titled = title, true })
	if err := s.conversation.Save(); err != nil {
		return storeError(session, err)
	}
	return nil
}

// oneTitle is a title as one line.
func oneTitle(title string) (string, error) {
	title = strings.Join(strings.Fields(title), " ")
	if n := utf8.RuneCountInString(title); n == 0 || n > maxTitle {
		return "", &Error{Code: CodeInvalidParams, Message: fmt.Sprintf("a title has 1 to %d characters, this one has %d", maxTitle, n), Hint: "choose another one"}
	}
	return title, nil
}

// SetTitle is [Set.SetTitle] for a session that is in the store and not open.
func (a *Archive) SetTitle(id, title string) error {
	title, err := oneTitle(title)
	if err != nil {
		return err
	}
	if a.disk.Store == nil {
		return errSession(id)
	}
	saved, err := a.disk.Store.Load(id)
	if err != nil {
		return storeError(id, err)
	}
	saved.SetMeta(func(m *store.Meta) { m.Title, m.Titled = title, true })
	if err := saved.Close(); err != nil {
		return storeError(id, err)
	}
	return nil
}

// TitleWith has the agent give a session a title, as an editor that speaks ACP asks, and gives it here too.
func (all *Set) TitleWith(ctx context.Context, method string, params jsontext.Value) (jsontext.Value, error) {
	raw, err := all.CallAgent(ctx, method, params)
	if err != nil {
		return nil, err
	}
	id, _ := acp.StringOf(acp.Member(params, "sessionId"))
	title, _ := acp.StringOf(acp.Member(params, "title"))
	if s := all.Alias(id); s != nil {
		_ = all.SetTitle(s.ID, title) // what the agent has taken
	}
	return raw, nil
}
