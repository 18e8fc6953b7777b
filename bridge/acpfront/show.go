package acpfront

import (
	"context"
	"fmt"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/copilot-bridge/copilot-bridge/acp"
	"github.com/copilot-bridge/copilot-bridge/bridge"
	"github.com/copilot-bridge/copilot-bridge/bridge/host"
)

// editor implements [bridge.Editor]. Diagnostics and selections are not in ACP.
type editor struct {
	s *Server
	host.NoEditor
}

// Show passes on what the agent sends, and answers what is waiting for it.
func (e editor) Show(ctx context.Context, ev bridge.Event) {
	s := e.s
	switch ev := ev.(type) {
	case *bridge.Message:
		if ev.Request != nil {
			s.forward(ctx, ev)
			return
		}
		s.readable(ev.Message)
		s.tell(ctx, s.withOurs(ev))
	case *bridge.TerminalOutput:
		s.output(ctx, ev)
	case *bridge.TurnEnded:
		if req := s.turns.take(ev); req != nil {
			s.ended(req, ev)
		}
	case *bridge.SessionChanged:
		if ev.Event != nil {
			s.happened(ctx, ev)
		}
		if ev.Level != "" || ev.Modes != nil {
			s.optionsChanged(ctx, ev)
		}
	}
}

// ShowNow implements [bridge.DirectEditor].
func (e editor) ShowNow(ctx context.Context, m *bridge.Message) { e.s.tell(ctx, m.Message) }

// Drained implements [bridge.DirectEditor].
func (e editor) Drained() { e.s.conn.Flush() }

// unaskedChange is the type of a happening about a file that changed without a question (docs/protocol.md).
const unaskedChange = "unasked_change"

// happened tells the user what happened to a session beside its turns: as a notice where the editor has those, else as a
// line of its own in the conversation.
func (s *Server) happened(ctx context.Context, ev *bridge.SessionChanged) {
	b, err := s.bridge()
	if err != nil || !ev.Event.News() {
		return
	}
	id := b.AliasFor(ev.Session)
	if id == "" {
		return
	}
	text := ev.Event.Message
	if ev.Event.Type == unaskedChange {
		s.offerCommands(ctx, id)
		text += fmt.Sprintf(" (/%s shows it, /%s takes it back)", s.commands.nameOf(id, "review"), s.commands.nameOf(id, "undo"))
	}
	s.line(ctx, id, text)
}

// line tells the user something in a session, which is named as the editor knows it.
func (s *Server) line(ctx context.Context, id, text string) {
	var update acp.SessionUpdate
	if c := s.capabilities().Session; c != nil && c.Notices != nil {
		update = &acp.Notice{Severity: "warning", Title: text}
	} else {
		chunk := acp.ContentChunk{Content: acp.Text("\n\n[copilot-bridge: " + text + "]\n\n"), Meta: jsontext.Value(`{"copilot-bridge":{"notice":true}}`)}
		update = &acp.AgentMessageChunk{ContentChunk: chunk}
	}
	s.tell(ctx, acp.NewUpdate(acp.SessionID(id), update))
}
