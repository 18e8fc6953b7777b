package lspfront

import (
	"context"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/copilot-bridge/copilot-bridge/acp"
	"github.com/copilot-bridge/copilot-bridge/bridge"
	"github.com/copilot-bridge/copilot-bridge/bridge/lspfront/plain"
	"github.com/copilot-bridge/copilot-bridge/bridge/policy"
	"github.com/copilot-bridge/copilot-bridge/bridge/review"
	"github.com/copilot-bridge/copilot-bridge/internal/escape"
)

// Show hands an event to the editor. It waits while the editor's pipe is full: the bridge merges text behind it.
func (e editor) Show(ctx context.Context, ev bridge.Event) {
	s := e.s
	_ = s.wire.out.Admit(ctx) // where nothing more can be sent, what follows says so
	method, c, params := s.event(ev)
	if method != "" && s.Rich(c) {
		s.notifyRich(method, params)
	}
	if changed, ok := ev.(*bridge.SessionChanged); ok && changed.Level != "" {
		s.levelChanged(changed.Session)
	}
	s.plain.Show(ctx, ev)
}

// sessionUpdateParams is something new in a session.
//
//wire:tell session/update
type sessionUpdateParams struct {
	SessionID string         `json:"sessionId"`
	TurnID    string         `json:"turnId,omitzero"`
	Seq       uint64         `json:"seq"` // counts the session's updates without gaps
	Replay    bool           `json:"replay,omitzero"`
	Update    jsontext.Value `json:"update" as:"SessionUpdate"`
	URIs      []string       `json:"uris,omitzero"`
}

// turnStarted is the start of a turn.
//
//wire:tell turn/started
type turnStarted struct {
	SessionID string           `json:"sessionId"`
	TurnID    string           `json:"turnId"`
	Origin    string           `json:"origin,omitzero" enum:"agent"`      // the agent began it by itself; else a prompt did
	Prompt    []jsontext.Value `json:"prompt,omitzero" as:"ContentBlock"` // as the user sent it
}

// turnEnded is the end of a turn, after its last update.
//
//wire:tell turn/ended
type turnEnded struct {
	SessionID  string         `json:"sessionId"`
	TurnID     string         `json:"turnId"`
	StopReason acp.StopReason `json:"stopReason" enum:"end_turn,max_tokens,max_turn_requests,refusal,cancelled,error,*"`
	Usage      jsontext.Value `json:"usage,omitzero" as:"TokenUsage"`
	Error      *wireFailure   `json:"error,omitzero"`
	Said       bool           `json:"said,omitzero"` // the error repeats what the agent has said in a notice of its own
	Files      []fileCount    `json:"files"`
}

// wireFailure is an error as JSON-RPC has it.
type wireFailure struct {
	Code    int       `json:"code"`
	Message string    `json:"message"`
	Data    errorData `json:"data"`
}

// reviewChanged is all that is pending in a file.
//
//wire:tell review/didChange
type reviewChanged struct {
	URI     string      `json:"uri"`
	Version *int32      `json:"version"`
	Pending int         `json:"pending"`
	Kind    review.Kind `json:"kind,omitzero"`
	From    string      `json:"from,omitzero"` // where a file was that has been moved
	Hunks   []wireHunk  `json:"hunks"`
}

// terminalOutput is what a command printed; the last one has how it ended, and the command.
//
//wire:tell terminal/output
type terminalOutput struct {
	TerminalID string         `json:"terminalId"`
	SessionID  string         `json:"sessionId"`
	Data       string         `json:"data"`
	Truncated  bool           `json:"truncated,omitzero"`
	ExitStatus jsontext.Value `json:"exitStatus,omitzero" as:"TerminalExitStatus"`
	Command    string         `json:"command,omitzero"`
	Args       []string       `json:"args,omitzero"`
}

// wireStatus is what the bridge does, for a status line.
//
//wire:tell status/didChange
type wireStatus struct {
	Kind      bridge.StatusKind `json:"kind"`
	Message   string            `json:"message"` // one sentence
	SessionID string            `json:"sessionId,omitzero"`
	Level     policy.Level      `json:"level,omitzero" enum:"read-only,ask,edits,all"` // of the session used last
}

// sessionChanged is what has changed of a session. What is not there has not.
//
//wire:tell session/didChange
type sessionChanged struct {
	SessionID     string           `json:"sessionId"`
	Title         *string          `json:"title,omitzero"`
	Modes         jsontext.Value   `json:"modes,omitzero" as:"SessionModeState"`
	ConfigOptions []jsontext.Value `json:"configOptions,omitzero" as:"SessionConfigOption"`
	Commands      []jsontext.Value `json:"commands,omitzero" as:"AvailableCommand"`
	Context       *contextUse      `json:"context,omitzero"`
	Queue         []queued         `json:"queue,omitzero"`
	Level         policy.Level     `json:"level,omitzero" enum:"read-only,ask,edits,all"`
	Relaxed       []relaxedMode    `json:"relaxed,omitzero"` // all of them, an empty list where there are none any more
	Event         map[string]any   `json:"event,omitzero" as:"SessionEvent"`
}

// contextUse is how many tokens the conversation has, and how many fit.
type contextUse struct {
	Used uint64 `json:"used"`
	Size uint64 `json:"size"`
}

// sessionEvent documents what session/didChange has as event: members beside type and message depend on the type.
//
//wire:as SessionEvent
type sessionEvent struct {
	Type    string           `json:"type" enum:"notice,error,conflict,history_lost,tools_lost,agent_kind,allow_all,plan_mode,not_saved,not_shown,unasked_change,turn_interrupted,compaction_started,compaction_completed,truncation,*"`
	Message string           `json:"message,omitzero"`                  // for the user
	Path    string           `json:"path,omitzero"`                     // conflict, unasked_change
	Line    int              `json:"line,omitzero"`                     // conflict
	Wanted  string           `json:"wanted,omitzero"`                   // conflict
	Current string           `json:"current,omitzero"`                  // conflict
	Kind    string           `json:"kind,omitzero"`                     // agent_kind
	TurnID  string           `json:"turnId,omitzero"`                   // unasked_change, turn_interrupted
	Prompt  string           `json:"prompt,omitzero"`                   // turn_interrupted, in words
	Blocks  []jsontext.Value `json:"blocks,omitzero" as:"ContentBlock"` // turn_interrupted, as they were sent
	Sent    bool             `json:"sent,omitzero"`                     // turn_interrupted: the agent may have read it
	Others  map[string]any   `json:",unknown"`
}

var _ sessionEvent // the generator alone reads it

// event is an event as one of our own notifications, and the concern that has to be the plugin's for it.
func (s *server) event(ev bridge.Event) (method string, c plain.Concern, params any) {
	switch e := ev.(type) {
	case *bridge.Message:
		return prefix + "session/update", plain.Updates, s.encodeUpdate(e)
	case *bridge.Replayed:
		return prefix + "session/update", plain.Updates, s.encodeReplayed(e)
	case *bridge.TurnStarted:
		return prefix + "turn/started", plain.Updates, turnStarted{e.Session, e.Turn, originOf(e), rawBlocks(e.Prompt)}
	case *bridge.TurnEnded:
		p := turnEnded{SessionID: e.Session, TurnID: e.Turn, StopReason: e.StopReason, Usage: e.Usage, Files: s.counts(e.Files)}
		if e.Err != nil {
			p.Error = &wireFailure{e.Err.Code, escape.Text(e.Err.Error()), dataOf(e.Err)}
			p.Said = e.Said
		}
		return prefix + "turn/ended", plain.Updates, p
	case *bridge.ReviewChanged:
		f := s.file(review.File{Path: e.Path, Kind: e.Kind, From: e.From, Hunks: e.Hunks})
		return prefix + "review/didChange", plain.Review, reviewChanged{f.URI, f.Version, len(f.Hunks), f.Kind, f.From, f.Hunks}
	case *bridge.CommentsChanged:
		return prefix + "comments/didChange", plain.Review, commentsChanged{s.URI(e.Path), s.comments(e.Comments)}
	case *bridge.TerminalOutput:
		return prefix + "terminal/output", plain.Terminal, terminalOutput{
			e.Terminal, e.Session, s.screens.show(e), e.Truncated, exitStatus(e.Exit), escape.Inline(e.Command), inlineAll(e.Args),
		}
	case *bridge.StatusChanged:
		level, _ := s.levelNow()
		s.status = wireStatus{e.Kind, escape.Inline(e.Message), e.Session, level}
		return prefix + "status/didChange", plain.Status, s.status
	case *bridge.SessionChanged:
		return prefix + "session/didChange", plain.Updates, encodeChange(e, s.relaxedAfter(e))
	}
	return "", 0, nil
}

// originOf says who began a turn, where that was no prompt.
func originOf(e *bridge.TurnStarted) string {
	if e.Own {
		return "agent"
	}
	return ""
}

func (s *server) encodeUpdate(e *bridge.Message) sessionUpdateParams {
	p := sessionUpdateParams{SessionID: e.Session, TurnID: e.Turn, Seq: e.Seq, Replay: e.Replay, Update: remarked(e.Update())}
	for _, path := range e.Paths {
		p.URIs = append(p.URIs, s.URI(path))
	}
	return p
}

// encodeReplayed is what a history holds beside updates, in the place where an update would be. ACP leaves names that
// begin with an underscore to others.
func (s *server) encodeReplayed(e *bridge.Replayed) sessionUpdateParams {
	update := map[string]any{"sessionUpdate": "_copilot-bridge/event"}
	if e.Event != nil {
		update["event"] = encodeHappening(e.Event)
	} else {
		update["sessionUpdate"] = "_copilot-bridge/turn_ended"
		update["stopReason"] = e.StopReason
		if e.Message != "" {
			update["message"] = escape.Text(e.Message)
			update["said"] = e.Said
		}
		if len(e.Files) > 0 {
			update["files"] = s.counts(e.Files)
		}
	}
	return sessionUpdateParams{SessionID: e.Session, TurnID: e.Turn, Seq: e.Seq, Replay: true, Update: raw(update)}
}

func encodeHappening(h *bridge.Happening) map[string]any {
	out := map[string]any{"type": h.Type, "message": escape.Text(h.Message)}
	for k, v := range h.Data {
		out[k] = v
	}
	return out
}

func encodeChange(e *bridge.SessionChanged, relaxed []relaxedMode) sessionChanged {
	p := sessionChanged{
		SessionID: e.Session, Modes: rawModes(e.Modes), ConfigOptions: labelledList(e.Options), Commands: labelledList(e.Commands), Level: e.Level, Relaxed: relaxed,
	}
	if e.Title != nil {
		title := escape.Inline(*e.Title)
		p.Title = &title
	}
	if e.Context != nil {
		p.Context = &contextUse{e.Context.Used, e.Context.Size}
	}
	if e.Queue != nil {
		p.Queue = encodeQueue(e.Queue)
	}
	if e.Event != nil {
		p.Event = encodeHappening(e.Event)
	}
	return p
}
