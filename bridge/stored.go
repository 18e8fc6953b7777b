package bridge

import (
	"context"
	"errors"

	"github.com/copilot-bridge/copilot-bridge/acp"
	"github.com/copilot-bridge/copilot-bridge/acp/copilot"
	"github.com/copilot-bridge/copilot-bridge/bridge/agents"
	"github.com/copilot-bridge/copilot-bridge/bridge/conversation"
	"github.com/copilot-bridge/copilot-bridge/bridge/store"
)

// Sessions lists all sessions, newest first: those of this bridge, those in the store, and those that Copilot has on
// disk, whoever started them. Nobody has to be signed in, and no agent is started.
func (b *Bridge) Sessions() []Info {
	b.mu.Lock()
	live := make([]*Session, 0, len(b.sessions))
	for _, s := range b.sessions {
		live = append(live, s)
	}
	b.mu.Unlock()
	infos := make([]Info, 0, len(live))
	for _, s := range live {
		infos = append(infos, s.Snapshot())
	}
	out, err := b.archive().list(infos)
	if err != nil {
		b.cfg.Log.Warn().Err(err).Msg("stored sessions are not listed")
	}
	return out
}

// LoadSession makes a session known to the editor, with its history, flagged as replay: one of this bridge, one of an
// earlier run, or one that Copilot has on disk from elsewhere. The history is on its way before it returns; see Flush.
// cwd is the folder it is to work in; with "" it stays in its own, if that is there and is one of the editor's. In
// another folder it goes on in a new session of the agent's, which is told a summary; so it does where the agent has
// lost it.
func (b *Bridge) LoadSession(ctx context.Context, id, cwd string) (Info, error) {
	b.loading.Lock()
	s, err := b.Session(id)
	fresh := err != nil
	switch {
	case fresh:
		s, err = b.revive(id, cwd)
	case cwd != "" && !sameDir(cwd, s.Cwd):
		err = &Error{Code: CodeInvalidParams, Message: "session " + id + " works in " + s.Cwd, Hint: "close it before it is loaded for another folder"}
	}
	b.loading.Unlock()
	if err != nil {
		return Info{}, asError(err)
	}
	if !fresh || !s.isNew() { // what is foreign is shown as the agent replays it
		b.out.Push(&replay{session: s})
	}
	if _, err := s.attach(ctx); err != nil {
		if fresh {
			b.forget(s)
		}
		return Info{}, asError(err)
	}
	s.settled()
	return s.Snapshot(), nil
}

// revive makes a session of one in the store, or of one that Copilot has.
func (b *Bridge) revive(id, cwd string) (*Session, error) {
	if b.store == nil {
		return nil, errSession(id)
	}
	saved, err := b.store.Load(id)
	if errors.Is(err, store.ErrNotFound) && b.agents.IsCopilot() {
		if c, ok := copilot.FindSession(b.cfg.Env, id); ok {
			return b.adopt(c, cwd)
		}
	}
	if err == nil {
		if err = saved.ReadOnly(); errors.Is(err, store.ErrUnsaved) {
			err = nil // the user was told
		}
		if err != nil {
			saved.Close()
		}
	}
	if err != nil {
		return nil, storeError(id, err)
	}
	m := saved.Meta()
	home, moved := b.workFolder(m.Cwd, cwd)
	r := beginning{NewSessionRequest: NewSessionRequest{Cwd: home, Dirs: m.Dirs}, meta: m}
	if len(m.Servers) > 0 && acp.Unmarshal(m.Servers, &r.MCPServers) != nil {
		r.MCPServers = nil
	}
	if moved != "" {
		r.meta.Agent = ""
	}
	s, err := b.register(r)
	if err != nil {
		saved.Close()
		return nil, err
	}
	if moved != "" {
		saved.SetMeta(func(m *store.Meta) { m.Cwd, m.Agent = s.Cwd, "" })
	}
	lost, skipped, err := s.conversation.Restore(saved)
	if err != nil {
		s.log.Warn().Err(err).Msg("not all of the session could be read")
	}
	s.conversation.Lose(lost...)
	if moved != "" {
		s.move(moved)
	}
	if skipped {
		b.out.Push(&SessionChanged{Session: id, Event: &Happening{Type: "notice", Message: "This session is long: only its end is shown here, `copilot-bridge sessions export " + id + "` has all of it."}})
	}
	for _, l := range lost {
		if !l.Over { // what was offered before is not offered again by itself
			b.out.Push(&SessionChanged{Session: id, Event: l.Interrupted(l.BridgeEnded())})
		}
	}
	return s, nil
}

// DeleteSession ends a session and removes it from the store. What the agent itself keeps of it is not listed any more.
func (b *Bridge) DeleteSession(ctx context.Context, id string) error {
	s, err := b.Session(id)
	if err != nil {
		if b.store == nil {
			return err
		}
		return b.archive().Delete(id)
	}
	remote := string(s.remoteID())
	if err := b.CloseSession(ctx, id); err != nil || b.store == nil {
		return err
	}
	if err := s.conversation.Delete(); err != nil { // what the editor has not been shown yet is deleted too
		return storeError(id, err)
	}
	return b.archive().hide(remote)
}

// dropEmpty removes a session from the store in which nothing was said.
func (b *Bridge) dropEmpty(s *Session) {
	if b.store == nil || s.Snapshot().Turns > 0 {
		return
	}
	if err := s.conversation.Delete(); err != nil {
		s.log.Debug().Err(err).Msg("an empty session stays in the store")
	}
}

// closeStore lets go of all sessions in the store, when nothing is shown any more.
func (b *Bridge) closeStore() {
	b.mu.Lock()
	conversations := b.conversations
	b.conversations = nil
	sessions := b.sessions
	b.mu.Unlock()
	for _, c := range conversations {
		c.Close()
	}
	for _, s := range sessions {
		b.dropEmpty(s)
	}
	if b.logs != nil {
		b.logs.Close()
	}
}

// entitle gives the session the title that it was asked to have.
func (s *Session) entitle(title string) {
	if title == "" {
		return
	}
	s.tell(titleIn{title})
}

// conversationOf is what was said in a session of this bridge, or a copy of a stored one's.
func (b *Bridge) conversationOf(id string) (*conversation.Conversation, error) {
	s, err := b.Session(id)
	if err == nil {
		return s.conversation, nil
	}
	return b.archive().open(id)
}

// History is what the session's editor was shown after number since, merged where it was, and the number of the newest.
// The session may be closed.
func (b *Bridge) History(session string, since uint64) ([]Event, uint64, error) {
	c, err := b.conversationOf(session)
	if err != nil {
		return nil, 0, err
	}
	got, seq := c.Since(since)
	return got, seq, nil
}

// Replay is the whole session as [Bridge.LoadSession] shows it, *Message and *Replayed, numbered from 1, and the number of
// the newest update that the editor was shown: of a session that lives it is another one than the last of the list, and what
// comes next goes on from it. Nothing is started for it and nothing changes by it, and the session may be closed.
func (b *Bridge) Replay(ctx context.Context, session string) (list []Event, seq uint64, err error) {
	s, err := b.Session(session)
	if err != nil {
		c, err := b.archive().open(session)
		if err != nil {
			return nil, 0, err
		}
		list = c.Replay()
		return list, uint64(len(list)), nil
	}
	got := make(chan previewed, 1)
	b.out.Push(&preview{s, got}) // what is on its way has its number then
	select {
	case p := <-got:
		return p.list, p.seq, nil
	case <-b.life.Done():
		return nil, 0, agents.ErrClosed
	case <-ctx.Done():
		return nil, 0, ctx.Err()
	}
}

// replay has the history of a session shown. It travels with the events, so that nothing is shown under a number of before
// once the history was numbered anew.
type replay struct {
	session *Session
}

func (*replay) IsEvent() {}

func (r *replay) show(show func(Event)) {
	for _, ev := range r.session.conversation.Replay() {
		show(ev)
		if m, ok := ev.(*Message); ok {
			r.session.showKept(m.Update(), show)
		}
	}
}

// preview reads the history of a session in the place where a replay would be shown.
type preview struct {
	session *Session
	to      chan<- previewed // buffered
}

type previewed struct {
	list []Event
	seq  uint64
}

func (*preview) IsEvent() {}

func (p *preview) read() {
	list, seq := p.session.conversation.Preview()
	p.to <- previewed{list, seq}
}

// Transcript is a session as Markdown, and the number of the newest update in it. The session may be closed.
func (b *Bridge) Transcript(session string) (text string, seq uint64, err error) {
	c, err := b.conversationOf(session)
	if err != nil {
		return "", 0, err
	}
	text, seq = c.Markdown()
	return text, seq, nil
}
