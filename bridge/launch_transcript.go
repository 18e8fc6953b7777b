package bridge

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/copilot-bridge/copilot-bridge/acp"
	"github.com/copilot-bridge/copilot-bridge/acp/agent"
	"github.com/copilot-bridge/copilot-bridge/acp/copilot"
	"github.com/copilot-bridge/copilot-bridge/bridge/conversation"
	"github.com/copilot-bridge/copilot-bridge/bridge/permission"
	"github.com/copilot-bridge/copilot-bridge/bridge/tools"
	"github.com/copilot-bridge/copilot-bridge/bridge/transcript"
	"github.com/copilot-bridge/copilot-bridge/bridge/transcript/program"
)

// firstACP is the first release of Copilot CLI of which it is certain that it has --acp; older and unknown ones are
// asked, which takes 0.3 s.
var firstACP = copilot.Version{Major: 1}

// byTranscript says whether prompts go through `copilot -p`: because the person said so, in the settings or when ACP had
// failed again and again, or because the program has no other way.
func (b *Bridge) byTranscript(ctx context.Context) bool {
	b.mu.Lock()
	chosen := b.fallback
	b.mu.Unlock()
	switch {
	case chosen, b.cfg.Kind == KindTranscript:
		return true
	case b.cfg.Kind != KindAuto && b.cfg.Kind != "", !copilot.IsCopilot(b.cfg.Command):
		return false
	}
	v, err := copilot.Detect(ctx, b.cfg.Command[0], b.cfg.Env)
	if err != nil || v.Known() && v.Compare(firstACP) >= 0 {
		return false // what is wrong is told when it is started
	}
	return b.lacksACP(ctx)
}

// lacksACP asks the program whether `-p` is all it has.
func (b *Bridge) lacksACP(ctx context.Context) bool {
	f, err := new(copilot.Detector).Features(ctx, b.cfg.Command, b.cfg.Env)
	return err == nil && !f.ACP && f.Print
}

// launchTranscript makes the agent that calls the program once a turn.
func (l *link) launchTranscript(ctx context.Context) error {
	cfg := &l.b.cfg
	launch := copilot.Launch{Command: cfg.Command}
	l.perTurn = true
	if set := cfg.Tools; len(cfg.Self) > 0 && (set.Files || set.Shell || set.Diagnostics) {
		var err error
		if l.tools, err = tools.Listen(l.b.socketDir(), l, set, cfg.Log); err != nil {
			return fmt.Errorf("open the editor tools: %w", err)
		}
		launch.Self, launch.Socket = cfg.Self, l.tools.Socket()
		launch.Tools = copilot.ToolSet{Files: set.Files, Shell: set.Shell, Diagnostics: set.Diagnostics}
	}
	c := transcript.Config{
		Launch: launch, Env: cfg.Env, Guard: l.b.guard(), MaxTurns: cfg.MaxTurns, TokenLimit: cfg.TokenLimit,
		Conversation: l.transcriptOf, Handler: l, Event: l.befell, Alias: l.alias, Log: cfg.Log, Now: cfg.Now,
	}
	if l.tools != nil {
		c.Mint = l.tools.Mint
	}
	a, err := transcript.Start(ctx, c)
	if err != nil {
		l.dropTools()
		return err
	}
	l.agent = a
	l.quirks.DropsEmbeddedText = true // a prompt is one text
	program := filepath.Base(cfg.Command[0])
	var notice []string
	it := "`" + program + " -p`"
	if cfg.Kind != KindTranscript && !a.Features().ACP {
		notice = append(notice, fmt.Sprintf("%s has no ACP server, so each prompt runs `%s -p`.", strings.TrimSpace(program+" "+a.Info().Version), program))
		it = "It"
	}
	if !a.EditorTools() {
		l.dropTools()
		notice = append(notice, it+" cannot ask for permission, and refuses what would need one; of unsaved text it sees what is in the prompts.")
	}
	l.notice = strings.Join(notice, " ")
	return nil
}

func (l *link) dropTools() {
	if l.tools != nil {
		l.tools.Close()
		l.tools = nil
	}
}

// transcriptOf is what was said in a session, as the transcript agent reads it.
func (l *link) transcriptOf(id acp.SessionID) transcript.Conversation {
	l.mu.Lock()
	defer l.mu.Unlock()
	if s := l.known[id]; s != nil {
		return transcriptSource{s.conversation, s}
	}
	return nil
}

// transcriptSource is a session's conversation with what the session knows of it. Its methods are called by the transcript
// agent, on goroutines that work for a turn or load the session.
type transcriptSource struct {
	*conversation.Conversation
	session *Session
}

// Turn is the id of the turn that runs, "" between turns.
func (c transcriptSource) Turn() string {
	if t := c.session.wire.turn.Load(); t != nil {
		return *t
	}
	return ""
}

// Said visits what was said, once the editor has been shown what is on its way: that is when it is in the conversation.
func (c transcriptSource) Said(ctx context.Context, visit func(conversation.Said)) error {
	if c.Turn() != "" { // a session that is just loaded has nothing on its way
		c.session.b.out.flush(ctx)
	}
	return c.Conversation.Said(visit)
}

// Foreign says that the session was begun elsewhere and nothing of it has been shown yet.
func (c transcriptSource) Foreign() bool {
	return c.session.isNew() || c.session.b.speaksACP() && !c.session.wire.stored.Load()
}

// befell queues what the transcript agent tells of a session beside its updates.
func (l *link) befell(id acp.SessionID, e transcript.Event) {
	l.put(id, befellIn{&Happening{Type: e.Type, Message: e.Message, Data: e.Data}})
}

// alias ties another name of a session to it: the program's own session is a new one, under a new id.
func (l *link) alias(id, also acp.SessionID) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if s := l.known[id]; s != nil {
		l.known[also] = s
		close(l.bound)
		l.bound = make(chan struct{})
	}
}

// explainOnce tells a person how the agent is run, with the first session of it.
func (l *link) explainOnce(s *Session) {
	l.mu.Lock()
	text := l.notice
	l.notice = ""
	l.mu.Unlock()
	if text != "" {
		s.b.out.push(&SessionChanged{Session: s.ID, Event: &Happening{Type: "agent_kind", Message: text, Data: map[string]any{"kind": string(KindTranscript)}}})
	}
}

// transcriptError is a failed turn of the transcript agent as a front is told of it, nil for other errors.
func transcriptError(err error) *Error {
	var f *program.Failure
	if !errors.As(err, &f) {
		return nil
	}
	code := CodeAgentUnavailable
	if f.Reason == program.TooLong || f.Reason == program.RanWild {
		code = CodeInternal
	}
	return &Error{Code: code, Message: f.Message, Hint: f.Hint, Retryable: f.Reason != program.TooLong, Err: err}
}

// acpFailed counts failures of the ACP server, and offers the other way when it fails again and again.
func (b *Bridge) acpFailed(err error) {
	if b.cfg.Start != nil || !b.isCopilot() || errors.Is(err, agent.ErrSignedOut) {
		return
	}
	b.mu.Lock()
	b.failures++
	offer := b.failures >= offerAfter && !b.offered && !b.fallback && !b.closing
	b.offered = b.offered || offer
	if offer {
		b.work.Go(func() { b.offerTranscript(err) }) // with mu: Close waits for it
	}
	b.mu.Unlock()
}

// acpWorks forgets the failures: a turn has come to its end.
func (b *Bridge) acpWorks() {
	b.mu.Lock()
	b.failures = 0
	b.mu.Unlock()
}

// offerTranscript asks the person whether prompts are to go through `copilot -p` from now on. No answer is a no.
func (b *Bridge) offerTranscript(cause error) {
	f, err := new(copilot.Detector).Features(b.life, b.cfg.Command, b.cfg.Env)
	if err != nil || !f.Print {
		return // there is nothing to offer
	}
	program := filepath.Base(b.cfg.Command[0])
	id := b.newID("q")
	title := fmt.Sprintf("Use `%s -p`, a call for each prompt, instead of its ACP server, which keeps failing?", program)
	q := &Question{
		ID: id, Title: title, Reason: cause.Error(), ToolCall: &acp.ToolCallUpdate{ToolCallID: acp.ToolCallID(id), Title: &title},
		Options: []acp.PermissionOption{
			{OptionID: permission.OptReject, Name: "Keep trying", Kind: acp.PermissionOptionKindRejectOnce},
			{OptionID: permission.OptOnce, Name: "Use " + program + " -p", Kind: acp.PermissionOptionKindAllowOnce},
		},
	}
	if !f.EditorTools() {
		q.Notes = append(q.Notes, "it refuses what would need a permission")
	}
	q.Notes = append(q.Notes, "restarting the agent goes back to ACP")
	q.Present()
	answer, err := b.cfg.Editor.Ask(b.life, q)
	if err != nil || answer.OptionID != permission.OptOnce {
		b.out.push(&StatusChanged{Kind: StatusError, Message: "the agent keeps failing; `copilot-bridge doctor` says why, and agent.kind \"transcript\" does without its ACP server"})
		return
	}
	b.mu.Lock()
	b.fallback = true
	clear(b.restarts)
	b.mu.Unlock()
	b.dropAgent("the person chose the other way")
	b.out.push(&StatusChanged{Kind: StatusOK, Message: fmt.Sprintf("prompts go through `%s -p` now; send the last one again", program)})
}
