package transcript

import (
	"bytes"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/copilot-bridge/copilot-bridge/acp"
	"github.com/copilot-bridge/copilot-bridge/acp/copilot"
	"github.com/copilot-bridge/copilot-bridge/internal/guard"
)

// Again is the _meta of a prompt that was cut off and is sent again: the model is to see it once. So is one that has the
// same text.
var Again = jsontext.Value(`{"copilot-bridge/again":true}`)

// Prompt runs one turn: what the person said goes to the program, and what that says to the handler. An error is a
// *Failure, or of ctx.
func (a *Agent) Prompt(ctx context.Context, r *acp.PromptRequest) (*acp.PromptResponse, error) {
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
	text := promptText(r.Prompt)
	if strings.TrimSpace(text) == "" {
		return nil, &Failure{Reason: Failed, Message: "there is nothing in the message that this program could be sent", Hint: "write some text"}
	}
	var resp *acp.PromptResponse
	if focus, ok := compactCommand(text); ok {
		resp, err = s.compactByHand(turn, focus)
	} else {
		resp, err = s.take(turn, text, bytes.Equal(r.Meta, Again))
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
	request  request
	features copilot.Features
	size     int // tokens of all that was said, and the message
}

// take runs a turn, with a second try where the first says how.
func (s *session) take(ctx context.Context, text string, again bool) (*acp.PromptResponse, error) {
	s.mu.Lock()
	number := s.conv.turn() + 1
	last := s.conv.unanswered()
	again = last != nil && (again || last.Text == text)
	if again {
		number = last.Turn
	}
	s.put(entry{Message: &message{Role: user, Text: text, Turn: number, Again: again}})
	before := s.conv.end() - 1
	s.mu.Unlock()
	s.sync() // whatever happens to the turn
	limit := s.limit()
	var lostOnce, longOnce bool
	for {
		t, err := s.prepare(ctx, text, before, limit, longOnce)
		if err != nil {
			return nil, err
		}
		o, exit, err := s.call(ctx, t)
		if err != nil {
			return nil, err
		}
		fail := explain(s.a.name, exit, o, t.road.resumed())
		if ctx.Err() != nil {
			fail = nil
		}
		s.keep(t, o, number, fail == nil && ctx.Err() == nil)
		switch {
		case ctx.Err() != nil:
			return nil, ctx.Err()
		case fail == nil:
			s.measure(t, o, limit)
			return withUsage(acp.StopReasonEndTurn, o.usage), nil
		case fail.Reason == LostSession && !lostOnce:
			lostOnce = true
			s.startOver()
			s.tell(Event{Type: "history_lost", Message: fmt.Sprintf("%s has lost its own history of this session; it goes on in a new one, with the transcript that is kept here", s.a.name),
				Data: map[string]any{"reason": fail.Message}})
		case fail.Reason == TooLong && !longOnce && !o.called && !o.said && s.began(before):
			longOnce = true
			limit = s.lower(fail.Limit, t.request.tokens(), limit)
			if t.road.resumed() || t.road == byNew {
				s.startOver()
				s.tell(Event{Type: "history_lost", Message: "the conversation did not fit into the model's context any more; it goes on in a new session of " + s.a.name + ", with a summary",
					Data: map[string]any{"reason": fail.Message}})
			}
		default:
			return nil, fail
		}
	}
}

// began says whether anything was said before number before: what is too long all by itself, no summary makes shorter.
func (s *session) began(before int) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.conv.summary != nil || len(s.earlier(0, before)) > 0
}

// lower is the context window for a second try: what the program has named, which is remembered, or less than what was
// refused.
func (s *session) lower(named, refused, limit int) int {
	if named > 0 && named < limit {
		s.record(entry{Limit: named})
		return named
	}
	return max(leastLimit, min(limit, int(float64(refused)*shrink)))
}

// startOver lets the next call make a new session of the program's.
func (s *session) startOver() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.put(entry{CLI: &cliSession{Cwd: s.cwd}})
}

// prepare chooses the road and puts the request together. Messages from number before on are the turn's own.
func (s *session) prepare(ctx context.Context, text string, before, limit int, forced bool) (attempt, error) {
	f, err := s.a.features(ctx)
	if err != nil {
		return attempt{}, &Failure{Reason: NotStarted, Message: err.Error(), Hint: "run `copilot-bridge doctor`"}
	}
	t := attempt{features: f}
	s.mu.Lock()
	cli := s.conv.cli
	s.mu.Unlock()
	if copilot.SamePath(cli.Cwd, s.cwd) {
		cli.Cwd = s.cwd // in whatever spelling
	}
	if cli.ID != "" && !cli.Started && cli.Cwd == s.cwd {
		_, cli.Started = copilot.FindSession(s.a.cfg.Env, cli.ID) // a first turn that failed may have made it
	}
	t.road = choose(f, cli, s.cwd, s.a.called(s))
	if t.road == byNew && (cli.ID == "" || cli.Started || cli.Cwd != s.cwd) {
		cli = cliSession{ID: newUUID(), Cwd: s.cwd}
		s.record(entry{CLI: new(cli)})
		s.alias(cli.ID)
	}
	t.cli = cli
	known := 0
	if t.road.resumed() {
		known = min(cli.Known, before)
	}
	if !t.road.resumed() { // else the program sees to its own session
		if err := s.makeRoom(ctx, text, before, limit, forced); err != nil {
			return attempt{}, err
		}
	}
	s.mu.Lock()
	t.request, t.size = s.compose(text, before, known), s.whole(text, before).tokens()
	s.mu.Unlock()
	var c cut
	t.request, c = truncate(t.request, limit)
	if !c.clean && c.messagesRemoved > 0 {
		s.tell(truncated(c, limit))
	}
	return t, nil
}

// compose is the request: of what was said before this turn, what the program does not know. The caller holds mu.
func (s *session) compose(text string, before, known int) request {
	r := request{prompt: text, messages: s.earlier(known, before)}
	if known < s.conv.first || known == 0 {
		r.summary = s.conv.summary
	}
	r.messages = prune(r.messages, s.a.cfg.MaxTurns)
	return r
}

// whole is everything that was said, and the message: what fills the context. The caller holds mu.
func (s *session) whole(text string, before int) request {
	return request{prompt: text, summary: s.conv.summary, messages: s.earlier(0, before)}
}

// earlier are the messages from number known up to number before. The caller holds mu.
func (s *session) earlier(known, before int) []message {
	all := s.conv.since(known)
	return slices.Clip(all[:max(0, len(all)-(s.conv.end()-before))])
}

func truncated(c cut, limit int) Event {
	return Event{Type: "truncation",
		Message: fmt.Sprintf("%d older messages (%d tokens) were left out of this request to make room.", c.messagesRemoved, c.before-c.after),
		Data: map[string]any{"tokenLimit": limit, "preTruncationTokensInMessages": c.before, "postTruncationTokensInMessages": c.after,
			"preTruncationMessagesLength": c.messagesBefore, "postTruncationMessagesLength": c.messagesBefore - c.messagesRemoved,
			"messagesRemovedDuringTruncation": c.messagesRemoved, "tokensRemovedDuringTruncation": c.before - c.after, "performedBy": "copilot-bridge"}}
}

// call runs the program.
func (s *session) call(ctx context.Context, t attempt) (*outcome, guard.Exit, error) {
	a, text := s.a, t.request.text()
	launch := a.cfg.Launch
	p := copilot.Print{Features: t.features, Prompt: text, Stdin: len(text) > maxArgument || strings.HasPrefix(text, "-")}
	switch t.road {
	case byNew:
		p.New = t.cli.ID
	case byResume:
		p.Resume = t.cli.ID
	case byContinue:
		p.Continue = true
	}
	server := ""
	if launch.Socket != "" && t.features.EditorTools() {
		server = serverName
		if a.cfg.Mint != nil {
			if err := a.cfg.Mint(); err != nil {
				return nil, guard.Exit{}, &Failure{Reason: NotStarted, Message: "the editor tools are not ready: " + err.Error(), Hint: "restart the bridge"}
			}
		}
	}
	o := &outcome{}
	st := stage{show: s.update, tell: func(kind, text string) { s.tell(Event{Type: kind, Message: text}) }}
	unnamed := t.road == byTranscript && t.features.Resume
	started := a.now()
	var there []string
	if unnamed {
		there = copilot.NewestSessions(a.cfg.Env)
	}
	exit, err := s.program(launch.PrintArgv(p), text, p.Stdin).run(ctx, output(t.features, st, o, server), o)
	if err == nil && unnamed && o.session == "" {
		o.session, _ = copilot.FreshSession(a.cfg.Env, s.cwd, started, there)
		if o.session == "" && len(copilot.NewestSessions(a.cfg.Env)) > 0 {
			a.called(nil) // it has sessions, and which is ours cannot be told: the newest of all may be another one
		}
	}
	return o, exit, err
}

func (s *session) program(argv []string, text string, stdin bool) program {
	p := program{guard: s.a.cfg.Guard, argv: argv, env: s.a.cfg.Env, dir: s.cwd, leave: s.a.life.Done(), rush: s.a.rush}
	if stdin {
		p.stdin = text
	}
	return p
}

func output(f copilot.Features, st stage, o *outcome, server string) decoder {
	if f.JSON {
		return newJSONOutput(st, o, server)
	}
	return newTextOutput(st, o)
}

// keep records what was said, also in a turn that failed, and what the program knows now. ok: it went well.
func (s *session) keep(t attempt, o *outcome, number int, ok bool) {
	s.mu.Lock()
	for _, m := range o.messages {
		m.Turn, m.Text = number, clip(m.Text, maxKept)
		s.put(entry{Message: &m})
	}
	heard := ok || o.heard
	cli := t.cli
	switch {
	case t.road == byTranscript && t.features.Resume && heard:
		cli = cliSession{ID: o.session, Cwd: s.cwd, Started: true}
	case t.road == byTranscript:
		heard = false
	case o.session != "":
		cli.ID = o.session
	}
	if heard {
		cli.Started, cli.Known = true, s.conv.end()
	}
	if heard && cli != s.conv.cli {
		s.put(entry{CLI: &cli})
	}
	s.mu.Unlock()
	if heard {
		s.alias(cli.ID)
	}
	s.sync()
}

// measure tells how full the context is: as the program has reported it, else as it is estimated.
func (s *session) measure(t attempt, o *outcome, limit int) {
	used, size := o.used, limit
	if used == 0 {
		used = t.size
		for _, m := range o.messages {
			used += tokens(m.size())
		}
	}
	if o.size > 0 {
		size = o.size
	}
	s.update(&acp.UsageUpdate{Used: uint64(used), Size: uint64(max(size, 1))})
}
