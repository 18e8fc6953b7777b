package session

import (
	"github.com/copilot-bridge/copilot-bridge/acp"
	"github.com/copilot-bridge/copilot-bridge/bridge/conversation"
)

// sessionOver comes after the last event of a session. No editor is shown it.
type sessionOver struct{ session string }

func (*sessionOver) IsEvent() {}

// Deliver shows an event, or what it stands for, once it is in its session's conversation: updates get their number, and
// what must not be lost is on disk first. It is called on the outbox's goroutine, so that what is saved is what was shown,
// in the same order; a message that takes the short way is recorded where that is.
func (all *Set) Deliver(ev Event, show func(Event)) {
	switch ev := ev.(type) {
	case *replay:
		ev.show(show)
		return
	case *preview:
		ev.read()
		return
	case *deferred:
		ev.do()
		return
	case *Message:
		ev.Record()
	case *TurnStarted:
		if c := all.recordedIn(ev.Session); c != nil && ev.Own {
			c.AddHappening(&Happening{Type: "own_turn", Message: "The agent began a turn by itself."})
		} else if c != nil {
			c.AddPrompt(ev.Turn, ev.Prompt, ev.refs)
		}
	case *steered:
		if c := all.recordedIn(ev.session); c != nil {
			c.AddPrompt(ev.turn, []acp.ContentBlock{acp.Text(ev.text)}, nil)
		}
		return
	case *TurnEnded:
		if c := all.recordedIn(ev.Session); c != nil && ev.cut {
			c.Sync()
		} else if c != nil {
			end := conversation.End{StopReason: ev.StopReason, Files: ev.Files, Lost: ev.lost != nil}
			if ev.Err != nil {
				end.Message, end.Said = ev.Err.Error(), ev.Said
			}
			c.AddEnd(ev.Turn, end)
		}
	case *SessionChanged:
		c := all.recordedIn(ev.Session)
		if c != nil && ev.Event != nil {
			c.AddHappening(ev.Event)
		}
		if c != nil && ev.queued != nil {
			c.AddQueued(ev.queued.Turn, ev.queued.Prompt, ev.queued.refs)
		}
	case *sessionOver:
		if c := all.recordedIn(ev.session); c != nil {
			c.Close()
			all.mu.Lock()
			delete(all.conversations, ev.session)
			all.mu.Unlock()
		}
		return
	}
	show(ev)
}

// recordedIn is the conversation of a session whose events are still to be shown, nil after the last one.
func (all *Set) recordedIn(session string) *conversation.Conversation {
	all.mu.Lock()
	defer all.mu.Unlock()
	return all.conversations[session]
}
