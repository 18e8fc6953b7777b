package bridge

import (
	"github.com/copilot-bridge/copilot-bridge/acp"
	"github.com/copilot-bridge/copilot-bridge/bridge/conversation"
)

// sessionOver comes after the last event of a session. No editor is shown it.
type sessionOver struct{ session string }

func (*sessionOver) IsEvent() {}

// deliver shows an event, or what it stands for, once it is in its session's conversation: updates get their number, and
// what must not be lost is on disk first. It is called on the outbox's goroutine, so that what is saved is what was shown,
// in the same order; a message that takes the short way is recorded where that is.
func (b *Bridge) deliver(ev Event, show func(Event)) {
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
		if c := b.recordedIn(ev.Session); c != nil {
			c.AddPrompt(ev.Turn, ev.Prompt, ev.refs)
		}
	case *steered:
		if c := b.recordedIn(ev.session); c != nil {
			c.AddPrompt(ev.turn, []acp.ContentBlock{acp.Text(ev.text)}, nil)
		}
		return
	case *TurnEnded:
		if c := b.recordedIn(ev.Session); c != nil && ev.cut {
			c.Sync()
		} else if c != nil {
			end := conversation.End{StopReason: ev.StopReason, Files: ev.Files, Lost: ev.lost != nil}
			if ev.Err != nil {
				end.Message, end.Said = ev.Err.Error(), ev.Said
			}
			c.AddEnd(ev.Turn, end)
		}
	case *SessionChanged:
		c := b.recordedIn(ev.Session)
		if c != nil && ev.Event != nil {
			c.AddHappening(ev.Event)
		}
		if c != nil && ev.queued != nil {
			c.AddQueued(ev.queued.Turn, ev.queued.Prompt, ev.queued.refs)
		}
	case *sessionOver:
		if c := b.recordedIn(ev.session); c != nil {
			c.Close()
			b.mu.Lock()
			delete(b.conversations, ev.session)
			b.mu.Unlock()
		}
		return
	}
	show(ev)
}

// recordedIn is the conversation of a session whose events are still to be shown, nil after the last one.
func (b *Bridge) recordedIn(session string) *conversation.Conversation {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.conversations[session]
}
