package bridge

import (
	"context"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/copilot-bridge/copilot-bridge/acp"
)

// Reader is a [fsproxy.Remote] that answers fs/read_text_file as it came. ok is false where the editor does not
// read files for others.
type Reader interface {
	ReadWith(ctx context.Context, params jsontext.Value) (result jsontext.Value, ok bool, err error)
}

// readByEditor has the editor answer a read of the agent, which it may.
func (s *Session) readByEditor(ctx context.Context, t target, p *acp.ReadTextFileRequest) (jsontext.Value, bool, error) {
	r, ok := s.b.cfg.Remote.(Reader)
	req := RequestOf(ctx)
	if !ok || req == nil {
		return nil, false, nil
	}
	if err := s.gate.Same(t); err != nil {
		return nil, true, err
	}
	raw, ok, err := r.ReadWith(ctx, s.outwardParams(req.Params()))
	if !ok || err != nil {
		return raw, ok, err
	}
	content, isText := acp.StringOf(acp.Member(raw, "content"))
	if !isText {
		return nil, false, nil // it has no text for it; what that means is seen to where the disk is known
	}
	whole := (p.Line == nil || *p.Line <= 1) && (p.Limit == nil || uint64(strings.Count(content, "\n")) < uint64(*p.Limit))
	if whole {
		if now := s.b.fs.Remember(ctx, s.ID, t.Path, content); now != content {
			raw = acp.SetMember(raw, "content", acp.Quote(now))
		}
	}
	return raw, true, nil
}
