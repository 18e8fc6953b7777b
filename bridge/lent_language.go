package bridge

import (
	"context"
	"errors"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/copilot-bridge/copilot-bridge/bridge/host"
)

// LendsLanguages is what positions count where the editor's language servers can be asked, "" where they cannot: for lend.Host, which
// the front makes of it.
func (b *Bridge) LendsLanguages() (encoding string) {
	servers, err := b.cfg.Editor.Languages(b.life, "")
	if err != nil {
		return ""
	}
	return servers.Encoding().String()
}

// LendLanguage asks them for another bridge of the same user, which has asked whether its agent may know. Methods that could change
// something are not passed on.
func (b *Bridge) LendLanguage(ctx context.Context, method string, params jsontext.Value) (jsontext.Value, error) {
	if !host.KnownLanguageMethod(method) {
		return nil, ErrUnsupported
	}
	servers, err := b.cfg.Editor.Languages(ctx, "")
	if err != nil {
		return nil, errors.Join(ErrUnsupported, err)
	}
	return servers.Request(ctx, method, params)
}
