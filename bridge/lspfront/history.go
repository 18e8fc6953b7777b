package lspfront

import (
	"context"

	"github.com/copilot-bridge/copilot-bridge/bridge"
)

type transcriptParams struct {
	SessionID string `json:"sessionId"`
	Format    string `json:"format"`
	Since     uint64 `json:"since"`
}

type transcriptResult struct {
	Text    *string        `json:"text,omitzero"`
	Updates []updateParams `json:"updates,omitzero"`
	Seq     uint64         `json:"seq"`
}

// transcriptGet returns what the session has shown so far, as Markdown or as the updates after a number: how an editor
// repairs a gap.
func transcriptGet(_ context.Context, s *Server, p transcriptParams) (any, error) {
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
	ups, seq, err := b.History(p.SessionID, p.Since)
	if err != nil {
		return nil, err
	}
	out := transcriptResult{Updates: []updateParams{}, Seq: seq}
	for _, u := range ups {
		out.Updates = append(out.Updates, s.encodeUpdate(u))
	}
	return out, nil
}

// notYet answers for what needs the store of sessions.
func notYet(what string) error {
	return &bridge.Error{Code: bridge.CodeInternal, Message: what + " is not there yet", Hint: "sessions are kept as long as the bridge runs"}
}

func sessionDelete(ctx context.Context, s *Server, p sessionParams) (any, error) {
	return sessionClose(ctx, s, p) // a session is kept as long as the bridge runs, so this is all there is of it
}

func sessionCompact(context.Context, *Server, sessionParams) (any, error) {
	return nil, notYet("compacting a session")
}

func sessionCheckpoints(context.Context, *Server, sessionParams) (any, error) {
	return nil, notYet("the list of checkpoints")
}
