package acpfront

import (
	"context"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/copilot-bridge/copilot-bridge/acp"
	"github.com/copilot-bridge/copilot-bridge/bridge"
	"github.com/copilot-bridge/copilot-bridge/bridge/policy"
	"github.com/copilot-bridge/copilot-bridge/internal/escape"
)

// Ask puts a permission question by session/request_permission. The agent's own question goes as it came, with its own
// options; what is chosen is good once, an "always" is kept here and never told to the agent.
func (e editor) Ask(ctx context.Context, q *bridge.Question) (bridge.Answer, error) {
	s := e.s
	b, err := s.bridge()
	if err != nil {
		return bridge.Answer{}, err
	}
	params, options, err := s.question(b, q)
	if err != nil {
		return bridge.Answer{}, err
	}
	raw, err := s.ask(ctx, b, acp.MethodSessionRequestPermission, q.Session, params, warning(b, q))
	if err != nil {
		return bridge.Answer{}, err
	}
	var resp acp.RequestPermissionResponse
	if err := acp.Unmarshal(raw, &resp); err != nil {
		return bridge.Answer{}, err
	}
	chosen, ok := resp.Outcome.(*acp.SelectedPermissionOutcome)
	if !ok {
		return q.Closed(raw), nil
	}
	text, ok := amended(resp.Meta)
	if !ok {
		return q.Closed(raw), nil
	}
	for _, o := range options {
		if o.OptionID == chosen.OptionID {
			a := q.Chose(o, raw)
			a.NewText = text
			return a, nil
		}
	}
	return bridge.Answer{OptionID: chosen.OptionID}, nil // refused above: it was not offered
}

// metaKey is our member of the _meta of ACP's values.
const metaKey = "copilot-bridge"

// amended is the text of the user's in an answer's _meta, nil if there is none. ok is false for what is no text.
func amended(meta jsontext.Value) (text *string, ok bool) {
	raw := acp.Member(acp.Member(meta, metaKey), "newText")
	if len(raw) == 0 || raw.Kind() == 'n' {
		return nil, true
	}
	if raw.Kind() != '"' || !raw.IsValid() { // half a character would become another one
		return nil, false
	}
	s, ok := acp.StringOf(raw)
	return &s, ok
}

// shown is a change as content; an editor that can is told that its user may change it.
func shown(d bridge.FileDiff) acp.ToolCallContent {
	c := d.Content()
	if diff, ok := c.(*acp.Diff); ok && d.Amendable {
		diff.Meta = jsontext.Value(`{"` + metaKey + `":{"amendable":true}}`)
	}
	return c
}

// question is the params of a permission question, and its options.
func (s *Server) question(b *bridge.Bridge, q *bridge.Question) (jsontext.Value, []acp.PermissionOption, error) {
	if q.Raw != nil {
		var p acp.RequestPermissionRequest
		err := acp.Unmarshal(q.Raw, &p)
		return q.Raw, p.Options, err
	}
	call := *q.ToolCall
	if call.Title == nil {
		call.Title = &q.Title
	}
	call.Content = nil
	for _, d := range q.Diffs {
		call.Content = append(call.Content, shown(d))
		call.Locations = append(call.Locations, acp.ToolCallLocation{Path: d.Path})
	}
	if words := explain(q); words != "" {
		call.Content = append(call.Content, &acp.Content{Content: acp.Text(words)})
	}
	kind := acp.ToolKindEdit
	switch {
	case len(q.Argv) > 0:
		kind = acp.ToolKindExecute
		input, err := acp.Marshal(commandInput{strings.Join(q.Argv, " "), q.Argv, q.Cwd})
		if err == nil && len(call.RawInput) == 0 {
			call.RawInput = input
		}
	case len(q.Diffs) == 0:
		kind = acp.ToolKindRead
	}
	if call.Kind == nil {
		call.Kind = &kind
	}
	params, err := acp.Marshal(&acp.RequestPermissionRequest{SessionID: acp.SessionID(b.AliasFor(q.Session)), ToolCall: call, Options: q.Options})
	return params, q.Options, err
}

// warning is what the user should know before they answer the agent's own question, which goes as it came; nil if that is
// nothing. It is told just before.
func warning(b *bridge.Bridge, q *bridge.Question) *told {
	if q.Raw == nil {
		return nil
	}
	words, id := q.Warnings(), b.AliasFor(q.Session)
	if len(words) == 0 || id == "" {
		return nil
	}
	return &told{id, q.Title + ": " + strings.Join(words, "; ")}
}

// told is a line in a session, which is named as the editor knows it.
type told struct{ session, line string }

// commandInput is the input of a command as editors show it.
type commandInput struct {
	Command string   `json:"command"`
	Argv    []string `json:"argv"`
	Cwd     string   `json:"cwd"`
}

// explain is why it is asked, and what the user should know before they say yes.
func explain(q *bridge.Question) string {
	var lines []string
	if len(q.Argv) > 0 {
		lines = append(lines, strings.TrimSuffix(escape.Fenced("", escape.Lines(policy.CommandText(q.Argv))), "\n"))
	}
	lines = append(lines, q.Facts()...)
	if q.Reason != "" {
		lines = append(lines, q.Reason)
	}
	lines = append(lines, q.Notes...)
	return strings.Join(lines, "\n")
}

// ask puts a question of a session to the editor and waits for its answer. When ctx ends the answer is not waited for any more: after a
// session/cancel of the editor's own it answers by itself (ACP v1), otherwise it is told that the question is withdrawn. before is
// a line that comes first, nil for none.
func (s *Server) ask(ctx context.Context, b *bridge.Bridge, method, session string, params jsontext.Value, before *told) (jsontext.Value, error) {
	got := make(chan reply, 1)
	back, withdraw := context.WithCancel(s.life)
	mine := s.turns.asks(session)
	defer s.turns.asked(mine)
	err := b.AskInTurn(ctx, func() {
		<-s.call(acp.TakenBackBy(s.life, back), method, params, func() {
			if before != nil {
				s.line(s.life, before.session, before.line)
			}
		}, func(r reply) {
			withdraw()
			got <- r
		})
	})
	if err != nil {
		withdraw()
		return nil, err
	}
	acp.Queued(ctx)
	select {
	case a := <-got:
		return a.raw, a.err
	case <-ctx.Done():
		if req := bridge.RequestOf(ctx); !s.turns.answersItself(mine) || req != nil && req.Context().Err() != nil {
			withdraw()
		}
		return nil, ctx.Err()
	}
}
