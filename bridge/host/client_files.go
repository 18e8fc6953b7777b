package host

import (
	"context"
	"path/filepath"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/copilot-bridge/copilot-bridge/acp"
	"github.com/copilot-bridge/copilot-bridge/bridge/permission"
	"github.com/copilot-bridge/copilot-bridge/fsproxy"
)

// ReadTextFile is ACP v1 fs/read_text_file. A probe for a file that does not exist is answered at once, and asks nobody, but
// for one that is [permission.Gate.Hidden].
func (s *Service) ReadTextFile(ctx context.Context, p *acp.ReadTextFileRequest) (any, error) {
	if !filepath.IsAbs(p.Path) {
		return nil, &acp.Error{Code: acp.CodeInvalidParams, Message: "path " + p.Path + " is not absolute"}
	}
	t, err := s.Gate.Reach(ctx, "fs/read_text_file", p.Path)
	if err != nil {
		return nil, err
	}
	if err := s.Gate.PermitRead(ctx, "fs/read_text_file", t); err != nil {
		return nil, err
	}
	if raw, ok, err := s.readByEditor(ctx, t, p); ok {
		return raw, err
	}
	snap, err := s.read(ctx, t)
	if err != nil {
		return nil, err
	}
	text, err := fsproxy.ReadLines(snap.Text.String(), p.Line, p.Limit)
	if err != nil {
		return nil, &acp.Error{Code: acp.CodeInvalidParams, Message: err.Error()}
	}
	return &acp.ReadTextFileResponse{Content: text}, nil
}

// WriteTextFile is ACP v1 fs/write_text_file. The write is asked about unless the agent has just asked about exactly this
// change (session/request_permission) and been told yes.
func (s *Service) WriteTextFile(ctx context.Context, p *acp.WriteTextFileRequest) (any, error) {
	if !filepath.IsAbs(p.Path) {
		return nil, &acp.Error{Code: acp.CodeInvalidParams, Message: "path " + p.Path + " is not absolute"}
	}
	t, err := s.Gate.Resolve(p.Path)
	if t.Real == "" {
		return nil, err
	}
	if no := s.Gate.Unwritable("fs/write_text_file", t); no != nil {
		return nil, no
	}
	if err == nil {
		err = permission.AsShown(func() error { return s.writeWhole(ctx, t, p.Content) })
	} else {
		err = s.notWritten(ctx, t, p.Content, err)
	}
	if err != nil {
		return nil, err
	}
	return &acp.WriteTextFileResponse{}, nil
}

// writeWhole asks about a whole text for a file, and writes what was shown.
func (s *Service) writeWhole(ctx context.Context, t target, text string) error {
	started, made := s.StartedFrom(ctx, t), s.all.madeTo(t)
	old, err := s.Gate.TextOf(ctx, t)
	if err != nil {
		return s.notWritten(ctx, t, text, err)
	}
	after, base := text, (*string)(nil)
	if old != nil {
		old, after, base = s.Gate.Preview(ctx, t, old, text, started)
	}
	g := permission.ChangeGrant(t, made, old, after)
	if yes := s.Gate.Use("fs/write_text_file", g); yes != nil {
		g = *yes
	} else {
		part, err := s.Gate.PermitWrite(ctx, "fs/write_text_file", t, &g)
		if err != nil {
			return err
		}
		if part != nil {
			return s.writePart(ctx, t, part)
		}
	}
	_, err = s.write(ctx, t, text, base, g, started...)
	return err
}

// notWritten is the answer to a write of a text that cannot be made for what is on the disk. Of a file that is
// [permission.Gate.Hidden] that is told only after the question which any other write of it raises.
func (s *Service) notWritten(ctx context.Context, t target, text string, why error) error {
	if s.Gate.Hidden(t) {
		g := permission.ChangeGrant(t, 0, nil, text)
		if _, no := s.Gate.PermitWrite(ctx, "fs/write_text_file", t, &g); no != nil {
			return no
		}
	}
	return why
}

// writePart makes the part of a whole-file write that was allowed. The answer to the agent is an error in any case: a
// result has no room for words, and an agent that takes the write for done goes on from a text that is not there.
func (s *Service) writePart(ctx context.Context, t target, part *permission.Choice) error {
	if _, err := s.writeChosen(ctx, t, part.Grant); err != nil {
		return part.Stale(err)
	}
	return &acp.Error{Code: acp.CodeInternal, Message: part.Note(t.Path)}
}

// readByEditor has the editor answer a read of the agent, which it may.
func (s *Service) readByEditor(ctx context.Context, t target, p *acp.ReadTextFileRequest) (jsontext.Value, bool, error) {
	if s.ReadAsAsked == nil {
		return nil, false, nil
	}
	if err := s.Gate.Same(t); err != nil {
		return nil, true, err
	}
	raw, ok, err := s.ReadAsAsked(ctx)
	if !ok || err != nil {
		return raw, ok, err
	}
	content, isText := acp.StringOf(acp.Member(raw, "content"))
	if !isText {
		return nil, false, nil // it has no text for it; what that means is seen to where the disk is known
	}
	whole := (p.Line == nil || *p.Line <= 1) && (p.Limit == nil || uint64(strings.Count(content, "\n")) < uint64(*p.Limit))
	if whole {
		if now := s.all.FS.Remember(ctx, s.ID, t.Path, content); now != content {
			raw = acp.SetMember(raw, "content", acp.Quote(now))
		}
	}
	return raw, true, nil
}
