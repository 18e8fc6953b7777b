package lspfront

import (
	"fmt"
	"net/url"
	"path/filepath"
	"strings"

	"go.lsp.dev/protocol"
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
