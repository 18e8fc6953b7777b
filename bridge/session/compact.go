package session

import (
	"context"
	"slices"
	"strings"

	"github.com/copilot-bridge/copilot-bridge/acp"
	"github.com/copilot-bridge/copilot-bridge/acp/copilot"
)

// Compacted is what became of a conversation that was summed up.
type Compacted struct {
	MessagesRemoved, TokensRemoved int64
	Checkpoint                     *copilot.Checkpoint // the summary, nil if none was kept
	Text                           string              // what Copilot said to it
}

// Compact has Copilot replace what was said so far by a summary, with an eye on focus if it is not empty. It waits for
// the end; errors are *Error.
func (all *Set) Compact(ctx context.Context, session, focus string) (Compacted, error) {
	s, err := all.Session(session)
	if err != nil {
		return Compacted{}, err
	}
	if !all.cfg.Agents.IsCopilot() && !all.cfg.Agents.PerTurn() {
		return Compacted{}, &Error{Code: CodeInvalidParams, Message: "this agent has no way to sum up a conversation", Hint: "start a new session"}
	}
	if s.prompted() {
		return Compacted{}, &Error{Code: CodeTurnInProgress, Message: "a turn is running in this session", Hint: "wait for its end, or cancel it", Retryable: true}
	}
	old := s.checkpoints()
	turn, err := s.Prompt(Prompt{Blocks: []acp.ContentBlock{acp.Text(strings.TrimSpace("/compact " + focus))}})
	if err != nil {
		return Compacted{}, err
	}
	t := turn.turn
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
	all.cfg.Out.Flush(ctx)
	out := Compacted{Text: s.conversation.Answer(t.id)}
	if messages, tokens, ok := copilot.Compacted(out.Text); ok {
		out.MessagesRemoved, out.TokensRemoved = messages, tokens
	} else if t.failure != "" {
		return out, &Error{Code: CodeInternal, Message: "Copilot could not summarize the conversation: " + strings.TrimSpace(t.failure), Retryable: true}
	}
	for _, c := range s.checkpoints() {
		if !slices.Contains(old, c) {
			out.Checkpoint = &c
		}
	}
	return out, nil
}

// Checkpoints lists the summaries that Copilot, or the transcript agent, has made of a session, oldest first. The session may be closed.
func (all *Set) Checkpoints(session string) ([]copilot.Checkpoint, error) {
	if s, err := all.Session(session); err == nil {
		return s.checkpoints(), nil
	}
	remote := session
	if all.cfg.Store != nil {
		if m, err := all.cfg.Store.Meta(session); err == nil {
			remote = m.Agent
		}
	}
	ours, err := all.ownCheckpoints(session)
	c, ok := copilot.FindSession(all.cfg.Env, remote)
	if !ok {
		if len(ours) == 0 && err == nil {
			err = errSession(session)
		}
		return ours, err
	}
	theirs, err := copilot.Checkpoints(c.Dir)
	return append(theirs, ours...), err
}

// ownCheckpoints are the summaries that the transcript agent has made.
func (all *Set) ownCheckpoints(session string) ([]copilot.Checkpoint, error) {
	if all.cfg.Store == nil || all.cfg.Store.Folder(session) == "" {
		return nil, nil
	}
	return copilot.Checkpoints(all.cfg.Store.Folder(session))
}

func (s *Session) checkpoints() []copilot.Checkpoint {
	var list []copilot.Checkpoint
	if dir := s.stateDir(); dir != "" {
		theirs, err := copilot.Checkpoints(dir)
		if err != nil {
			s.log.Debug().Err(err).Msg("list the checkpoints")
		}
		list = theirs
	}
	ours, err := s.all.ownCheckpoints(s.ID)
	if err != nil {
		s.log.Debug().Err(err).Msg("list the checkpoints of the transcript")
	}
	return append(list, ours...)
}
