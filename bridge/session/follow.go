package session

import (
	"fmt"
	"strings"

	"github.com/copilot-bridge/copilot-bridge/acp/copilot"
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
	h := happened(e)
	if h != nil {
		all.cfg.Out.Push(&SessionChanged{Session: session, Event: h})
	}
}

// happened is an event of Copilot's log as an editor is told of it; nil for one that is no news.
func happened(e copilot.LogEvent) *Happening {
	num := func(key string) int64 {
		f, _ := e.Data[key].(float64)
		return int64(f)
	}
	str := func(key string) string {
		t, _ := e.Data[key].(string)
		return t
	}
	h := &Happening{Data: map[string]any{}}
	for k, v := range e.Data {
		if k != "type" && k != "message" && k != "summaryContent" { // the summary is in the checkpoint
			h.Data[k] = v
		}
	}
	switch e.Type {
	case "session.compaction_start":
		h.Type = "compaction_started"
		h.Message = fmt.Sprintf("Copilot sums up the conversation: %d of %d tokens are used.", num("currentTokens"), num("tokenLimit"))
	case "session.compaction_complete":
		h.Type = "compaction_completed"
		h.Message = fmt.Sprintf("Copilot has replaced %d messages (%d tokens) by a summary.", num("messagesRemoved"), num("tokensRemoved"))
		if ok, _ := e.Data["success"].(bool); !ok {
			h.Message = "Copilot has not summed up the conversation: " + strings.TrimSpace(str("error")+" "+str("outcomeReason")) + "."
		}
	case "session.truncation":
		h.Type = "truncation"
		h.Message = fmt.Sprintf("Copilot has left out %d old messages (%d tokens) to make room.", num("messagesRemovedDuringTruncation"), num("tokensRemovedDuringTruncation"))
	case "session.error":
		h.Type = "error"
		h.Message = "Copilot reports an error: " + str("message")
	case "session.model_change":
		if str("source") == "startup" {
			return nil
		}
		h.Type = "model_changed"
		h.Message = "The model is now " + str("newModel") + "."
	case "session.shutdown":
		h.Type = "shutdown" // for the record; the end of the agent itself is told by its status
		h.Message = "Copilot has ended the session's process."
	default:
		return nil
	}
	return h
}
