package agent

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/copilot-bridge/copilot-bridge/acp"
)

// TimeoutError says that the agent did not answer a call in time. It lives on.
type TimeoutError struct {
	Method string
	Limit  time.Duration
}

func (e *TimeoutError) Error() string {
	return fmt.Sprintf("the agent did not answer %s within %v; it may hang: restart it", e.Method, e.Limit)
}

// limitOf is how long a call of ours may take, 0 for as long as it takes. One that somebody else can take back has no limit.
func limitOf(ctx context.Context, method string) time.Duration {
	if acp.CanBeTakenBack(ctx) {
		return 0
	}
	switch method {
	case acp.MethodSessionNew, acp.MethodSessionLoad, acp.MethodSessionResume:
		return openLimit
	case acp.MethodSessionList, acp.MethodSessionClose, acp.MethodSessionDelete, acp.MethodSessionSetMode, acp.MethodSessionSetConfigOption, acp.MethodLogout:
		return callLimit
	}
	return 0
}

// Call calls a method; [acp.Call] is for typed requests. Its errors are an *acp.Error (wrapped with ErrSignedOut where it
// fits), a *TimeoutError, an *ExitError if the agent ended meanwhile, or ctx's. All that the agent has sent before its
// answer has been handed over when it returns. When ctx ends, the agent goes on with a session/prompt: session/cancel ends
// its turn.
func (a *Agent) Call(ctx context.Context, method string, params jsontext.Value) (jsontext.Value, error) {
	late := &TimeoutError{Method: method, Limit: limitOf(ctx, method)}
	bound, release := a.limited(ctx, late.Limit, late)
	defer release()
	raw, err := a.conn.Call(bound, method, params)
	if err := a.outcome(ctx, bound, late, err); err != nil {
		return nil, err
	}
	a.signedIn(method != acp.MethodLogout)
	return raw, nil
}

// Notify sends a notification.
func (a *Agent) Notify(ctx context.Context, method string, params jsontext.Value) error {
	err := a.conn.Notify(ctx, method, params)
	if errors.Is(err, acp.ErrClosed) {
		return a.endedBy(ctx, err)
	}
	return err
}

// outcome is the error of a call. late is the cause of its time limit.
func (a *Agent) outcome(ctx, bound context.Context, late *TimeoutError, err error) error {
	var answer *acp.Error
	switch {
	case errors.As(err, &answer) && answer.Code == acp.CodeAuthRequired:
		a.signedIn(false)
		return fmt.Errorf("%w: %w", ErrSignedOut, err)
	case errors.Is(err, acp.ErrClosed):
		return a.endedBy(ctx, err)
	case expired(bound, late):
		return late
	}
	return err
}

// limited returns a context that ends with ctx, and because of cause when the
// limit has passed. A limit of 0 is none.
func (a *Agent) limited(ctx context.Context, limit time.Duration, cause error) (context.Context, func()) {
	bound, cancel := context.WithCancelCause(ctx)
	if limit == 0 {
		return bound, func() { cancel(nil) }
	}
	stop := a.after(limit, func() { cancel(cause) })
	return bound, func() { stop(); cancel(nil) }
}

// expired reports whether the limit with that cause is what ended the context.
func expired(bound context.Context, cause error) bool {
	return bound.Err() != nil && errors.Is(context.Cause(bound), cause)
}

// endedBy replaces the news that the connection is closed by how the agent
// ended, which is known a little later.
func (a *Agent) endedBy(ctx context.Context, err error) error {
	t := time.NewTimer(exitWait)
	defer t.Stop()
	select {
	case <-a.exited:
		e := a.exit
		return &e
	case <-ctx.Done():
	case <-t.C:
	}
	return err
}
