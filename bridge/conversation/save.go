package conversation

import (
	"errors"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/copilot-bridge/copilot-bridge/acp"
	"github.com/copilot-bridge/copilot-bridge/bridge/store"
)

// Create makes the session in the store, which is given everything to come; the first Sync lists it. Without a store it
// does nothing. After an error the conversation goes on in memory only.
func (c *Conversation) Create(m store.Meta) error {
	if c.cfg.Store == nil {
		return nil
	}
	m.ID = c.cfg.ID
	saved, err := c.cfg.Store.Create(m)
	if err != nil {
		return err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.saved = saved
	return nil
}

// Meta is what the store knows of the session; false where nothing is saved.
func (c *Conversation) Meta() (store.Meta, bool) {
	saved := c.open()
	if saved == nil {
		return store.Meta{}, false
	}
	return saved.Meta(), true
}

// SetMeta changes what the store knows of the session; the next Sync saves it. It never waits for the disk.
func (c *Conversation) SetMeta(change func(*store.Meta)) {
	if saved := c.open(); saved != nil {
		saved.SetMeta(change)
	}
}

// open is the session in the store, nil where nothing is saved.
func (c *Conversation) open() *store.Session {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.saved
}

// Sync returns when everything that was added or set so far is on disk, or the store has told the user that it cannot be.
func (c *Conversation) Sync() { _ = c.Save() }

// Save is Sync for who has to know: with an error it is in memory only, and saved with what comes next. Where nothing is saved at all
// it is nil.
func (c *Conversation) Save() error {
	c.mu.Lock()
	c.saveRun()
	saved := c.saved
	c.mu.Unlock()
	if saved == nil {
		return nil
	}
	return saved.Sync()
}

// Close syncs and lets go of the session in the store. What is added afterwards stays in memory. When it returns the
// session can be opened again or deleted, no matter who closed it first.
func (c *Conversation) Close() {
	c.closing.Lock()
	defer c.closing.Unlock()
	c.mu.Lock()
	c.saveRun()
	saved, syncing := c.saved, c.syncing
	c.saved = nil
	c.mu.Unlock()
	if syncing != nil {
		<-syncing
	}
	if saved != nil {
		saved.Close()
	}
}

// Delete closes the conversation and removes the session from the store. One that was never saved is no error.
func (c *Conversation) Delete() error {
	c.Close()
	if c.cfg.Store == nil {
		return nil
	}
	if err := c.cfg.Store.Delete(c.cfg.ID); err != nil && !errors.Is(err, store.ErrNotFound) {
		return err
	}
	return nil
}

// save gives an item that does not grow to the store. The caller holds mu.
func (c *Conversation) save(e *item) {
	if c.saved == nil || isState(e.update) {
		return
	}
	out := store.Entry{Turn: e.turn, Replay: e.replay, Paths: e.paths}
	var body []byte
	var err error
	switch {
	case e.update != nil:
		out.Kind, out.First = store.KindUpdate, e.first
		body, err = acp.Marshal(e.update)
	case e.prompt != nil:
		out.Kind = store.KindPrompt
		body, err = acp.Marshal(e.prompt)
		out.Refs = savedRefs(e.refs)
	case e.queued != nil:
		out.Kind = store.KindQueued
		body, err = acp.Marshal(e.queued)
		out.Refs = savedRefs(e.refs)
	case e.sent != nil:
		out.Kind = store.KindSent
		body, err = json.Marshal(e.sent, jsontext.AllowInvalidUTF8(true))
	case e.note != nil:
		out.Kind = store.KindNote
		body, err = json.Marshal(e.note)
	case e.end != nil:
		out.Kind = store.KindEnd
		body, err = json.Marshal(e.end)
	}
	if err != nil {
		return // what came from the wire can be written to it; the rest is ours
	}
	out.Body = jsontext.Value(body)
	c.saved.Append(out)
}

// savedRefs are the places that went with a prompt, nil for none.
func savedRefs(refs []ContextRef) jsontext.Value {
	if len(refs) == 0 {
		return nil
	}
	raw, err := json.Marshal(refs)
	if err != nil {
		return nil // of a path that is no text
	}
	return raw
}

// isState says whether an update is the whole of something as it is now. It is large, and the agent sends it again when
// it loads the session.
func isState(u acp.SessionUpdate) bool {
	switch u.(type) {
	case *acp.AvailableCommandsUpdate, *acp.ConfigOptionUpdate:
		return true
	}
	return false
}

// saveRun gives the chunks of the last item that the store does not have yet. The caller holds mu.
func (c *Conversation) saveRun() {
	if c.timer != nil {
		c.timer.Stop()
		c.timer = nil
	}
	if c.saved == nil || len(c.items) == 0 {
		return
	}
	e := &c.items[len(c.items)-1]
	if c.run >= len(e.ends) {
		return
	}
	from := uint32(0)
	if c.run > 0 {
		from = e.ends[c.run-1]
	}
	out := store.Entry{Kind: store.KindUpdate, Turn: e.turn, Replay: e.replay, First: e.first + uint64(c.run)}
	for _, end := range e.ends[c.run:] {
		out.Ends = append(out.Ends, end-from)
	}
	body, err := acp.Marshal(WithText(e.update, string(e.text[from:])))
	c.run = len(e.ends)
	if err == nil {
		out.Body = body
		c.saved.Append(out)
	}
}

// saveSoon lets the run at the end wait for more of it, but not long. The caller holds mu.
func (c *Conversation) saveSoon() {
	if c.saved == nil || c.timer != nil {
		return
	}
	c.timer = time.AfterFunc(runDelay, func() {
		c.mu.Lock()
		defer c.mu.Unlock()
		c.saveRun()
	})
}
