package lspfront

import "github.com/copilot-bridge/copilot-bridge/bridge"

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

// getTranscript returns what the session has shown so far, as Markdown or as the updates after a number: how an editor
// repairs a gap.
func getTranscript(q *asked, p transcriptParams) (transcriptResult, error) {
	switch {
	case p.Format == "" || p.Format == "markdown":
		text, seq, err := q.b.Transcript(p.SessionID)
		return transcriptResult{Text: &text, Seq: seq}, err
	case p.Format != "updates":
		return transcriptResult{}, invalid(`format must be "markdown" or "updates"`)
	case p.Replay:
		list, seq, err := q.b.Replay(q.ctx, p.SessionID)
		return q.s.shown(list, seq), err
	}
	list, seq, err := q.b.History(p.SessionID, p.Since)
	return q.s.shown(list, seq), err
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
