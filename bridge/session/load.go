package session

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
// disk from elsewhere. Nobody has to be signed in, and no agent is started.
func (all *Set) Sessions() []Info {
	live := all.list()
	infos := make([]Info, 0, len(live))
	for _, s := range live {
		infos = append(infos, s.Snapshot())
	}
	out, err := all.archive().list(infos)
	if err != nil {
		all.cfg.Log.Warn().Err(err).Msg("stored sessions are not listed")
	}
	return out
}

// LoadSession makes a session known to the editor, with its history, flagged as replay: one of this bridge, one of an
// earlier run, or one that Copilot has on disk from elsewhere. The history is on its way before it returns; see Flush.
// cwd is the folder it is to work in; with "" it stays in its own, if that is there and is one of the editor's. In
// another folder it goes on in a new session of the agent's, which is told a summary; so it does where the agent has
// lost it.
func (all *Set) LoadSession(ctx context.Context, id, cwd string) (Info, error) {
	all.loading.Lock()
	s, err := all.Session(id)
	fresh := err != nil
	switch {
	case fresh:
		s, err = all.revive(id, cwd)
	case cwd != "" && !sameDir(cwd, s.Cwd):
		err = &Error{Code: CodeInvalidParams, Message: "session " + id + " works in " + s.Cwd, Hint: "close it before it is loaded for another folder"}
	}
	all.loading.Unlock()
	if err != nil {
		return Info{}, asError(err)
	}
	if !fresh || !s.isNew() { // what is foreign is shown as the agent replays it
		all.cfg.Out.Push(&replay{session: s})
	}
	if _, err := s.attach(ctx); err != nil {
		if fresh {
			all.forget(s)
		}
		return Info{}, asError(err)
	}
	s.settled()
	return s.Snapshot(), nil
}

// revive makes a session of one in the store, or of one that Copilot has.
func (all *Set) revive(id, cwd string) (*Session, error) {
	if all.cfg.Store == nil {
		return nil, errSession(id)
	}
	saved, err := all.cfg.Store.Load(id)
	if errors.Is(err, store.ErrNotFound) && all.cfg.Agents.IsCopilot() {
		if c, ok := copilot.FindSession(all.cfg.Env, id); ok {
			return all.adopt(c, cwd)
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
	home, moved := all.workFolder(m.Cwd, cwd)
	r := beginning{NewSessionRequest: NewSessionRequest{Cwd: home, Dirs: m.Dirs}, meta: m}
	if len(m.Servers) > 0 && acp.Unmarshal(m.Servers, &r.MCPServers) != nil {
		r.MCPServers = nil
	}
	if moved != "" {
		r.meta.Agent = ""
	}
	s, err := all.register(r)
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
		all.cfg.Out.Push(&SessionChanged{Session: id, Event: &Happening{Type: "notice", Message: "This session is long: only its end is shown here, `copilot-bridge sessions export " + id + "` has all of it."}})
	}
	for _, l := range lost {
		if !l.Over { // what was offered before is not offered again by itself
			all.cfg.Out.Push(&SessionChanged{Session: id, Event: l.Interrupted(l.BridgeEnded())})
		}
	}
	return s, nil
}

// DeleteSession ends a session and removes it from the store. What the agent itself keeps of it is not listed any more.
func (all *Set) DeleteSession(ctx context.Context, id string) error {
	s, err := all.Session(id)
	if err != nil {
		if all.cfg.Store == nil {
			return err
		}
		return all.archive().Delete(id)
	}
	remote := string(s.remoteID())
	if err := all.CloseSession(ctx, id); err != nil || all.cfg.Store == nil {
		return err
	}
	if err := s.conversation.Delete(); err != nil { // what the editor has not been shown yet is deleted too
		return storeError(id, err)
	}
	return all.archive().hide(remote)
}

// dropEmpty removes a session from the store in which nothing was said, and of which there is nothing to be kept.
func (all *Set) dropEmpty(s *Session) {
	if now := s.Snapshot(); all.cfg.Store == nil || now.Turns > 0 || all.narrowed(now.Level) || now.Modes != nil && now.offer().IsPlan(now.Modes.CurrentModeID) {
		return
	}
	if err := s.conversation.Delete(); err != nil {
		s.log.Debug().Err(err).Msg("an empty session stays in the store")
	}
}

// conversationOf is what was said in a session of this bridge, or a copy of a stored one's.
func (all *Set) conversationOf(id string) (*conversation.Conversation, error) {
	s, err := all.Session(id)
	if err == nil {
		return s.conversation, nil
	}
	return all.archive().open(id)
}

// History is what the session's editor was shown after number since, merged where it was, and the number of the newest.
// The session may be closed.
func (all *Set) History(session string, since uint64) ([]Event, uint64, error) {
	c, err := all.conversationOf(session)
	if err != nil {
		return nil, 0, err
	}
	got, seq := c.Since(since)
	return got, seq, nil
}

// Replay is the whole session as [Bridge.LoadSession] shows it, *Message and *Replayed, numbered from 1, and the number of
// the newest update that the editor was shown: of a session that lives it is another one than the last of the list, and what
// comes next goes on from it. Nothing is started for it and nothing changes by it, and the session may be closed.
func (all *Set) Replay(ctx context.Context, session string) (list []Event, seq uint64, err error) {
	s, err := all.Session(session)
	if err != nil {
		c, err := all.archive().open(session)
		if err != nil {
			return nil, 0, err
		}
		list = c.Replay()
		return list, uint64(len(list)), nil
	}
	got := make(chan previewed, 1)
	all.cfg.Out.Push(&preview{s, got}) // what is on its way has its number then
	select {
	case p := <-got:
		return p.list, p.seq, nil
	case <-all.cfg.Life.Done():
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
func (all *Set) Transcript(session string) (text string, seq uint64, err error) {
	c, err := all.conversationOf(session)
	if err != nil {
		return "", 0, err
	}
	text, seq = c.Markdown()
	return text, seq, nil
}
