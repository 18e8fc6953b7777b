package lspfront

import (
	"context"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"strings"

	"go.lsp.dev/protocol"

	"github.com/copilot-bridge/copilot-bridge/internal/durable"
)

// scheme is that of the documents the server itself has to show (LSP 3.18 workspace/textDocumentContent):
// copilot-bridge:/base?PATH is a file before what is pending, copilot-bridge:/transcript?SESSION a conversation.
const scheme = "copilot-bridge"

// textDocumentContent gives the text of a document of ours.
func textDocumentContent(s *server, p fileParams) (any, error) {
	u, err := url.Parse(p.URI)
	if err != nil || u.Scheme != scheme {
		return nil, invalid(fmt.Sprintf("%q is no document of copilot-bridge", p.URI))
	}
	b, err := s.Bridge()
	if err != nil {
		return nil, err
	}
	name, err := url.QueryUnescape(u.RawQuery)
	if err != nil {
		return nil, invalid(fmt.Sprintf("%q: %v", p.URI, err))
	}
	text := ""
	switch strings.Trim(u.Path, "/") {
	case "base":
		path := b.Canonical(filepath.FromSlash(name))
		base, ok := b.Base(path)
		if !ok {
			return nil, invalid("nothing is pending in " + name) // and files are not read for anyone who names one
		}
		text = base
	case "transcript":
		if name == "" {
			name = s.user.session()
		}
		if text, _, err = b.Transcript(name); err != nil {
			return nil, err
		}
	default:
		return nil, invalid(fmt.Sprintf("%q: there are copilot-bridge:/base?PATH and copilot-bridge:/transcript?SESSION", p.URI))
	}
	return &protocol.TextDocumentContentResult{Text: text}, nil
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
		return nil, invalid("there is no session yet, so nothing was said")
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
		s.showFile(ctx, path, "what was said")
		return nil
	})
	return shown{uriOf(path)}, nil
}
