package lspfront

import "github.com/copilot-bridge/copilot-bridge/bridge"

type getTranscriptParams struct {
	SessionID string `json:"sessionId"`
	Format    string `json:"format,omitzero" enum:"markdown,updates"`
	Since     uint64 `json:"since,omitzero"`
	Replay    bool   `json:"replay,omitzero"`
}

type getTranscriptResult struct {
	Text    *string               `json:"text,omitzero"`
	Updates []sessionUpdateParams `json:"updates,omitzero"`
	Seq     uint64                `json:"seq"`
}

// getTranscript returns what the session has shown so far, as Markdown or as the updates after a number: how an editor
// repairs a gap.
func getTranscript(q *asked, p getTranscriptParams) (getTranscriptResult, error) {
	switch {
	case p.Format == "" || p.Format == "markdown":
		text, seq, err := q.b.Transcript(p.SessionID)
		return getTranscriptResult{Text: &text, Seq: seq}, err
	case p.Format != "updates":
		return getTranscriptResult{}, invalid(`format must be "markdown" or "updates"`)
	case p.Replay:
		list, seq, err := q.b.Replay(q.ctx, p.SessionID)
		return q.s.shown(list, seq), err
	}
	list, seq, err := q.b.History(p.SessionID, p.Since)
	return q.s.shown(list, seq), err
}

// shown encodes what an editor was shown, or would be.
func (s *server) shown(list []bridge.Event, seq uint64) getTranscriptResult {
	out := getTranscriptResult{Updates: []sessionUpdateParams{}, Seq: seq}
	for _, ev := range list {
		if _, _, params := s.event(ev); params != nil {
			if u, ok := params.(sessionUpdateParams); ok {
				out.Updates = append(out.Updates, u)
			}
		}
	}
	return out
}
