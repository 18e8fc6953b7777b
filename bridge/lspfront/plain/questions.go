package plain

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/go-json-experiment/json"
	"go.lsp.dev/jsonrpc2"
	"go.lsp.dev/protocol"

	"github.com/copilot-bridge/copilot-bridge/acp"
	"github.com/copilot-bridge/copilot-bridge/bridge"
	"github.com/copilot-bridge/copilot-bridge/fsproxy/text"
	"github.com/copilot-bridge/copilot-bridge/internal/escape"
	"github.com/copilot-bridge/copilot-bridge/internal/inline"
)

// questions are the permission questions that wait for the user, oldest first. One is put at a time: a second
// window/showMessageRequest takes the place of the first in Helix, whose answer then never comes.
type questions struct {
	p      *Tier
	screen inline.Line // of those who want to show a message with buttons

	mu      sync.Mutex
	waiting []*question
	// withdraw takes back the offer that is on the screen, nil if none is.
	withdraw func()
	deaf     bool                    // the editor has no window/showMessageRequest
	refused  map[acp.ToolCallID]bool // tool calls the user said no to, of the running turns
	unclear  time.Time               // until then an answer without an id may be for a question that is gone
}

// question is one that waits.
type question struct {
	*bridge.Question
	answer chan bridge.Answer // from a command; has room for one
	at     place              // where it is shown once it is a diagnostic
	shown  bool               // as a diagnostic. Guarded by questions.mu
	told   bool               // and how to answer it there. Guarded by questions.mu
	heard  bool               // the user has answered it. Guarded by questions.mu
}

func newQuestions(p *Tier) *questions {
	return &questions{p: p, refused: map[acp.ToolCallID]bool{}}
}

// Ask puts a question by window/showMessageRequest, or where the editor has none leaves it to diagnostics and the
// commands allow and reject. It waits until there is an answer or ctx ends. The zero answer is no.
func (p *Tier) Ask(ctx context.Context, bq *bridge.Question) (bridge.Answer, error) {
	qs := p.questions
	q := &question{Question: bq, answer: make(chan bridge.Answer, 1)}
	qs.add(q)
	defer qs.remove(q)
	if b, err := p.Client.Bridge(); err == nil {
		b.Flush(ctx) // what led to the question comes before it
	}
	p.transcripts.question(bq)
	p.LogText(wholeQuestion(bq))
	a, err := qs.wait(ctx, q)
	qs.mu.Lock()
	q.heard = err == nil
	qs.mu.Unlock()
	if err == nil && !isYes(bq, a.OptionID) {
		qs.refuse(bq)
	}
	return a, err
}

// wait is done with the first answer: a button of the message, or a command. The question is a diagnostic as well where the message may
// never be seen: at once for an editor that does not say that it has messages with buttons, else when it has been silent for a
// while (ALE 3.3 never answers).
func (qs *questions) wait(ctx context.Context, q *question) (bridge.Answer, error) {
	ctx, withdraw := context.WithCancel(ctx)
	defer withdraw() // once a command has answered, the message is pointless
	picked := make(chan *bridge.Answer, 1)
	silent := make(chan struct{})
	defer qs.p.Clock.After(questionSilence, func() { close(silent) })()
	turn := qs.screen.Join()
	acp.Queued(ctx)
	qs.p.Client.Go(func() { picked <- qs.put(ctx, q, turn) })
	if !qs.p.Client.Can().Messages {
		qs.show(q)
	}
	for {
		select {
		case a := <-q.answer:
			return a, nil
		case <-ctx.Done():
			return bridge.Answer{}, ctx.Err()
		case a := <-picked:
			switch {
			case ctx.Err() != nil:
				return bridge.Answer{}, ctx.Err()
			case a != nil:
				return *a, nil
			}
			qs.leave(q)
		case <-silent:
			silent = nil
			qs.leave(q)
		}
	}
}

// put shows the message and waits; nil when the question has to be left for later.
func (qs *questions) put(ctx context.Context, q *question, turn *inline.Place) *bridge.Answer {
	defer turn.Leave()
	if turn.Wait(ctx) != nil || qs.isDeaf() {
		return nil
	}
	title, err := qs.p.choose(ctx, protocol.MessageTypeWarning, "Copilot asks: "+q.line(MaxMessageText-14), q.titles())
	var refused *jsonrpc2.Error
	if errors.As(err, &refused) && refused.Code == jsonrpc2.MethodNotFound {
		qs.mu.Lock()
		qs.deaf = true
		qs.mu.Unlock()
	}
	if err != nil || title == "" && qs.p.Client.DismissKeeps() {
		return nil // also where the editor failed: the question is not lost for that
	}
	return &bridge.Answer{OptionID: q.option(title)}
}

// choose has the user pick one of the titles; "" if they closed the question.
func (p *Tier) choose(ctx context.Context, t protocol.MessageType, message string, titles []string) (string, error) {
	r := &protocol.ShowMessageRequestParams{Type: t, Message: message}
	for _, title := range titles {
		r.Actions = append(r.Actions, protocol.MessageActionItem{Title: title})
	}
	var raw jsonrpc2.RawMessage
	if err := p.Client.Call(ctx, protocol.MethodWindowShowMessageRequest, r, &raw); err != nil || len(raw) == 0 {
		return "", err
	}
	var item struct {
		Title string `json:"title"`
	}
	err := json.Unmarshal(raw, &item) // null is no title
	return item.Title, err
}

// show shows a question as a diagnostic.
func (qs *questions) show(q *question) {
	at := qs.p.placeOf(q.Question)
	qs.mu.Lock()
	q.at, q.shown = at, true
	qs.mu.Unlock()
	qs.p.diagnostics.touch(at.path)
}

// leave shows a question as a diagnostic and says, once, how to answer it.
func (qs *questions) leave(q *question) {
	qs.show(q)
	qs.mu.Lock()
	told := q.told
	q.told = true
	qs.mu.Unlock()
	if !told {
		qs.p.messageWhole(protocol.MessageTypeWarning, "Copilot waits: "+q.line(MaxMessageText-80)+" (run copilot-bridge.allow or copilot-bridge.reject)")
	}
}

func (qs *questions) isDeaf() bool {
	qs.mu.Lock()
	defer qs.mu.Unlock()
	return qs.deaf
}

func (qs *questions) add(q *question) {
	qs.mu.Lock()
	defer qs.mu.Unlock()
	qs.waiting = append(qs.waiting, q)
	if qs.withdraw != nil {
		qs.withdraw() // what can wait makes way
	}
}

func (qs *questions) remove(q *question) {
	qs.mu.Lock()
	qs.waiting = slices.DeleteFunc(qs.waiting, func(o *question) bool { return o == q })
	path, pause := q.at.path, withdrawnPause
	if q.heard {
		pause = answeredPause
	}
	if until := qs.p.Clock.Now().Add(pause); until.After(qs.unclear) {
		qs.unclear = until
	}
	qs.mu.Unlock()
	qs.p.diagnostics.touch(path)
}

// find is the question that an answer with an id is for. Without an id it is for the only one there is, and for none where
// the user may have meant another: one of several, or one that was on the screen a moment ago.
func (qs *questions) find(id string) (*question, error) {
	qs.mu.Lock()
	defer qs.mu.Unlock()
	if len(qs.waiting) == 0 && id == "" {
		return nil, invalid("Copilot asks nothing at the moment")
	}
	if id == "" && len(qs.waiting) == 1 && !qs.p.Clock.Now().Before(qs.unclear) {
		return qs.waiting[0], nil
	}
	var open []string
	for _, q := range qs.waiting {
		if q.ID == id {
			return q, nil
		}
		open = append(open, fmt.Sprintf("{\"id\": %q} for %s", q.ID, escape.ClipMiddle(q.Title, MaxTitle)))
	}
	if id != "" {
		return nil, invalid(fmt.Sprintf("there is no question %s any more", id))
	}
	return nil, invalid("it is not clear which question this answers; name it: " + strings.Join(open, ", "))
}

// list are the questions that wait, oldest first.
func (qs *questions) list() (out []listed) {
	qs.mu.Lock()
	defer qs.mu.Unlock()
	for _, q := range qs.waiting {
		out = append(out, listed{q, q.at, q.shown})
	}
	return out
}

// listed is a question and where it is shown as a diagnostic, if it is.
type listed struct {
	*question
	at    place
	shown bool
}

func (qs *questions) refuse(q *bridge.Question) {
	if q.ToolCall == nil {
		return
	}
	qs.mu.Lock()
	defer qs.mu.Unlock()
	if len(qs.refused) >= maxRefused {
		clear(qs.refused)
	}
	qs.refused[q.ToolCall.ToolCallID] = true
}

// wasRefused reports whether the user said no to what a tool call was about to do.
func (qs *questions) wasRefused(id acp.ToolCallID) bool {
	qs.mu.Lock()
	defer qs.mu.Unlock()
	return qs.refused[id]
}

// reply gives a question the answer of a command; an error says why it cannot.
func (q *question) reply(a bridge.Answer) error {
	select {
	case q.answer <- a:
		return nil
	default:
		return fmt.Errorf("the question %s has an answer already", q.ID)
	}
}

// Waiting is a permission question that waits for the user.
type Waiting struct {
	ID, Title string
	Answers   []Choice
	// Shown says that it is shown as a diagnostic, at a line of a file, 0-based; Path is "" where there is no file.
	Shown bool
	Path  string
	Line  int
	// Diagnostic is that, and nil where it is not shown in a file; now is the text of the file.
	Diagnostic func(now text.Text) protocol.Diagnostic
}

// Choice is one answer to a question.
type Choice struct {
	Title  string
	Option acp.PermissionOption
}

// Waiting are the questions that wait, oldest first.
func (p *Tier) Waiting() (out []Waiting) {
	for _, q := range p.questions.list() {
		w := Waiting{ID: q.ID, Title: q.Title, Shown: q.shown, Path: q.at.path, Line: max(q.at.line, 0)}
		for i, title := range q.titles() {
			w.Answers = append(w.Answers, Choice{title, q.Options[i]})
		}
		w.Diagnostic = func(now text.Text) protocol.Diagnostic { return p.questionDiagnostic(now, q) }
		out = append(out, w)
	}
	return out
}

func invalid(message string) error {
	return &bridge.Error{Code: bridge.CodeInvalidParams, Message: message}
}
