package lspfront

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"github.com/copilot-bridge/copilot-bridge/bridge"
	"github.com/copilot-bridge/copilot-bridge/internal/durable"
)

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

type showTranscriptParams struct {
	SessionID string `json:"sessionId,omitzero"`
}

// showTranscript shows the conversation of the session used last.
func showTranscript(q *asked, p showTranscriptParams) (any, error) {
	s, session := q.s, p.SessionID
	if session == "" {
		session = s.user.session()
	}
	if session == "" {
		return nil, invalid("there is no session yet")
	}
	path, current := s.plain.TranscriptFile(session)
	if !current {
		text, _, err := q.b.Transcript(session)
		switch {
		case err != nil:
			return nil, err
		case path == "":
			return nil, invalid("there is no state folder to write a transcript to; set XDG_STATE_HOME or HOME")
		}
		err = os.MkdirAll(filepath.Dir(path), 0o700)
		if err == nil {
			err = durable.Replace(path, []byte(text))
		}
		if err != nil {
			return nil, fmt.Errorf("write the transcript: %w", err)
		}
	}
	s.Behind("show the transcript", func(ctx context.Context) error {
		s.showFile(ctx, path, "the transcript")
		return nil
	})
	return shown{uriOf(path)}, nil
}
