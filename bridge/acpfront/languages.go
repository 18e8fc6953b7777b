package acpfront

import (
	"context"
	"errors"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/copilot-bridge/copilot-bridge/acp"
	"github.com/copilot-bridge/copilot-bridge/bridge"
	"github.com/copilot-bridge/copilot-bridge/bridge/host"
	"github.com/copilot-bridge/copilot-bridge/bridge/lend"
	"github.com/copilot-bridge/copilot-bridge/fsproxy/text"
	"github.com/copilot-bridge/copilot-bridge/internal/fileuri"
)

// Languages are not in ACP: they are asked where another bridge lends its buffers, and its editor has some.
func (e editor) Languages(ctx context.Context, path string) (bridge.LanguageServers, error) {
	if e.s.o.Borrow == nil {
		return nil, bridge.ErrUnsupported
	}
	found := e.s.o.Borrow.Languages(ctx, path)
	if found == nil {
		return nil, bridge.ErrUnsupported
	}
	for _, enc := range []text.Encoding{text.UTF8, text.UTF16, text.UTF32} {
		if enc.String() == found.Encoding {
			return languages{found, enc}, nil
		}
	}
	return nil, bridge.ErrUnsupported
}

// languages are the language servers of the editor that lends.
type languages struct {
	*lend.Languages
	enc text.Encoding
}

// Request implements [bridge.LanguageServers].
func (l languages) Request(ctx context.Context, method string, params any) (jsontext.Value, error) {
	raw, err := acp.Marshal(params)
	if err != nil {
		return nil, err
	}
	result, err := l.Languages.Request(ctx, method, raw)
	var why *lend.LanguageError
	if errors.As(err, &why) {
		switch why.Failure {
		case lend.NoServer:
			return nil, host.ErrNoServer
		case lend.NotSupported:
			return nil, bridge.ErrUnsupported
		}
	}
	return result, err
}

// URI implements [bridge.LanguageServers].
func (languages) URI(path string) string { return fileuri.Of(path) }

// Path implements [bridge.LanguageServers].
func (languages) Path(uri string) (string, error) { return fileuri.Path(uri) }

// Encoding implements [bridge.LanguageServers].
func (l languages) Encoding() text.Encoding { return l.enc }
