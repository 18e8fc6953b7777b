package session

import (
	"context"

	"github.com/copilot-bridge/copilot-bridge/acp"
	"github.com/copilot-bridge/copilot-bridge/bridge/calls"
	"github.com/copilot-bridge/copilot-bridge/bridge/wire"
	"github.com/copilot-bridge/copilot-bridge/terminalproxy"
)

// sessionKey and servedKey are where the context of something done for an agent carries its session, and the request of
// the agent that asked for it.
type (
	sessionKey struct{}
	servedKey  struct{}
)

// served is a request of the agent that is being answered.
type served struct {
	req   *acp.Request
	at    *wire.Reservation       // its place, nil where the order of the wire is not kept
	term  *terminalproxy.Terminal // that it is about, nil if it is about none of ours
	watch *calls.Watch            // of the question that it is
	stale bool                    // its call has the id of an earlier one
	ask   *calls.Ask              // its place among the agent's questions, nil for none
}

func servedOf(ctx context.Context) *served {
	r, _ := ctx.Value(servedKey{}).(*served)
	return r
}

// reservationOf is the place of the request that ctx belongs to, nil if it has none.
func reservationOf(ctx context.Context) *wire.Reservation {
	if r := servedOf(ctx); r != nil {
		return r.at
	}
	return nil
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
