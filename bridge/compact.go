package bridge

import (
	"context"
	"regexp"
	"strconv"
	"strings"
	"sync"

	"github.com/copilot-bridge/copilot-bridge/acp"
	"github.com/copilot-bridge/copilot-bridge/acp/copilot"
)

// Compacted is what became of a conversation that was summed up.
type Compacted struct {
	MessagesRemoved, TokensRemoved int64
	Checkpoint                     *copilot.Checkpoint // the summary, nil if none was kept
	Text                           string              // what Copilot said to it
}

// compactedText is how Copilot reports a compaction (1.0.102).
var compactedText = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`removed ([\d,.]+) messages?(?: and ([\d,.]+) tokens?)?`)
})

// Compact has Copilot replace what was said so far by a summary, with an eye on focus if it is not empty. It waits for
// the end; errors are *Error.
func (b *Bridge) Compact(ctx context.Context, session, focus string) (Compacted, error) {
	s, err := b.Session(session)
	if err != nil {
		return Compacted{}, err
	}
	if !b.isCopilot() {
		return Compacted{}, &Error{Code: CodeInvalidParams, Message: "this agent has no way to sum up a conversation", Hint: "start a new session"}
	}
	s.mu.Lock()
	busy := s.waiting > 0
	s.mu.Unlock()
	if busy {
		return Compacted{}, &Error{Code: CodeTurnInProgress, Message: "a turn is running in this session", Hint: "wait for its end, or cancel it", Retryable: true}
	}
	old := s.checkpoints()
	t, _, err := s.take([]acp.ContentBlock{acp.Text(strings.TrimSpace("/compact " + focus))}, nil)
	if err != nil {
		return Compacted{}, err
	}
	select {
	case <-t.ended:
	case <-s.over:
		return Compacted{}, errSession(session)
	case <-ctx.Done():
		return Compacted{}, ctx.Err()
	}
	if t.err != nil {
		return Compacted{}, asError(t.err)
	}
	b.out.flush(ctx)
	out := Compacted{Text: s.history.answer(t.id)}
	if m := compactedText().FindStringSubmatch(out.Text); m != nil {
		out.MessagesRemoved, out.TokensRemoved = count(m[1]), count(m[2])
	} else if t.failure != "" {
		return out, &Error{Code: CodeInternal, Message: "Copilot has not summed up the conversation: " + strings.TrimSpace(t.failure), Retryable: true}
	}
	if now := s.checkpoints(); len(now) > len(old) {
		out.Checkpoint = &now[len(now)-1]
	}
	return out, nil
}

// count reads a number that may be grouped.
func count(text string) int64 {
	n, _ := strconv.ParseInt(strings.NewReplacer(",", "", ".", "").Replace(text), 10, 64) // of digits; "" is 0
	return n
}

// answer is what the agent said in a turn.
func (h *history) answer(turn string) string {
	var out strings.Builder
	h.all(func(e *entry) {
		if _, ok := e.update.(*acp.AgentMessageChunk); ok && e.turn == turn {
			out.Write(e.text)
		}
	})
	return out.String()
}

// Checkpoints lists the summaries that Copilot has made of a session, oldest first. The session may be closed.
func (b *Bridge) Checkpoints(session string) ([]copilot.Checkpoint, error) {
	if s, err := b.Session(session); err == nil {
		return s.checkpoints(), nil
	}
	remote := session
	if b.store != nil {
		if m, err := b.store.Meta(session); err == nil {
			remote = m.Agent
		}
	}
	c, ok := copilot.FindSession(b.cfg.Env, remote)
	if !ok {
		return nil, errSession(session)
	}
	return copilot.Checkpoints(c.Dir)
}

func (s *Session) checkpoints() []copilot.Checkpoint {
	dir := s.stateDir()
	if dir == "" {
		return nil
	}
	list, err := copilot.Checkpoints(dir)
	if err != nil {
		s.log.Debug().Err(err).Msg("list the checkpoints")
	}
	return list
}
