package lspfront

import (
	"context"
	"errors"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/copilot-bridge/copilot-bridge/bridge"
	"github.com/copilot-bridge/copilot-bridge/bridge/host"
	"github.com/copilot-bridge/copilot-bridge/bridge/lend"
)

// lent is the bridge as a [lend.Host].
type lent struct{ *bridge.Bridge }

// LendLanguage implements [lend.Host].
func (l lent) LendLanguage(ctx context.Context, method string, params jsontext.Value) (jsontext.Value, error) {
	raw, err := l.Bridge.LendLanguage(ctx, method, params)
	switch {
	case err == nil || ctx.Err() != nil:
		return raw, err
	case errors.Is(err, host.ErrNoServer):
		return nil, &lend.LanguageError{Failure: lend.NoServer}
	case errors.Is(err, bridge.ErrUnsupported):
		return nil, &lend.LanguageError{Failure: lend.NotSupported}
	}
	return nil, &lend.LanguageError{Failure: lend.Failed, Reason: err.Error()}
}
