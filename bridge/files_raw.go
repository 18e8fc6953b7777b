package bridge

import (
	"context"
	"errors"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/copilot-bridge/copilot-bridge/acp"
	"github.com/copilot-bridge/copilot-bridge/fsproxy"
	"github.com/copilot-bridge/copilot-bridge/terminalproxy"
)

// RawReader is a [fsproxy.Remote] that passes fs/read_text_file on as it came. ok is false where the editor does not
// read files for others.
type RawReader interface {
	ReadRaw(ctx context.Context, params jsontext.Value) (result jsontext.Value, ok bool, err error)
}

// readRaw has the editor answer a read of the agent, which it may.
func (s *Session) readRaw(ctx context.Context, t target, p *acp.ReadTextFileRequest) (jsontext.Value, bool, error) {
	r, ok := s.b.cfg.Remote.(RawReader)
	req := RequestOf(ctx)
	if !ok || req == nil {
		return nil, false, nil
	}
	if err := s.gate.Same(t); err != nil {
		return nil, true, err
	}
	raw, ok, err := r.ReadRaw(ctx, s.wire.outward(nil, req.Params()))
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

// sessionKey and servedKey are where the context of something done for an agent carries its session, and the request of
// the agent that asked for it.
type (
	sessionKey struct{}
	servedKey  struct{}
)

// served is a request of the agent that is being answered.
type served struct {
	req   *acp.Request
	at    *slot                   // its place, nil where the order of the wire is not kept
	term  *terminalproxy.Terminal // that it is about, nil if it is about none of ours
	watch *watch                  // of the question that it is
	stale bool                    // its call has the id of an earlier one
}

func servedOf(ctx context.Context) *served {
	r, _ := ctx.Value(servedKey{}).(*served)
	return r
}

func (s *Session) named(ctx context.Context) context.Context {
	return context.WithValue(ctx, sessionKey{}, s)
}

// AliasOf is the editor's id of the session that ctx belongs to, "" if it belongs to none.
func AliasOf(ctx context.Context) string {
	if s, ok := ctx.Value(sessionKey{}).(*Session); ok {
		return s.alias()
	}
	return ""
}

// RequestOf is the request of the agent that ctx belongs to, nil if it belongs to none.
func RequestOf(ctx context.Context) *acp.Request {
	if r := servedOf(ctx); r != nil {
		return r.req
	}
	return nil
}

// text is what a search looks at: the disk, and for files with matches or known to hold unsaved text what an editor has
// that can be asked.
func (q *grepSearch) text(ctx context.Context, path string, opts []fsproxy.ReadOption) (string, bool) {
	fs := q.s.b.fs
	snap, err := fs.Read(ctx, "", path, append(opts, fsproxy.WithDisk())...)
	asks := fs.Remote() && len(q.found) < maxGrepAsked && (missing(err) || err == nil && q.re.MatchString(snap.Text.String()) || slices.Contains(fs.Unsaved(), path))
	if asks {
		now, err := fs.Read(q.s.named(ctx), "", path, opts...)
		if err == nil {
			return now.Text.String(), true
		}
		if refused := new(fsproxy.RefusedError); errors.As(err, &refused) {
			q.refused = append(q.refused, q.s.gate.Short(path))
			return "", false
		}
	}
	if err != nil {
		return "", false
	}
	return snap.Text.String(), true
}
