package session

import (
	"github.com/copilot-bridge/copilot-bridge/acp/copilot"
	"github.com/copilot-bridge/copilot-bridge/bridge/conversation"
)

// follow reads along in Copilot's own log of the session: what it says there about compaction, truncation and errors it
// does not say over ACP. Called again it reads what has been written up to now.
func (s *Session) follow() {
	dir := s.stateDir()
	if dir == "" {
		return
	}
	all := s.all
	all.mu.Lock()
	if all.logs == nil && !all.closing {
		logs, err := copilot.NewEventLogs(all.logged)
		if err != nil {
			all.cfg.Log.Warn().Err(err).Msg("Copilot's own log is not followed")
		} else {
			all.logs = logs
		}
	}
	logs := all.logs
	all.mu.Unlock()
	if logs != nil {
		logs.Follow(s.ID, dir)
	}
}

// unfollow reads what has been written up to now, and no more.
func (s *Session) unfollow() {
	s.all.mu.Lock()
	logs := s.all.logs
	s.all.mu.Unlock()
	if dir := s.stateDir(); logs != nil && dir != "" {
		logs.Follow(s.ID, dir)
		logs.Forget(dir)
	}
}

// stateDir is Copilot's folder of the session, "" for other agents and before it has one.
func (s *Session) stateDir() string {
	remote := s.remoteID()
	if remote == "" || !s.all.cfg.Agents.IsCopilot() {
		return ""
	}
	return copilot.SessionDir(s.all.cfg.Env, string(remote))
}

// logged tells what Copilot wrote to its own log.
func (all *Set) logged(session string, e copilot.LogEvent) {
	if e.Sign != copilot.NoTurnSign {
		if s, err := all.Session(session); err == nil {
			s.in.put(signIn{e.Sign})
		}
		return
	}
	h := conversation.FromCopilot(e)
	if h != nil {
		all.cfg.Out.Push(&SessionChanged{Session: session, Event: h})
	}
}
