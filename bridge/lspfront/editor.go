package lspfront

import (
	"context"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/copilot-bridge/copilot-bridge/acp"
	"github.com/copilot-bridge/copilot-bridge/bridge"
	"github.com/copilot-bridge/copilot-bridge/bridge/lspfront/plain"
	"github.com/copilot-bridge/copilot-bridge/bridge/policy"
	"github.com/copilot-bridge/copilot-bridge/bridge/review"
	"github.com/copilot-bridge/copilot-bridge/fsproxy/text"
)

// editor implements [bridge.Editor]: by methods of our own where the plugin takes a concern over, else in plain LSP.
type editor struct{ s *server }

// Ask puts a permission question. A plugin that fails at it loses the concern, and the question is asked in plain LSP.
func (e editor) Ask(ctx context.Context, q *bridge.Question) (bridge.Answer, error) {
	if e.s.Rich(plain.Permission) {
		a, err := e.s.askRich(ctx, q)
		if err == nil || ctx.Err() != nil {
			return a, err
		}
	}
	return e.s.plain.Ask(ctx, q)
}

// wireQuestion is a permission question: what it shows is what will happen.
//
//wire:ask permission/request wireAnswer
type wireQuestion struct {
	ID        string             `json:"id"`
	SessionID string             `json:"sessionId"`
	TurnID    string             `json:"turnId"`
	Title     string             `json:"title"`
	ToolCall  jsontext.Value     `json:"toolCall" as:"ToolCallUpdate"`
	Options   []jsontext.Value   `json:"options" as:"PermissionOption"`
	Reason    string             `json:"reason"`
	Diff      []wireQuestionDiff `json:"diff,omitzero"`
	Argv      []string           `json:"argv,omitzero"`
	Cwd       string             `json:"cwd,omitzero"`
	Env       []wireEnv          `json:"env,omitzero"`
	Save      []wireSave         `json:"save,omitzero"`
	Notes     []string           `json:"notes,omitzero"`
}

// wireQuestionDiff is a change that is asked about. Hunks are there where parts of it can be allowed; amendable says that the
// answer may have a text of the user's.
type wireQuestionDiff struct {
	URI       string             `json:"uri"`
	OldText   string             `json:"oldText"`
	NewText   string             `json:"newText"`
	Hunks     []wireQuestionHunk `json:"hunks,omitzero"`
	Amendable bool               `json:"amendable,omitzero"`
}

// wireQuestionHunk is a part of a change that can be allowed by itself: whole lines, the range in oldText.
type wireQuestionHunk struct {
	ID      string    `json:"id"`
	Range   wireRange `json:"range"`
	OldText string    `json:"oldText"`
	NewText string    `json:"newText"`
}

// wireSave is a file with unsaved text that is saved before the command runs.
type wireSave struct {
	URI string `json:"uri"`
}

type wireEnv struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

// wireAnswer is an ACP v1 outcome, and what the user said with a refusal.
type wireAnswer struct {
	Outcome  string `json:"outcome" enum:"selected,cancelled"`
	OptionID string `json:"optionId,omitzero"`
	Words    string `json:"words,omitzero"` // what the user says to the agent with a no
	// Hunks are the parts that a yes covers; left out, it covers all of them, and none is a no.
	Hunks *[]string `json:"hunks,omitzero"`
	// NewText is the whole text of the file that the user wants in place of the one that was shown.
	NewText *string `json:"newText,omitzero"`
}

func (s *server) askRich(ctx context.Context, q *bridge.Question) (bridge.Answer, error) {
	p := wireQuestion{
		ID: q.ID, SessionID: q.Session, TurnID: q.Turn, Title: q.Title, ToolCall: callOf(q), Options: []jsontext.Value{},
		Reason: q.Reason, Argv: q.Argv, Cwd: q.Cwd, Notes: q.Notes, Env: envOf(q.Env),
	}
	for _, path := range q.Save {
		p.Save = append(p.Save, wireSave{s.URI(path)})
	}
	for i := range q.Options {
		p.Options = append(p.Options, raw(&q.Options[i]))
	}
	for _, d := range q.Diffs {
		p.Diff = append(p.Diff, wireQuestionDiff{s.URI(d.Path), d.OldText, d.NewText, s.parts(d), d.Amendable})
	}
	var answer jsontext.Value
	if err := s.callRich(ctx, plain.Permission, prefix+"permission/request", p, &answer); err != nil {
		return bridge.Answer{}, err
	}
	var r wireAnswer
	if len(answer) > 0 {
		if err := unmarshal(answer, &r); err != nil {
			s.log.Warn().Err(err).Msg("an answer that cannot be read is a no")
			return bridge.Answer{}, nil
		}
	}
	a := bridge.Answer{Words: r.Words}
	if r.Outcome == "selected" {
		a.OptionID = acp.PermissionOptionID(r.OptionID)
		if r.Hunks != nil {
			a.Hunks = append([]string{}, *r.Hunks...)
		}
		a.NewText = r.NewText
	}
	return a, nil
}

// parts are the hunks of a change that can be chosen.
func (s *server) parts(d bridge.FileDiff) (out []wireQuestionHunk) {
	old := text.New(d.OldText)
	for _, h := range d.Hunks {
		where := s.hunkRange(old, review.Hunk{StartLine: h.Start, EndLine: h.End})
		out = append(out, wireQuestionHunk{h.ID, where, h.OldText, h.NewText})
	}
	return out
}

// callOf is the tool call of a question, without what the editor gets in a clearer form beside it.
func callOf(q *bridge.Question) jsontext.Value {
	c := *q.ToolCall
	if len(q.Diffs) > 0 {
		c.Content = nil
	}
	// In the form it has in a request: an update alone would name its kind.
	return acp.Member(raw(&acp.RequestPermissionRequest{SessionID: "-", ToolCall: c, Options: []acp.PermissionOption{}}), "toolCall")
}

func envOf(list []policy.EnvVar) []wireEnv {
	var out []wireEnv
	for _, e := range list {
		out = append(out, wireEnv{e.Name, e.Value})
	}
	return out
}

// inputRequest asks for values (ACP v1 elicitation).
//
//wire:ask input/request ?inputResult
type inputRequest struct {
	ID        string         `json:"id"`
	SessionID string         `json:"sessionId"`
	Title     string         `json:"title"`
	Schema    jsontext.Value `json:"schema,omitzero" as:"ElicitationSchema"`
	URL       string         `json:"url,omitzero"`
}

type inputResult struct {
	Value map[string]any `json:"value"`
}

// CanAsk implements [session.Asker]: a message with buttons is in LSP, and an editor that has none says so.
func (editor) CanAsk() bool { return true }

// Input asks for values (ACP v1 elicitation): null is a cancel.
func (e editor) Input(ctx context.Context, in *bridge.InputRequest) (bridge.InputAnswer, error) {
	s := e.s
	if s.Rich(plain.Input) {
		p := inputRequest{ID: in.ID, SessionID: in.Session, Title: in.Message, URL: in.URL}
		if in.Schema != nil {
			p.Schema = labelled(in.Schema)
		}
		var r *inputResult
		err := s.callRich(ctx, plain.Input, prefix+"input/request", p, &r)
		switch {
		case ctx.Err() != nil:
			return bridge.InputAnswer{}, ctx.Err()
		case err == nil && r == nil:
			return bridge.InputAnswer{Action: bridge.InputCancel}, nil
		case err == nil:
			return bridge.InputAnswer{Action: bridge.InputAccept, Content: r.Value}, nil
		}
	}
	return s.plain.Input(ctx, in)
}

//wire:ask diagnostics/get diagnosticsResult
type diagnosticsParams struct {
	URIs   []string      `json:"uris,omitzero"`
	Spoken *spokenParams `json:"spoken,omitzero"`
}

// diagnosticsResult says with Spoken also how the servers of that file are: none, spoken about its present text, or silent.
type diagnosticsResult struct {
	Items   []fileDiagnostics `json:"items"`
	Servers string            `json:"servers,omitzero" enum:"none,spoken,silent"`
}

type fileDiagnostics struct {
	URI         string           `json:"uri"`
	Diagnostics []wireDiagnostic `json:"diagnostics"`
}

// wireDiagnostic is LSP's, as far as it is read.
type wireDiagnostic struct {
	Range    wireRange      `json:"range"`
	Severity int            `json:"severity,omitzero"`
	Source   string         `json:"source,omitzero"`
	Code     jsontext.Value `json:"code,omitzero"`
	Message  string         `json:"message"`
}

var severities = [...]string{"error", "error", "warning", "information", "hint"}

// Diagnostics passes on what the editor's other language servers say.
func (e editor) Diagnostics(ctx context.Context, paths []string) ([]bridge.FileDiagnostics, error) {
	s := e.s
	if !s.Rich(plain.Diagnostics) {
		return nil, bridge.ErrUnsupported
	}
	var p diagnosticsParams
	for _, path := range paths {
		p.URIs = append(p.URIs, s.URI(path))
	}
	r, err := s.diagnostics(ctx, p)
	return s.filesOf(r), err
}

func (s *server) diagnostics(ctx context.Context, p diagnosticsParams) (r diagnosticsResult, err error) {
	ctx, cancel := context.WithTimeout(ctx, plain.CallLimit)
	defer cancel()
	err = s.callRich(ctx, plain.Diagnostics, prefix+"diagnostics/get", p, &r)
	return r, err
}

// filesOf are the diagnostics of an answer by file.
func (s *server) filesOf(r diagnosticsResult) (out []bridge.FileDiagnostics) {
	for _, item := range r.Items {
		path, err := s.docs.path(item.URI)
		if err != nil {
			continue // of something that is no file
		}
		f := bridge.FileDiagnostics{Path: path}
		for _, d := range item.Diagnostics {
			sev := "error"
			if d.Severity > 0 && d.Severity < len(severities) {
				sev = severities[d.Severity]
			}
			f.Items = append(f.Items, bridge.Diagnostic{
				Line: int(d.Range.Start.Line) + 1, Column: int(d.Range.Start.Character) + 1,
				EndLine: int(d.Range.End.Line) + 1, EndColumn: int(d.Range.End.Character) + 1,
				Severity: sev, Source: d.Source, Code: scalar(d.Code), Message: d.Message,
			})
		}
		out = append(out, f)
	}
	return out
}

// scalar is a diagnostic's code, which LSP has as a string or a number.
func scalar(v jsontext.Value) string {
	var text string
	if unmarshal(v, &text) == nil {
		return text
	}
	return string(v)
}
