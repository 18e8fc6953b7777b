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

// call makes one call. Its errors are an *acp.Error (wrapped with ErrSignedOut
// where it fits), a *TimeoutError, an *ExitError if the agent ended meanwhile,
// or ctx's. A limit of 0 is none.
func (a *Agent) call(ctx context.Context, method string, limit time.Duration, params, result any) error {
	late := &TimeoutError{Method: method, Limit: limit}
	bound, release := a.limited(ctx, limit, late)
	defer release()
	return a.outcome(ctx, bound, late, a.conn.Call(bound, method, params, result))
}

// CallRaw calls a method with params as they are and returns the result as it
// came, without a time limit. Its errors are those of the other calls; what the
// agent answered with is an *acp.Error in them.
func (a *Agent) CallRaw(ctx context.Context, method string, params jsontext.Value) (jsontext.Value, error) {
	raw, err := a.conn.CallRaw(ctx, method, params)
	return raw, a.outcome(ctx, ctx, nil, err)
}

// NotifyRaw sends a notification as it is.
func (a *Agent) NotifyRaw(ctx context.Context, method string, params jsontext.Value) error {
	err := a.conn.Notify(ctx, method, params)
	if errors.Is(err, acp.ErrClosed) {
		return a.endedBy(ctx, err)
	}
	return err
}

// outcome is the error of a call. late, if not nil, is the cause of its time limit.
func (a *Agent) outcome(ctx, bound context.Context, late *TimeoutError, err error) error {
	var answer *acp.Error
	switch {
	case err == nil:
		a.signedIn(true)
	case errors.As(err, &answer) && answer.Code == acp.CodeAuthRequired:
		a.signedIn(false)
		return fmt.Errorf("%w: %w", ErrSignedOut, err)
	case errors.Is(err, acp.ErrClosed):
		return a.endedBy(ctx, err)
	case late != nil && expired(bound, late):
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

// NewSession opens a session (ACP v1 session/new). Updates of the session may
// come before the result.
func (a *Agent) NewSession(ctx context.Context, req *acp.NewSessionRequest) (*acp.NewSessionResponse, error) {
	res := new(acp.NewSessionResponse)
	return result(res, a.call(ctx, acp.MethodSessionNew, openLimit, req, res))
}

// LoadSession opens an earlier session (ACP v1 session/load); the agent replays
// its history as updates before the result.
func (a *Agent) LoadSession(ctx context.Context, req *acp.LoadSessionRequest) (*acp.LoadSessionResponse, error) {
	res := new(acp.LoadSessionResponse)
	return result(res, a.call(ctx, acp.MethodSessionLoad, openLimit, req, res))
}

// ResumeSession opens an earlier session without a replay (ACP v1
// session/resume).
func (a *Agent) ResumeSession(ctx context.Context, req *acp.ResumeSessionRequest) (*acp.ResumeSessionResponse, error) {
	res := new(acp.ResumeSessionResponse)
	return result(res, a.call(ctx, acp.MethodSessionResume, openLimit, req, res))
}

// ListSessions asks for one page of earlier sessions (ACP v1 session/list).
func (a *Agent) ListSessions(ctx context.Context, req *acp.ListSessionsRequest) (*acp.ListSessionsResponse, error) {
	res := new(acp.ListSessionsResponse)
	return result(res, a.call(ctx, acp.MethodSessionList, callLimit, req, res))
}

// CloseSession ends a session and what it does (ACP v1 session/close).
func (a *Agent) CloseSession(ctx context.Context, id acp.SessionID) error {
	return a.call(ctx, acp.MethodSessionClose, callLimit, &acp.CloseSessionRequest{SessionID: id}, nil)
}

// DeleteSession takes a session out of the list (ACP v1 session/delete).
func (a *Agent) DeleteSession(ctx context.Context, id acp.SessionID) error {
	return a.call(ctx, acp.MethodSessionDelete, callLimit, &acp.DeleteSessionRequest{SessionID: id}, nil)
}

// Prompt runs one turn (ACP v1 session/prompt) and returns when it is over,
// after every update of the turn has been delivered. It takes as long as it
// takes. When ctx ends Prompt returns at once, and the agent goes on: use Cancel.
func (a *Agent) Prompt(ctx context.Context, req *acp.PromptRequest) (*acp.PromptResponse, error) {
	res := new(acp.PromptResponse)
	return result(res, a.call(ctx, acp.MethodSessionPrompt, 0, req, res))
}

// Cancel asks the agent to end the session's turn (ACP v1 session/cancel). The
// turn is over when Prompt returns. Open questions of the turn are the caller's
// to answer.
func (a *Agent) Cancel(ctx context.Context, id acp.SessionID) error {
	err := a.conn.Notify(ctx, acp.MethodSessionCancel, &acp.CancelNotification{SessionID: id})
	if errors.Is(err, acp.ErrClosed) {
		return a.endedBy(ctx, err)
	}
	return err
}

// SetMode sets a session's mode (ACP v1 session/set_mode).
func (a *Agent) SetMode(ctx context.Context, req *acp.SetSessionModeRequest) error {
	return a.call(ctx, acp.MethodSessionSetMode, callLimit, req, nil)
}

// SetConfigOption sets one option and returns the state of all (ACP v1
// session/set_config_option).
func (a *Agent) SetConfigOption(ctx context.Context, req *acp.SetSessionConfigOptionRequest) (*acp.SetSessionConfigOptionResponse, error) {
	res := new(acp.SetSessionConfigOptionResponse)
	return result(res, a.call(ctx, acp.MethodSessionSetConfigOption, callLimit, req, res))
}

// Authenticate signs in by a method of type agent (ACP v1 authenticate). It may
// wait for the user; methods of type terminal are not for it.
func (a *Agent) Authenticate(ctx context.Context, req *acp.AuthenticateRequest) error {
	return a.call(ctx, acp.MethodAuthenticate, 0, req, nil)
}

// Logout signs out (ACP v1 logout).
func (a *Agent) Logout(ctx context.Context) error {
	err := a.call(ctx, acp.MethodLogout, callLimit, &acp.LogoutRequest{}, nil)
	if err == nil {
		a.signedIn(false)
	}
	return err
}

func result[T any](res *T, err error) (*T, error) {
	if err != nil {
		return nil, err
	}
	return res, nil
}
