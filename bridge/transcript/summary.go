package transcript

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/copilot-bridge/copilot-bridge/acp/copilot"
)

// job is a summary that is being made.
type job struct {
	trigger string // "background", "automatic" or "manual"
	focus   string // what the person wants kept, may be empty
	until   int    // number of the first message that is not in it
	limit   int    // tokens

	over    chan struct{} // closed when it is done with; the rest is set then
	err     error         // nil: it is applied
	removed int           // messages
	saved   int           // tokens
}

// The failures of a summary that are not the program's.
var (
	errNoSummary = errors.New("the program gave no summary")
	errGivenUp   = errors.New("the summary was given up")
)

// makeRoom sees to it that what was said before number before leaves room for the message: a summary is begun when the
// context fills, and waited for when it is full or the program has said so. A summary that fails leaves everything as it
// was; truncation has to do then.
func (s *session) makeRoom(ctx context.Context, text string, before, limit int, forced bool) error {
	for range 3 { // the one that ran, one of this turn's, and a look at what came of it
		s.mu.Lock()
		use := float64(s.whole(text, before).tokens()) / float64(limit)
		next := s.a.thresholds.next(use, before-s.conv.first, s.making != nil, forced)
		j := s.making
		switch {
		case next == background:
			s.summarize(s.a.life, &job{trigger: "background", until: before, limit: limit})
		case next == waitFor && j == nil:
			j = &job{trigger: "automatic", until: before, limit: limit}
			s.summarize(ctx, j)
		}
		s.mu.Unlock()
		if next != waitFor {
			return ctx.Err()
		}
		select {
		case <-j.over:
		case <-ctx.Done():
			return ctx.Err()
		}
		if j.err != nil && j.trigger != "background" {
			return ctx.Err()
		}
		forced = forced && j.err != nil
	}
	return ctx.Err()
}

// summarize begins a summary. The caller holds mu, has seen that none is being made, and keeps the agent from ending.
func (s *session) summarize(ctx context.Context, j *job) {
	n, ok := s.sum.begin(j.until)
	if !ok {
		panic("transcript: two summaries at once")
	}
	ctx, cancel := context.WithCancel(ctx)
	j.over = make(chan struct{})
	s.making, s.sumStop = j, cancel
	c := s.conv // messages only grow behind what this sees
	s.a.work.Go(func() {
		defer cancel()
		s.make(ctx, &c, j, n)
	})
}

// make makes a summary and applies it.
func (s *session) make(ctx context.Context, c *conversation, j *job, n int) {
	said := request{summary: c.summary, messages: c.messages}
	s.tell(Event{Type: "compaction_started",
		Message: fmt.Sprintf("The conversation is summed up: %d of %d tokens are used.", said.tokens(), j.limit),
		Data:    map[string]any{"trigger": j.trigger, "currentTokens": said.tokens(), "tokenLimit": j.limit, "systemTokens": 0, "conversationTokens": said.tokens(), "toolDefinitionsTokens": 0}})
	text, err := s.ask(ctx, summaryRequest(c, j.until, j.focus, j.limit))
	if err == nil && strings.TrimSpace(text) == "" {
		err = errNoSummary
	}
	s.finish(c, j, n, text, err)
}

// finish applies a summary, or not, and tells what became of it.
func (s *session) finish(c *conversation, j *job, n int, text string, err error) {
	before := request{summary: c.summary, messages: c.messages}.tokens()
	plan := ""
	if err == nil {
		plan = copilot.Plan(s.a.cfg.Env, c.cli.ID)
	}
	var done compaction
	var path string
	s.mu.Lock()
	if until, ok := s.sum.done(n); !ok {
		err = errGivenUp // whatever came of it is thrown away
	} else if err == nil {
		done = compacted(&s.conv, until, strings.TrimSpace(text), plan, j.limit)
		if path, err = s.checkpoint(done.Checkpoint, text); err != nil {
			s.a.log.Warn().Err(err).Msg("the summary is in the transcript all the same")
			err = nil
		}
		j.removed = done.Until - s.conv.first
		s.put(entry{Compaction: &done})
	}
	after := request{summary: s.conv.summary, messages: s.conv.messages[:max(0, len(s.conv.messages)-(s.conv.end()-c.end()))]}.tokens()
	s.mu.Unlock()
	s.sync()
	j.err, j.saved = err, max(0, before-after)
	e := Event{Type: "compaction_completed", Data: map[string]any{"success": err == nil, "trigger": j.trigger, "preCompactionTokens": before, "postCompactionTokens": after}}
	if err != nil {
		e.Message = "The conversation was not summed up: " + err.Error() + "."
		e.Data["error"], e.Data["outcome"] = err.Error(), "failed"
		if errors.Is(err, errGivenUp) || errors.Is(err, context.Canceled) {
			e.Message, e.Data["outcome"] = "The conversation was not summed up: it was cancelled.", "cancelled"
		}
	} else {
		e.Message = fmt.Sprintf("%d messages (%d tokens) were replaced by a summary.", j.removed, j.saved)
		e.Data["messagesRemoved"], e.Data["tokensRemoved"], e.Data["outcome"] = j.removed, j.saved, "completed"
		if path != "" {
			e.Data["checkpointNumber"], e.Data["checkpointPath"] = done.Checkpoint, path
		}
	}
	s.tell(e)
	s.mu.Lock()
	s.making, s.sumStop = nil, nil // the session may be closed from here on
	s.mu.Unlock()
	close(j.over)
}

// checkpoint keeps a summary as a file; "" where nothing is kept.
func (s *session) checkpoint(number int, text string) (string, error) {
	if s.dir == "" {
		return "", nil
	}
	return writeCheckpoint(s.dir, number, text)
}

// ask gives the program one request that belongs to no session, without tools, and returns its answer.
func (s *session) ask(ctx context.Context, r request) (string, error) {
	f, err := s.a.features(ctx)
	if err != nil {
		return "", err
	}
	text := r.text()
	p := copilot.Print{Features: f, Prompt: text, Stdin: len(text) > maxArgument, NoTools: true}
	if f.SessionID {
		p.New = newUUID()
		defer func() {
			if err := copilot.RemoveSession(s.a.cfg.Env, p.New); err != nil {
				s.a.log.Debug().Err(err).Msg("the session of a summary stays")
			}
		}()
	}
	s.a.called(nil) // the newest session of all is not the conversation's any more
	o := &outcome{}
	exit, err := s.program(copilot.Launch{Command: s.a.cfg.Launch.Command}.PrintArgv(p), text, p.Stdin).run(ctx, output(f, stage{}, o, ""), o)
	if err != nil {
		return "", err
	}
	if ctx.Err() != nil {
		return "", ctx.Err()
	}
	if fail := explain(s.a.name, exit, o, false); fail != nil {
		return "", fail
	}
	return o.answer(), nil
}
