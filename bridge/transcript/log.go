package transcript

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/rs/zerolog"

	"github.com/copilot-bridge/copilot-bridge/bridge/store"
)

// kindEntry is the kind of this package's entries in the store.
const kindEntry store.Kind = "transcript"

// encode is an entry as the store keeps it.
func encode(e entry) (store.Entry, error) {
	body, err := json.Marshal(e, jsontext.AllowInvalidUTF8(true))
	return store.Entry{Kind: kindEntry, Body: body}, err
}

// decode is what [encode] made; false for what is of another kind or a newer format.
func decode(s store.Entry) (e entry, ok bool) {
	ok = s.Kind == kindEntry && json.Unmarshal(s.Body, &e, jsontext.AllowInvalidUTF8(true)) == nil
	return e, ok
}

func openStore(dir string, now func() time.Time, log zerolog.Logger) *store.Store {
	if dir == "" {
		return nil
	}
	return store.Open(store.Config{Dir: dir, Now: now, Notice: func(session, text string) {
		log.Warn().Str("transcript", session).Msg(text)
	}})
}

// sessionDir is the folder of a session in the agent's state folder.
func sessionDir(dir, id string) (string, bool) {
	if dir == "" || id == "" || !filepath.IsLocal(id) || filepath.Base(id) != id {
		return "", false
	}
	return filepath.Join(dir, id), true
}

// Delete removes what is kept of a session. One that is not there is no error.
func Delete(dir, id string) error {
	folder, ok := sessionDir(dir, id)
	if !ok {
		return nil
	}
	if _, err := os.Stat(folder); errors.Is(err, os.ErrNotExist) {
		return nil
	}
	err := store.Open(store.Config{Dir: dir}).Delete(id)
	if err != nil && !errors.Is(err, store.ErrNotFound) {
		return fmt.Errorf("delete the transcript: %w", err)
	}
	return nil
}

// sweep removes sessions in which nothing was said, some time after they were opened.
func (a *Agent) sweep(ctx context.Context) {
	list, err := a.store.List()
	if err != nil {
		a.log.Debug().Err(err).Msg("list the transcripts")
		return
	}
	for _, m := range list {
		if ctx.Err() != nil {
			return
		}
		if m.Turns == 0 && a.now().Sub(m.Updated) > emptyFor {
			if err := a.store.Delete(m.ID); err != nil {
				a.log.Debug().Err(err).Msg("an empty transcript stays")
			}
		}
	}
}
