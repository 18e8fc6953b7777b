package lspfront

import "github.com/copilot-bridge/copilot-bridge/internal/escape"

type compactParams struct {
	SessionID string `json:"sessionId"`
	Focus     string `json:"focus,omitzero"`
}

type compactResult struct {
	MessagesRemoved int64       `json:"messagesRemoved"`
	TokensRemoved   int64       `json:"tokensRemoved"`
	Checkpoint      *checkpoint `json:"checkpoint,omitzero"`
}

// checkpoint is a summary that was made of a conversation.
type checkpoint struct {
	Number int    `json:"number"`
	Title  string `json:"title"`
	URI    string `json:"uri"`
}

// compact has the agent sum up the conversation, and waits for it.
func compact(q *asked, p compactParams) (out compactResult, err error) {
	got, err := q.b.Compact(q.ctx, p.SessionID, p.Focus)
	if err != nil {
		return out, err
	}
	out = compactResult{MessagesRemoved: got.MessagesRemoved, TokensRemoved: got.TokensRemoved}
	if c := got.Checkpoint; c != nil {
		out.Checkpoint = &checkpoint{c.Number, escape.Inline(c.Title), q.s.URI(c.Path)}
	}
	return out, nil
}

type checkpointsResult struct {
	Checkpoints []checkpoint `json:"checkpoints"`
}

func listCheckpoints(q *asked, p sessionParams) (checkpointsResult, error) {
	out := checkpointsResult{Checkpoints: []checkpoint{}}
	list, err := q.b.Checkpoints(p.SessionID)
	for _, c := range list {
		out.Checkpoints = append(out.Checkpoints, checkpoint{c.Number, escape.Inline(c.Title), q.s.URI(c.Path)})
	}
	return out, err
}
