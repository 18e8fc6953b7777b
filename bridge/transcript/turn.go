package transcript

import (
	"bytes"
	"context"
	"fmt"
	"strings"

	"github.com/copilot-bridge/copilot-bridge/bridge/transcript/program"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/copilot-bridge/copilot-bridge/acp"
	"github.com/copilot-bridge/copilot-bridge/acp/copilot"
	"github.com/copilot-bridge/copilot-bridge/bridge/conversation"
)

// Again is the _meta of a prompt that was cut off and is sent again: the model is to see it once. So is one that has the
// same text.
var Again = jsontext.Value(`{"copilot-bridge/again":true}`)

// prompt runs one turn: what the user said goes to the program, and what that says to the handler. An error is a
// *program.Failure, or of ctx.
func (a *Agent) prompt(ctx context.Context, r *acp.PromptRequest) (*acp.PromptResponse, error) {
	s, err := a.session(r.SessionID)
	if err != nil {
		return nil, err
	}
	turn, end, err := s.begin(ctx)
	if err != nil {
		return nil, err
	}
	defer end()
	acp.Queued(ctx)
	if err := s.open(); err != nil {
		return nil, err
	}
	p := &prompt{turn: s.conv.Turn(), text: promptText(r.Prompt), again: bytes.Equal(r.Meta, Again)}
	if strings.TrimSpace(p.text) == "" {
		return nil, &program.Failure{Reason: program.Failed, Message: "there is nothing in the message that this program could be sent", Hint: "write some text"}
	}
	var resp *acp.PromptResponse
	if focus, ok := compactCommand(p.text); ok {
		resp, err = s.compactByHand(turn, p.turn, focus)
	} else {
		resp, err = s.take(turn, p)
	}
	if turn.Err() != nil {
		if a.life.Err() != nil {
			return nil, acp.ErrClosed
		}
		return withUsage(acp.StopReasonCancelled, nil), nil
	}
	return resp, err
}

// attempt is one try at a turn.
type attempt struct {
	road     road
	cli      cliSession // of byNew: the name it gets
	past     *history
	request  request
	features copilot.Features
	size     int // tokens of all that was said, and the message
}

// take runs a turn, with a second try where the first says how.
func (s *session) take(ctx context.Context, p *prompt) (*acp.PromptResponse, error) {
	h, err := s.past(ctx, p)
	if err != nil {
		return nil, err
	}
	if p.again || !p.said { // it lasts whatever happens to the turn, as the prompt does
		s.conv.AddSent(p.turn, conversation.Sent{Text: p.text, Again: p.again})
	}
	limit := s.limit()
	var lostOnce, longOnce bool
	for {
		t, err := s.prepare(ctx, h, p, limit, longOnce)
		if err != nil {
			return nil, err
		}
		h = t.past
		o, err := s.call(ctx, t)
		if err != nil {
			return nil, err
		}
		fail := o.Failure(s.a.name, t.road.resumed())
		if ctx.Err() != nil {
			fail = nil
		}
		s.recordKnown(t, o, p.turn, fail == nil && ctx.Err() == nil)
		switch {
		case ctx.Err() != nil:
			return nil, ctx.Err()
		case fail == nil:
			s.measure(t, o, limit)
			return withUsage(acp.StopReasonEndTurn, o.Usage), nil
		case fail.Reason == program.LostSession && !lostOnce:
			lostOnce = true
			s.startOver()
			s.tell(&conversation.Happening{Type: "history_lost", Message: fmt.Sprintf("%s has lost its own history of this session; it goes on in a new one, with the transcript that is kept here", s.a.name),
				Data: map[string]any{"reason": fail.Message}})
		case fail.Reason == program.TooLong && !longOnce && !o.Called && !o.Said && (h.summary != nil || len(h.messages) > 0): // what is too long all by itself, no summary makes shorter
			longOnce = true
			limit = s.lower(fail.Limit, t.request.tokens(), limit)
			if t.road.resumed() || t.road == byNew {
				s.startOver()
				s.tell(&conversation.Happening{Type: "history_lost", Message: "the conversation did not fit into the model's context any more; it goes on in a new session of " + s.a.name + ", with a summary",
					Data: map[string]any{"reason": fail.Message}})
			}
		default:
			return nil, fail
		}
	}
}

// lower is the context window for a second try: what the program has named, which is remembered, or less than what was
// refused.
func (s *session) lower(named, refused, limit int) int {
	if named > 0 && named < limit {
		s.change(func(st *state) { st.Limit = named })
		return named
	}
	return max(program.LeastLimit, min(limit, int(float64(refused)*shrink)))
}

// startOver lets the next call make a new session of the program's.
func (s *session) startOver() { s.change(func(st *state) { st.CLI = cliSession{Cwd: s.cwd} }) }

// prepare chooses the road and puts the request together, of what was said before the turn and the prompt.
func (s *session) prepare(ctx context.Context, h *history, p *prompt, limit int, forced bool) (attempt, error) {
	f, err := s.a.features(ctx)
	if err != nil {
		return attempt{}, &program.Failure{Reason: program.NotStarted, Message: err.Error(), Hint: "run `copilot-bridge doctor`"}
	}
	t := attempt{features: f, past: h}
	cli := s.now().CLI
	if copilot.SamePath(cli.Cwd, s.cwd) {
		cli.Cwd = s.cwd // in whatever spelling
	}
	if cli.ID != "" && !cli.Started && cli.Cwd == s.cwd {
		_, cli.Started = copilot.FindSession(s.a.cfg.Env, cli.ID) // a first turn that failed may have made it
	}
	t.road = choose(f, cli, s.cwd, s.a.called(s))
	if t.road == byNew && (cli.ID == "" || cli.Started || cli.Cwd != s.cwd) {
		cli = cliSession{ID: newUUID(), Cwd: s.cwd}
		s.change(func(st *state) { st.CLI = cli })
		s.alias(cli.ID)
	}
	t.cli = cli
	known := cli.Known
	if !t.road.resumed() { // else the program sees to its own session
		known = ""
		if t.past, err = s.makeRoom(ctx, h, p, limit, forced); err != nil {
			return attempt{}, err
		}
	}
	t.request, t.size = t.past.request(p.text, known, s.a.cfg.MaxTurns), t.past.whole(p.text).tokens()
	var c cut
	if t.request, c = truncate(t.request, limit); c.messagesRemoved > 0 {
		s.tell(truncated(c, limit))
	}
	return t, nil
}

func truncated(c cut, limit int) *conversation.Happening {
	return &conversation.Happening{Type: "truncation",
		Message: fmt.Sprintf("%d older messages (%d tokens) were left out of this request to make room.", c.messagesRemoved, c.before-c.after),
		Data: map[string]any{"tokenLimit": limit, "preTruncationTokensInMessages": c.before, "postTruncationTokensInMessages": c.after,
			"preTruncationMessagesLength": c.messagesBefore, "postTruncationMessagesLength": c.messagesBefore - c.messagesRemoved,
			"messagesRemovedDuringTruncation": c.messagesRemoved, "tokensRemovedDuringTruncation": c.before - c.after, "performedBy": "copilot-bridge"}}
}

// call runs the program.
func (s *session) call(ctx context.Context, t attempt) (*program.Outcome, error) {
	a, text := s.a, t.request.text()
	p := copilot.Print{Features: t.features, Prompt: text, Stdin: len(text) > maxArgument || strings.HasPrefix(text, "-")}
	switch t.road {
	case byNew:
		p.New = t.cli.ID
	case byResume:
		p.Resume = t.cli.ID
	case byContinue:
		p.Continue = true
	}
	c := s.one(a.cfg.Launch, p, program.Stage{Show: s.update, Tell: func(kind, text string) { s.tell(&conversation.Happening{Type: kind, Message: text}) }, Remark: func(text string) {
		chunk := &acp.AgentMessageChunk{ContentChunk: acp.ContentChunk{Content: acp.Text(text)}}
		s.update(conversation.MarkNotice(chunk, copilot.Notice{Kind: copilot.NoticeInfo})) // the model is not told that it said so
	}})
	if a.cfg.Launch.Socket != "" && t.features.EditorTools() {
		c.Tools = copilot.ServerName
		if a.cfg.Mint != nil {
			if err := a.cfg.Mint(); err != nil {
				return nil, &program.Failure{Reason: program.NotStarted, Message: "the editor tools are not ready: " + err.Error(), Hint: "restart the bridge"}
			}
		}
	}
	unnamed := t.road == byTranscript && t.features.Resume
	started := a.now()
	var there []string
	if unnamed {
		there = copilot.NewestSessions(a.cfg.Env)
	}
	o, err := c.Run(ctx)
	if err == nil && unnamed && o.Session == "" {
		o.Session, _ = copilot.FreshSession(a.cfg.Env, s.cwd, started, there)
		if o.Session == "" && len(copilot.NewestSessions(a.cfg.Env)) > 0 {
			a.called(nil) // it has sessions, and which is ours cannot be told: the newest of all may be another one
		}
	}
	return o, err
}

// one is a call of the program, not yet made.
func (s *session) one(l copilot.Launch, p copilot.Print, stage program.Stage) program.Call {
	c := program.Call{Guard: s.a.cfg.Guard, Argv: l.PrintArgv(p), Env: s.a.cfg.Env, Dir: s.cwd, JSON: p.Features.JSON, Stage: stage, Leave: s.a.life.Done(), Rush: s.a.rush}
	if p.Stdin {
		c.Stdin = p.Prompt
	}
	return c
}

// beside is a call that is no part of the conversation: without tools, and nobody is shown it.
func (s *session) beside(p copilot.Print) program.Call {
	p.NoTools = true
	return s.one(copilot.Launch{Command: s.a.cfg.Launch.Command}, p, program.Stage{})
}

// recordKnown records what the program knows now, also after a turn that failed. ok: it went well.
func (s *session) recordKnown(t attempt, o *program.Outcome, turn string, ok bool) {
	heard := ok || o.Heard
	cli := t.cli
	switch {
	case t.road == byTranscript && t.features.Resume && heard:
		cli = cliSession{ID: o.Session, Cwd: s.cwd}
	case t.road == byTranscript:
		return
	case o.Session != "":
		cli.ID = o.Session
	}
	if heard {
		cli.Started, cli.Known = true, turn
		s.change(func(st *state) { st.CLI = cli })
		s.alias(cli.ID)
	}
}

// measure tells how full the context is: as the program has reported it, else as it is estimated.
func (s *session) measure(t attempt, o *program.Outcome, limit int) {
	used, size := o.Used, limit
	if used == 0 {
		used = t.size + tokens(o.Size)
	}
	if o.Window > 0 {
		size = o.Window
	}
	s.update(&acp.UsageUpdate{Used: uint64(used), Size: uint64(max(size, 1))})
}
