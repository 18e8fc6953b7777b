package lspfront

import (
	"context"

	"github.com/copilot-bridge/copilot-bridge/bridge"
)

type transcriptParams struct {
	SessionID string `json:"sessionId"`
	Format    string `json:"format"`
	Since     uint64 `json:"since"`
	Replay    bool   `json:"replay"`
}

type transcriptResult struct {
	Text    *string        `json:"text,omitzero"`
	Updates []updateParams `json:"updates,omitzero"`
	Seq     uint64         `json:"seq"`
}

// transcriptGet returns what the session has shown so far, as Markdown or as the updates after a number: how an editor
// repairs a gap.
func transcriptGet(ctx context.Context, s *Server, p transcriptParams) (any, error) {
	b, err := s.bridge()
	if err != nil {
		return nil, err
	}
	if p.Format == "" || p.Format == "markdown" {
		text, seq, err := b.Transcript(p.SessionID)
		if err != nil {
			return nil, err
		}
		return transcriptResult{Text: &text, Seq: seq}, nil
	}
	if p.Format != "updates" {
		return nil, invalid(`format must be "markdown" or "updates"`)
	}
	if p.Replay {
		list, seq, err := b.Replay(ctx, p.SessionID)
		return s.shown(list, seq), err
	}
	list, seq, err := b.History(p.SessionID, p.Since)
	return s.shown(list, seq), err
}

// shown encodes what an editor was shown, or would be.
func (s *Server) shown(list []bridge.Event, seq uint64) transcriptResult {
	out := transcriptResult{Updates: []updateParams{}, Seq: seq}
	for _, ev := range list {
		if _, _, params := s.event(ev); params != nil {
			if u, ok := params.(updateParams); ok {
				out.Updates = append(out.Updates, u)
			}
		}
	}
	return out
}

func sessionDelete(ctx context.Context, s *Server, p sessionParams) (any, error) {
	b, err := s.bridge()
	if err != nil {
		return nil, err
	}
	if err := b.DeleteSession(ctx, p.SessionID); err != nil {
		return nil, err
	}
	s.plain.forgetSession(p.SessionID)
	s.plain.transcripts.remove(p.SessionID)
	return struct{}{}, nil
}

type compactParams struct {
	SessionID string `json:"sessionId"`
	Focus     string `json:"focus"`
}

type compactResult struct {
	MessagesRemoved int64       `json:"messagesRemoved"`
	TokensRemoved   int64       `json:"tokensRemoved"`
	Checkpoint      *checkpoint `json:"checkpoint,omitzero"`
}

type checkpoint struct {
	Number int    `json:"number"`
	Title  string `json:"title"`
	URI    string `json:"uri"`
}

// sessionCompact has the agent sum up the conversation, and waits for it.
func sessionCompact(ctx context.Context, s *Server, p compactParams) (any, error) {
	b, err := s.bridge()
	if err != nil {
		return nil, err
	}
	got, err := b.Compact(ctx, p.SessionID, p.Focus)
	if err != nil {
		return nil, err
	}
	out := compactResult{MessagesRemoved: got.MessagesRemoved, TokensRemoved: got.TokensRemoved}
	if c := got.Checkpoint; c != nil {
		out.Checkpoint = &checkpoint{c.Number, c.Title, s.docs.uri(c.Path)}
	}
	return out, nil
}

type checkpointsResult struct {
	Checkpoints []checkpoint `json:"checkpoints"`
}

func sessionCheckpoints(_ context.Context, s *Server, p sessionParams) (any, error) {
	b, err := s.bridge()
	if err != nil {
		return nil, err
	}
	list, err := b.Checkpoints(p.SessionID)
	if err != nil {
		return nil, err
	}
	out := checkpointsResult{Checkpoints: []checkpoint{}}
	for _, c := range list {
		out.Checkpoints = append(out.Checkpoints, checkpoint{c.Number, c.Title, s.docs.uri(c.Path)})
	}
	return out, nil
}
