package session

import (
	"context"
	"errors"
	"slices"
	"sync"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/copilot-bridge/copilot-bridge/acp"
	"github.com/copilot-bridge/copilot-bridge/acp/agent"
	"github.com/copilot-bridge/copilot-bridge/bridge/agents"
	"github.com/copilot-bridge/copilot-bridge/bridge/prompt"
	"github.com/copilot-bridge/copilot-bridge/bridge/transcript"
)

// Turn is a prompt that was taken.
type Turn struct {
	ID      string
	Queued  int // prompts before it
	turn    *turn
	session *Session
}

// Prompt is what the user says to the agent: Blocks, with the places that go with them, or the session/prompt of an editor
// that speaks ACP, which is sent as it came.
type Prompt struct {
	Blocks []acp.ContentBlock
	Refs   []ContextRef

	Params jsontext.Value
	Back   context.Context // ends when the editor takes the request back ($/cancel_request)
	After  <-chan struct{} // closed when what it said before has been sent to the agent

	next    bool // before those that wait
	repeats bool // it was lost before, and is sent again
}

// Prompt takes a prompt; see [Session.Prompt].
func (all *Set) Prompt(session string, blocks []acp.ContentBlock, refs []ContextRef) (Turn, error) {
	s, err := all.Session(session)
	if err != nil {
		return Turn{}, err
	}
	return s.Prompt(Prompt{Blocks: blocks, Refs: refs})
}

// Prompt takes a prompt: it runs at once, or after those that wait. It never waits for the agent; how the turn ends
// is told by TurnEnded.
func (s *Session) Prompt(p Prompt) (Turn, error) {
	if p.Params != nil {
		var r acp.PromptRequest
		_ = acp.Unmarshal(p.Params, &r) // what cannot be read is the agent's to complain of
		p.Blocks = r.Prompt
	}
	sent := make(chan struct{})
	t := &turn{
		id: s.all.cfg.NewID("t"), blocks: p.Blocks, refs: p.Refs, repeats: p.repeats, params: p.Params, back: p.Back, after: p.After,
		queued: sync.OnceFunc(func() { close(sent) }), sent: sent, ended: make(chan struct{}),
	}
	a, ok := ask(s, func(q question[accepted]) any { return promptIn{q, t, p.next} })
	switch {
	case !ok:
		return Turn{}, errSession(s.ID)
	case !a.ok:
		return Turn{}, &Error{Code: CodeTurnInProgress, Message: "too many prompts wait in this session", Hint: "cancel some of them", Retryable: true}
	}
	return Turn{ID: t.id, Queued: a.before, turn: t, session: s}, nil
}

// Sent waits until the agent has been sent the prompt, or never will be.
func (t Turn) Sent(ctx context.Context) {
	select {
	case <-t.turn.sent:
	case <-t.turn.ended:
	case <-t.session.life.Done(): // it was closed, and does not hear of the turn's end any more
	case <-ctx.Done():
	}
}

// Cancellation says what is cancelled, and how.
type Cancellation struct {
	Turn string // "" is the running turn and all that wait
	// Repeated: an agent that is busy ending its turn is left to it, all else is cancelled. Otherwise a second cancel ends the agent.
	Repeated bool
	Params   jsontext.Value // of an editor's session/cancel, nil for a cancel that is not of ACP
}

// Cancel ends turns: those that wait are removed, the running one is stopped.
func (all *Set) Cancel(session string, c Cancellation) error {
	s, err := all.Session(session)
	if err != nil {
		return err
	}
	s.in.put(cancelIn{c})
	return nil
}

// Withdraw takes a prompt that waits out of the queue. One that has begun goes on.
func (all *Set) Withdraw(session, turn string) {
	if s, err := all.Session(session); err == nil {
		s.in.put(withdrawIn{turn})
	}
}

// runTurn has the agent work on a prompt. It runs on a goroutine of the session's.
func (s *Session) runTurn(t *turn) {
	defer s.all.cfg.Trust.Turn()()
	s.in.put(s.prompt(t.ctx, t, nil))
}

// prompt sends the prompt of a turn, and returns what became of it. before is what was undone before an earlier try, of which the
// agent was dead before it was sent anything; nil the first time.
func (s *Session) prompt(ctx context.Context, t *turn, before *string) endedIn {
	failed := func(err error) endedIn { return endedIn{turn: t, err: err} }
	to, err := s.admit(ctx)
	if err != nil {
		return failed(err)
	}
	if ctx.Err() != nil {
		return failed(ctx.Err()) // cancelled before the agent knew of it: it never will
	}
	a := to.agent
	s.watchDisk(ctx, a)
	again := before != nil
	if !again {
		undone := s.all.cfg.Book.TakeUndone(s.ID)
		before = &undone
	}
	undone := *before
	blocks, at := s.writer(a).Compose(undone, t.blocks, t.refs), 0
	if undone != "" {
		at = 1 // what was undone comes first
	}
	if lost := s.carried(); lost != "" && !a.PerTurn { // which reads what was said by itself
		blocks = slices.Insert(blocks, at, acp.Text(lost))
		at++
	}
	// The turn's context ends with a cancel, but the agent's answer to the prompt is still waited for: it says how the
	// turn ended, and updates go on until then (ACP v1).
	var way acp.Delivery
	sent := acp.WatchedBy(acp.WhenQueued(s.life, t.queued), &way)
	end := s.say(sent, to, t, blocks, at)
	if err = end.err; err == nil {
		s.conversation.Arrived()
		a.Succeeded()
		return end
	}
	if errors.Is(err, agent.ErrSignedOut) && t.params == nil {
		return failed(s.all.openError(a, "send the prompt", err))
	}
	if e := transcriptError(err); e != nil {
		return failed(e)
	}
	if !errors.Is(err, acp.ErrClosed) && !errors.As(err, new(*agent.ExitError)) {
		return failed(&Error{Code: CodeInternal, Message: "the agent refused the prompt: " + err.Error(), Err: err})
	}
	select {
	case <-a.Gone(): // its last words are worth waiting for
	case <-s.life.Done():
	}
	unsent := way.Lost()
	select {
	case <-t.sent:
	default:
		unsent = true
	}
	if unsent && !again && s.life.Err() == nil { // it was dead already: a prompt between turns just works
		return s.prompt(ctx, t, before)
	}
	return failed(&Error{Code: CodeAgentUnavailable, Message: a.LastWords(), Retryable: true, Err: err,
		Hint: "send the prompt again: the agent is restarted"})
}

// writer writes the session's prompts for an agent.
func (s *Session) writer(a *agents.Process) *prompt.Writer {
	cfg := &s.all.cfg
	return &prompt.Writer{Session: s.ID, Cwd: s.Cwd, DropsEmbeddedText: a.Quirks.DropsEmbeddedText, Overlay: cfg.Overlay, Disk: cfg.Disk, FS: cfg.FS}
}

// say sends a prompt and waits for the answer. The first added of the blocks are the bridge's own.
func (s *Session) say(ctx context.Context, to admitted, t *turn, blocks []acp.ContentBlock, added int) (end endedIn) {
	end.turn = t
	params, err := s.promptParams(to.agent, t, blocks, added)
	if err != nil {
		end.err = err
		return end
	}
	if t.after != nil {
		select {
		case <-t.after:
		case <-ctx.Done():
			end.err = ctx.Err()
			return end
		}
	}
	if t.back != nil {
		ctx = acp.TakenBackBy(ctx, t.back)
	}
	if end.answer, end.err = to.agent.Agent.Call(ctx, acp.MethodSessionPrompt, params); end.err != nil {
		return end
	}
	end.resp = new(acp.PromptResponse)
	if err := acp.Unmarshal(end.answer, end.resp); err != nil && t.params == nil {
		end.resp, end.err = nil, err
	}
	return end // whatever it says to an editor that speaks ACP, the turn is over; that reads it as it is
}

// promptParams is the session/prompt of a turn. In that of an editor all that is not the bridge's keeps its bytes.
func (s *Session) promptParams(a *agents.Process, t *turn, blocks []acp.ContentBlock, added int) (jsontext.Value, error) {
	r := &acp.PromptRequest{SessionID: s.remoteID(), Prompt: blocks}
	if t.params == nil {
		if t.repeats && a.PerTurn {
			r.Meta = transcript.Again
		}
		return acp.Marshal(r)
	}
	params := s.routing.Inward(t.params)
	whole := a.Quirks.DropsEmbeddedText && slices.ContainsFunc(t.blocks, isEmbedded)
	if !whole && added == 0 {
		return params, nil
	}
	if !whole {
		r.Prompt = blocks[:added]
	}
	ours, err := acp.Marshal(r)
	if err != nil {
		return nil, err
	}
	list := acp.Member(ours, "prompt")
	if !whole {
		list = acp.PutFirst(acp.Member(params, "prompt"), list[1:len(list)-1])
	}
	return acp.SetMember(params, "prompt", list), nil
}

func isEmbedded(b acp.ContentBlock) bool { _, ok := b.(*acp.EmbeddedResource); return ok }

// stopTurn passes a cancel on, ends what the turn has us do, and says so when the agent does not heed it. The agent
// hears of the cancel before its open tool calls get their answers: it would go on with those otherwise.
func (s *Session) stopTurn(t *turn, abort bool) {
	select {
	case <-t.sent:
	default: // not with the agent yet
		t.end()
		s.host.StopCommands(t.id)
		select { // an agent ignores a cancel that overtakes its prompt
		case <-t.sent:
		case <-t.ended:
			return
		case <-s.life.Done():
			select {
			case <-t.sent:
			default:
				return // the agent never hears of it
			}
		}
	}
	at := s.snap.read()
	a, remote := at.agent, at.Remote
	if a != nil && remote != "" && !a.IsGone() {
		ctx, cancel := context.WithTimeout(s.all.cfg.Life, cancelFirst) // not the session's life, which a close has ended by now
		if err := a.Agent.Notify(ctx, acp.MethodSessionCancel, s.cancelParams(t, remote)); err != nil {
			s.log.Debug().Err(err).Msg("cancel")
		}
		cancel()
	}
	t.end()
	s.host.StopCommands(t.id)
	if a == nil || a.IsGone() {
		return
	}
	if abort {
		s.work.Go(func() { s.abort(t, a, remote) })
	}
	timer := time.NewTimer(cancelPatience)
	defer timer.Stop()
	select {
	case <-timer.C:
		s.all.cfg.Out.Push(&StatusChanged{Session: s.ID, Kind: StatusWaiting, Message: "the agent does not stop; cancel again to restart it"})
	case <-t.ended:
	case <-a.Gone():
	case <-s.life.Done():
	}
}

// cancelParams is the session/cancel of a turn: the editor's where it sent one.
func (s *Session) cancelParams(t *turn, remote acp.SessionID) jsontext.Value {
	if t.cancel != nil {
		return s.routing.Inward(t.cancel)
	}
	return acp.SetMember(jsontext.Value("{}"), "sessionId", acp.Quote(string(remote)))
}

// settle finds out what the turn changed, ends its questions and commands, and reports its end. It runs on a goroutine of the
// session's, which has ended the turn's context.
func (s *Session) settle(t *turn, a *agents.Process) {
	close(t.ended)
	s.follow()
	s.host.EndTurn()
	s.steerLate(t.cancelled)
	s.host.SettleTurn(t.id)
	if s.approvals.Clean() && a != nil && len(s.all.cfg.Book.Counts(t.id)) > 0 {
		s.all.cfg.Trust.CleanEdit(version(a))
	}
	s.approvals.End()
	s.in.put(settledIn{t, s.all.counts(t.id)})
}

// counts are the lines a turn added to and removed from each file that still has pending hunks of it.
func (all *Set) counts(turn string) []FileCount {
	var out []FileCount
	for _, c := range all.cfg.Book.Counts(turn) {
		out = append(out, FileCount{Path: c.Path, Added: c.Added, Removed: c.Removed})
	}
	return out
}
