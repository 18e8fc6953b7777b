package transcript

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/copilot-bridge/copilot-bridge/acp/copilot"
	"github.com/copilot-bridge/copilot-bridge/bridge/conversation"
)

// job is a summary that is being made of what was said up to a turn.
type job struct {
	trigger string // "background", "automatic" or "manual"
	focus   string // what the user wants kept, may be empty
	of      *history
	limit   int // tokens

	stop    context.CancelFunc
	givenUp bool          // whatever comes of it is thrown away; guarded by the session's mu
	over    chan struct{} // closed when it is done with; the rest is set then
	err     error         // nil: it is applied
	saved   int           // tokens
}

// The failures of a summary that are not the program's.
var (
	errNoSummary = errors.New("the program gave no summary")
	errGivenUp   = errors.New("the summary was given up")
)

// makeRoom sees to it that what was said before the turn leaves room for its message: a summary is begun when the context
// fills, and waited for when it is full or the program has said so. A summary that fails leaves everything as it was;
// truncation has to do then. What was said is returned as it is afterwards.
func (s *session) makeRoom(ctx context.Context, h *history, p *prompt, limit int, forced bool) (*history, error) {
	for range 3 { // the one that ran, one of this turn's, and a look at what came of it
		s.mu.Lock()
		j := s.making
		next := s.a.thresholds.next(float64(h.whole(p.text).tokens())/float64(limit), len(h.messages), j != nil, forced)
		switch {
		case next == background:
			s.summarize(s.a.life, &job{trigger: "background", of: h, limit: limit})
		case next == waitFor && j == nil:
			j = &job{trigger: "automatic", of: h, limit: limit}
			s.summarize(ctx, j)
		}
		s.mu.Unlock()
		if next != waitFor {
			return h, ctx.Err()
		}
		select {
		case <-j.over:
		case <-ctx.Done():
			return nil, ctx.Err()
		}
		if j.err != nil && j.trigger != "background" {
			return h, ctx.Err()
		}
		forced = forced && j.err != nil
		var err error
		if h, err = s.past(ctx, p); err != nil {
			return nil, err
		}
	}
	return h, ctx.Err()
}

// summarize begins a summary. The caller holds mu, has seen that none is being made, and keeps the agent from ending.
func (s *session) summarize(ctx context.Context, j *job) {
	if s.making != nil {
		panic("transcript: two summaries at once")
	}
	ctx, j.stop = context.WithCancel(ctx)
	j.over = make(chan struct{})
	s.making = j
	s.a.work.Go(func() {
		defer j.stop()
		s.newSummary(ctx, j)
	})
}

// newSummary makes a summary, applies it, and tells what became of it.
func (s *session) newSummary(ctx context.Context, j *job) {
	before := j.of.whole("").tokens()
	s.tell(&conversation.Happening{Type: "compaction_started",
		Message: fmt.Sprintf("The conversation is summed up: %d of %d tokens are used.", before, j.limit),
		Data:    map[string]any{"trigger": j.trigger, "currentTokens": before, "tokenLimit": j.limit, "systemTokens": 0, "conversationTokens": before, "toolDefinitionsTokens": 0}})
	text, err := s.ask(ctx, summaryRequest(j.of, j.focus, j.limit))
	if err == nil && strings.TrimSpace(text) == "" {
		err = errNoSummary
	}
	after, number, path := before, 0, ""
	if err == nil {
		sum := compacted(j.of, strings.TrimSpace(text), copilot.Plan(s.a.cfg.Env, s.now().CLI.ID), j.limit)
		s.change(func(st *state) {
			if j.givenUp {
				err = errGivenUp
				return
			}
			st.Summary, st.Until, st.Checkpoints = sum, j.of.last, st.Checkpoints+1
			number, after = st.Checkpoints, request{summary: sum}.tokens()
		})
	}
	if folder := s.conv.Folder(); err == nil && folder != "" {
		var failed error
		if path, failed = copilot.WriteCheckpoint(folder, number, text); failed != nil {
			s.a.log.Warn().Err(failed).Msg("the summary is used all the same")
		}
	}
	j.err, j.saved = err, max(0, before-after)
	e := &conversation.Happening{Type: "compaction_completed", Data: map[string]any{"success": err == nil, "trigger": j.trigger, "preCompactionTokens": before, "postCompactionTokens": after}}
	switch {
	case err == nil:
		e.Message = fmt.Sprintf("%d messages (%d tokens) were replaced by a summary.", len(j.of.messages), j.saved)
		e.Data["messagesRemoved"], e.Data["tokensRemoved"], e.Data["outcome"] = len(j.of.messages), j.saved, "completed"
		if path != "" {
			e.Data["checkpointNumber"], e.Data["checkpointPath"] = number, path
		}
	case errors.Is(err, errGivenUp), errors.Is(err, context.Canceled):
		e.Message = "The conversation was not summed up: it was cancelled."
		e.Data["error"], e.Data["outcome"] = err.Error(), "cancelled"
	default:
		e.Message = "The conversation was not summed up: " + err.Error() + "."
		e.Data["error"], e.Data["outcome"] = err.Error(), "failed"
	}
	s.tell(e)
	s.mu.Lock()
	s.making = nil // the session may be closed from here on
	s.mu.Unlock()
	close(j.over)
}

// ask gives the program one request that belongs to no session, without tools, and returns its answer.
func (s *session) ask(ctx context.Context, r request) (string, error) {
	f, err := s.a.features(ctx)
	if err != nil {
		return "", err
	}
	text := r.text()
	p := copilot.Print{Features: f, Prompt: text, Stdin: len(text) > maxArgument}
	if f.SessionID {
		p.New = newUUID()
		defer func() {
			if err := copilot.RemoveSession(s.a.cfg.Env, p.New); err != nil {
				s.a.log.Debug().Err(err).Msg("the session of a summary stays")
			}
		}()
	}
	s.a.called(nil) // the newest session of all is not the conversation's any more
	o, err := s.beside(p).Run(ctx)
	if err != nil {
		return "", err
	}
	if ctx.Err() != nil {
		return "", ctx.Err()
	}
	if fail := o.Failure(s.a.name, false); fail != nil {
		return "", fail
	}
	return strings.Join(o.Texts, "\n"), nil
}
