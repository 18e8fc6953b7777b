package lspfront

import (
	"context"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/copilot-bridge/copilot-bridge/acp"
	"github.com/copilot-bridge/copilot-bridge/bridge"
	"github.com/copilot-bridge/copilot-bridge/bridge/review"
	"github.com/copilot-bridge/copilot-bridge/internal/escape"
)

// Show hands an event to the editor. It waits while the editor's pipe is full: the bridge merges text behind it.
func (e editor) Show(ctx context.Context, ev bridge.Event) {
	s := e.s
	s.wire.out.admit(ctx)
	method, c, params := s.event(ev)
	if method != "" && s.tiers.rich(c) {
		s.notifyRich(method, params)
	}
	s.plain.show(ctx, ev)
}

type updateParams struct {
	SessionID string         `json:"sessionId"`
	TurnID    string         `json:"turnId,omitzero"`
	Seq       uint64         `json:"seq"`
	Replay    bool           `json:"replay,omitzero"`
	Update    jsontext.Value `json:"update"`
	URIs      []string       `json:"uris,omitzero"`
}

type turnParams struct {
	SessionID string           `json:"sessionId"`
	TurnID    string           `json:"turnId"`
	Prompt    []jsontext.Value `json:"prompt,omitzero"` // as the person sent it
}

type turnEndedParams struct {
	SessionID  string         `json:"sessionId"`
	TurnID     string         `json:"turnId"`
	StopReason acp.StopReason `json:"stopReason"`
	Usage      jsontext.Value `json:"usage,omitzero"`
	Error      *wireFailure   `json:"error,omitzero"`
	Files      []fileCount    `json:"files"`
}

type wireFailure struct {
	Code    int       `json:"code"`
	Message string    `json:"message"`
	Data    errorData `json:"data"`
}

type reviewParams struct {
	URI     string      `json:"uri"`
	Version *int32      `json:"version"`
	Pending int         `json:"pending"`
	Kind    review.Kind `json:"kind,omitzero"`
	Hunks   []wireHunk  `json:"hunks"`
}

type terminalParams struct {
	TerminalID string         `json:"terminalId"`
	SessionID  string         `json:"sessionId"`
	Data       string         `json:"data"`
	Truncated  bool           `json:"truncated,omitzero"`
	ExitStatus jsontext.Value `json:"exitStatus,omitzero"`
	Command    string         `json:"command,omitzero"`
	Args       []string       `json:"args,omitzero"`
}

type statusParams struct {
	Kind      bridge.StatusKind `json:"kind"`
	Message   string            `json:"message"`
	SessionID string            `json:"sessionId,omitzero"`
}

type sessionChangedParams struct {
	SessionID     string           `json:"sessionId"`
	Title         *string          `json:"title,omitzero"`
	Modes         jsontext.Value   `json:"modes,omitzero"`
	ConfigOptions []jsontext.Value `json:"configOptions,omitzero"`
	Commands      []jsontext.Value `json:"commands,omitzero"`
	Context       *wireContext     `json:"context,omitzero"`
	Queue         []queued         `json:"queue,omitzero"`
	Event         map[string]any   `json:"event,omitzero"`
}

type wireContext struct {
	Used uint64 `json:"used"`
	Size uint64 `json:"size"`
}

// event is an event as one of our own notifications, and the concern that has to be the plugin's for it.
func (s *Server) event(ev bridge.Event) (method string, c concern, params any) {
	switch e := ev.(type) {
	case *bridge.Update:
		p := s.encodeUpdate(e)
		return prefix + "session/update", concernUpdates, p
	case *bridge.Replayed:
		return prefix + "session/update", concernUpdates, s.encodeReplayed(e)
	case *bridge.TurnStarted:
		return prefix + "turn/started", concernUpdates, turnParams{e.Session, e.Turn, rawBlocks(e.Prompt)}
	case *bridge.TurnEnded:
		p := turnEndedParams{SessionID: e.Session, TurnID: e.Turn, StopReason: e.StopReason, Usage: e.Usage, Files: s.counts(e.Files)}
		if e.Err != nil {
			p.Error = &wireFailure{e.Err.Code, escape.Text(e.Err.Error()), errorData{e.Err.Retryable, e.Err.Hint}}
		}
		return prefix + "turn/ended", concernUpdates, p
	case *bridge.ReviewChanged:
		f := s.file(review.File{Path: e.Path, Kind: e.Kind, Hunks: e.Hunks})
		return prefix + "review/didChange", concernReview, reviewParams{f.URI, f.Version, len(f.Hunks), f.Kind, f.Hunks}
	case *bridge.TerminalOutput:
		p := terminalParams{TerminalID: e.Terminal, SessionID: e.Session, Data: s.screens.show(e), Truncated: e.Truncated, Command: escape.Inline(e.Command), Args: inlineAll(e.Args)}
		if e.Exit != nil {
			p.ExitStatus = raw(&acp.TerminalExitStatus{ExitCode: e.Exit.Code, Signal: e.Exit.Signal})
		}
		return prefix + "terminal/output", concernTerminal, p
	case *bridge.StatusChanged:
		return prefix + "status/didChange", concernStatus, statusParams{e.Kind, escape.Inline(e.Message), e.Session}
	case *bridge.SessionChanged:
		return prefix + "session/didChange", concernUpdates, encodeChange(e)
	}
	return "", concerns, nil
}

func (s *Server) encodeUpdate(e *bridge.Update) updateParams {
	p := updateParams{SessionID: e.Session, TurnID: e.Turn, Seq: e.Seq, Replay: e.Replay, Update: raw(e.Update)}
	for _, path := range e.Paths {
		p.URIs = append(p.URIs, s.docs.uri(path))
	}
	return p
}

// encodeReplayed is what a history holds beside updates, in the place where an update would be. ACP leaves names that
// begin with an underscore to others.
func (s *Server) encodeReplayed(e *bridge.Replayed) updateParams {
	update := map[string]any{"sessionUpdate": "_copilot-bridge/event"}
	if e.Event != nil {
		update["event"] = encodeHappening(e.Event)
	} else {
		update["sessionUpdate"] = "_copilot-bridge/turn_ended"
		update["stopReason"] = e.StopReason
		if e.Message != "" {
			update["message"] = e.Message
		}
		if len(e.Files) > 0 {
			update["files"] = s.counts(e.Files)
		}
	}
	return updateParams{SessionID: e.Session, TurnID: e.Turn, Seq: e.Seq, Replay: true, Update: raw(update)}
}

func encodeHappening(h *bridge.Happening) map[string]any {
	out := map[string]any{"type": h.Type, "message": escape.Text(h.Message)}
	for k, v := range h.Data {
		out[k] = v
	}
	return out
}

func encodeChange(e *bridge.SessionChanged) sessionChangedParams {
	p := sessionChangedParams{SessionID: e.Session, Title: e.Title, Modes: rawModes(e.Modes)}
	if e.Title != nil {
		title := escape.Inline(*e.Title)
		p.Title = &title
	}
	if e.Options != nil {
		p.ConfigOptions = rawOptions(e.Options)
	}
	if e.Commands != nil {
		p.Commands = rawCommands(e.Commands)
	}
	if e.Context != nil {
		p.Context = &wireContext{e.Context.Used, e.Context.Size}
	}
	if e.Queue != nil {
		p.Queue = encodeQueue(e.Queue)
	}
	if e.Event != nil {
		p.Event = encodeHappening(e.Event)
	}
	return p
}
