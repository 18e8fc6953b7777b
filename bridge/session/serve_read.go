package session

import (
	"context"

	"github.com/go-json-experiment/json/jsontext"
)

// Reader is a [fsproxy.Remote] that answers fs/read_text_file as it came. ok is false where the editor does not
// read files for others.
type Reader interface {
	ReadWith(ctx context.Context, params jsontext.Value) (result jsontext.Value, ok bool, err error)
}

// readAsAsked has the editor answer the request of the agent that ctx belongs to. ok is false where it does not.
func (s *Session) readAsAsked(ctx context.Context) (result jsontext.Value, ok bool, err error) {
	r, reads := s.all.cfg.Remote.(Reader)
	req := RequestOf(ctx)
	if !reads || req == nil {
		return nil, false, nil
	}
	return r.ReadWith(ctx, s.routing.OutwardParams(req.Params()))
}
