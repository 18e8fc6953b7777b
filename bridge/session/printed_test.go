package session

import (
	"fmt"

	"github.com/copilot-bridge/copilot-bridge/acp"
	"github.com/copilot-bridge/copilot-bridge/bridge/conversation"
)

// printed is an event in a line, as tests compare and report it.
func printed(ev Event) string {
	switch e := ev.(type) {
	case *Message:
		text := acp.Kind(e.Update())
		if t := conversation.PlainText(e.Update()); t != nil {
			text += fmt.Sprintf(" %q", t.Text)
		}
		switch u := e.Update().(type) {
		case *acp.ToolCall:
			text += " " + string(u.ToolCallID)
		case *acp.ToolCallUpdate:
			text += " " + string(u.ToolCallID)
			if u.Status != nil {
				text += " " + string(*u.Status)
			}
		}
		if e.Turn == "" {
			text += " (no turn)"
		}
		if e.Replay {
			text += " (replay)"
		}
		return text
	case *TurnStarted:
		return "started " + e.Turn
	case *TurnEnded:
		text := fmt.Sprintf("ended %s %s", e.Turn, e.StopReason)
		if e.Err != nil {
			text += ": " + e.Err.Message
		}
		return text
	case *StatusChanged:
		return fmt.Sprintf("status %s %s", e.Kind, e.Message)
	case *SessionChanged:
		if e.Event != nil {
			return fmt.Sprintf("happening %s %s", e.Event.Type, e.Event.Message)
		}
		if e.Queue != nil {
			text := "waiting:"
			for _, w := range e.Queue {
				text += " " + w.Turn
			}
			return text
		}
		return "session changed"
	}
	return fmt.Sprintf("%T", ev)
}
