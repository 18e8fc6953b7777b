package transcript

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/copilot-bridge/copilot-bridge/bridge/transcript/program"

	"github.com/copilot-bridge/copilot-bridge/acp"
	"github.com/copilot-bridge/copilot-bridge/acp/copilot"
)

// compactByHand is /compact: the program's own where the conversation is in a session of its own, else ours.
func (s *session) compactByHand(ctx context.Context, turn, focus string) (*acp.PromptResponse, error) {
	f, err := s.a.features(ctx)
	if err != nil {
		return nil, &program.Failure{Reason: program.NotStarted, Message: err.Error(), Hint: "run `copilot-bridge doctor`"}
	}
	h, err := s.past(ctx, &prompt{turn: turn})
	if err != nil {
		return nil, err
	}
	s.mu.Lock()
	busy := s.making != nil
	s.mu.Unlock()
	if busy {
		return nil, &program.Failure{Reason: program.Failed, Message: "a summary of this conversation is being made already", Hint: "wait for it, or cancel it"}
	}
	if len(h.messages) < minMessagesManual {
		return nil, &program.Failure{Reason: program.Failed, Message: "there is nothing to sum up yet", Hint: "say something first"}
	}
	cli := s.now().CLI
	theirs := choose(f, cli, s.cwd, false) == byResume
	if theirs {
		removed, saved, done, err := s.compactTheirs(ctx, f, cli, focus)
		if err != nil {
			return nil, err
		}
		if done {
			return s.compactedAnswer(removed, saved), nil
		}
	}
	j := &job{trigger: "manual", focus: focus, of: h, limit: s.limit()}
	s.mu.Lock()
	s.summarize(ctx, j)
	s.mu.Unlock()
	<-j.over // it ends with ctx
	if j.err != nil {
		var fail *program.Failure
		if errors.As(j.err, &fail) {
			return nil, fail
		}
		return nil, &program.Failure{Reason: program.Failed, Message: "the conversation was not summed up: " + j.err.Error(), Hint: "it is as it was; try again"}
	}
	if theirs {
		s.startOver() // the program's own session still has all of it
	}
	return s.compactedAnswer(len(h.messages), j.saved), nil
}

// compactedAnswer says what came of it in the words of Copilot CLI.
func (s *session) compactedAnswer(messages, saved int) *acp.PromptResponse {
	text := fmt.Sprintf("Compacted conversation history and removed %d messages and %d tokens.", messages, saved)
	s.update(&acp.AgentMessageChunk{ContentChunk: acp.ContentChunk{Content: acp.Text(text)}})
	return withUsage(acp.StopReasonEndTurn, nil)
}

// compactTheirs has the program sum up its own session; done is false where it does not know how. It prints nothing
// (Copilot CLI 1.0.102): what it did is in the session's log, which the bridge follows.
func (s *session) compactTheirs(ctx context.Context, f copilot.Features, cli cliSession, focus string) (removed, saved int, done bool, err error) {
	was, ok := copilot.FindSession(s.a.cfg.Env, cli.ID)
	if !ok {
		return 0, 0, false, nil
	}
	at := copilot.LogSize(was.Log)
	s.a.called(s)
	p := copilot.Print{Features: f, Prompt: strings.TrimSpace("/compact " + program.Clip(strings.Join(strings.Fields(focus), " "), userClip)), Resume: cli.ID}
	called, end := context.WithCancel(ctx)
	defer end()
	// Now and then it does not end by itself when it is done (Copilot CLI 1.0.102).
	stop := s.whenCompacted(was.Dir, end)
	o, err := s.beside(p).Run(called)
	stop()
	if err != nil || ctx.Err() != nil {
		return 0, 0, false, errors.Join(err, ctx.Err())
	}
	for _, e := range copilot.LogSince(was.Log, at) {
		if e.Type == "session.compaction_complete" {
			if ok, _ := e.Data["success"].(bool); !ok {
				return 0, 0, false, &program.Failure{Reason: program.Failed, Message: fmt.Sprintf("%s has not summed up the conversation: %v", s.a.name, e.Data["error"]), Hint: "it is as it was; try again"}
			}
			m, _ := e.Data["messagesRemoved"].(float64)
			t, _ := e.Data["tokensRemoved"].(float64)
			return int(m), int(t), true, nil
		}
	}
	if o.Exit.Code != 0 || o.Exit.Signal != "" {
		return 0, 0, false, o.Failure(s.a.name, true)
	}
	return 0, 0, false, nil
}

// whenCompacted calls f some time after the log in a session's folder says that a compaction is over, unless stop is
// called before.
func (s *session) whenCompacted(dir string, f func()) (stop func()) {
	done := make(chan struct{}, 1)
	logs, err := copilot.NewEventLogs(func(_ string, e copilot.LogEvent) {
		if e.Type == "session.compaction_complete" {
			select {
			case done <- struct{}{}:
			default:
			}
		}
	})
	if err != nil { // the system has no more watches; the user can cancel
		s.a.log.Debug().Err(err).Msg("follow a compaction")
		return func() {}
	}
	logs.Follow(string(s.id), dir)
	over, gone := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(gone)
		select {
		case <-done:
		case <-over:
			return
		}
		grace := time.NewTimer(compactedGrace)
		defer grace.Stop()
		select {
		case <-grace.C:
			f()
		case <-over:
		}
	}()
	return func() {
		close(over)
		<-gone
		logs.Close()
	}
}
