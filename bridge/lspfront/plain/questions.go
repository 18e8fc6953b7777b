package plain

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"sync"
	"time"

	"go.lsp.dev/jsonrpc2"
	"go.lsp.dev/protocol"

	"github.com/copilot-bridge/copilot-bridge/acp"
	"github.com/copilot-bridge/copilot-bridge/bridge"
	"github.com/copilot-bridge/copilot-bridge/fsproxy/text"
	"github.com/copilot-bridge/copilot-bridge/internal/escape"
)

// questions are the permission questions that wait for the user, oldest first. One is put at a time: a second
// window/showMessageRequest takes the place of the first in Helix, whose answer then never comes.
type questions struct {
	p    *Tier
	slot chan struct{} // held by who has a message on the screen

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
	heard  bool               // the user has answered it. Guarded by questions.mu
}

func newQuestions(p *Tier) *questions {
	return &questions{p: p, slot: make(chan struct{}, 1), refused: map[acp.ToolCallID]bool{}}
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

func (qs *questions) wait(ctx context.Context, q *question) (bridge.Answer, error) {
	if !qs.isDeaf() {
		select {
		case qs.slot <- struct{}{}:
			a, settled, err := qs.put(ctx, q)
			<-qs.slot
			if settled {
				return a, err
			}
		case a := <-q.answer:
			return a, nil
		case <-ctx.Done():
			return bridge.Answer{}, ctx.Err()
		}
	}
	qs.leave(q)
	select {
	case a := <-q.answer:
		return a, nil
	case <-ctx.Done():
		return bridge.Answer{}, ctx.Err()
	}
}

// put shows the message and waits; settled is false when the question has to be left for later.
func (qs *questions) put(ctx context.Context, q *question) (a bridge.Answer, settled bool, err error) {
	if qs.isDeaf() { // found out while this one waited for its turn
		return bridge.Answer{}, false, nil
	}
	dctx, withdraw := context.WithCancel(ctx)
	byCommand, over := bridge.Answer{}, make(chan bool, 1)
	go func() {
		select {
		case byCommand = <-q.answer:
			withdraw() // the message has become pointless
			over <- true
		case <-dctx.Done():
			over <- false
		}
	}()
	title, err := qs.p.choose(dctx, protocol.MessageTypeWarning, "Copilot asks: "+q.line(MaxMessageText-14), q.titles())
	withdraw()
	if <-over {
		return byCommand, true, nil
	}
	var refused *jsonrpc2.Error
	switch {
	case ctx.Err() != nil:
		return bridge.Answer{}, true, ctx.Err()
	case errors.As(err, &refused) && refused.Code == jsonrpc2.MethodNotFound:
		qs.mu.Lock()
		qs.deaf = true
		qs.mu.Unlock()
		return bridge.Answer{}, false, nil
	case err != nil:
		return bridge.Answer{}, false, nil // the editor failed; the question is not lost for that
	case title == "" && qs.p.Client.DismissKeeps():
		return bridge.Answer{}, false, nil
	}
	return bridge.Answer{OptionID: q.option(title)}, true, nil
}

// choose has the user pick one of the titles; "" if they closed the question.
func (p *Tier) choose(ctx context.Context, t protocol.MessageType, message string, titles []string) (string, error) {
	r := &protocol.ShowMessageRequestParams{Type: t, Message: message}
	for _, title := range titles {
		r.Actions = append(r.Actions, protocol.MessageActionItem{Title: title})
	}
	var raw jsonrpc2.RawMessage
	if err := p.Client.Call(ctx, protocol.MethodWindowShowMessageRequest, r, &raw); err != nil {
		return "", err
	}
	var item *struct {
		Title string `json:"title"`
	}
	if len(raw) == 0 {
		return "", nil
	}
	if err := json.Unmarshal(raw, &item); err != nil {
		return "", err
	}
	if item == nil {
		return "", nil
	}
	return item.Title, nil
}

// leave shows a question as a diagnostic and says how to answer it.
func (qs *questions) leave(q *question) {
	at := qs.p.placeOf(q.Question)
	qs.mu.Lock()
	q.at, q.shown = at, true
	qs.mu.Unlock()
	qs.p.diagnostics.touch(at.path)
	qs.p.messageWhole(protocol.MessageTypeWarning, "Copilot waits: "+q.line(MaxMessageText-80)+" (run copilot-bridge.allow or copilot-bridge.reject)")
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
	for i, o := range qs.waiting {
		if o == q {
			qs.waiting = append(qs.waiting[:i:i], qs.waiting[i+1:]...)
			break
		}
	}
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
func (qs *questions) list() []*question {
	qs.mu.Lock()
	defer qs.mu.Unlock()
	return append([]*question(nil), qs.waiting...)
}

// shownAt is where a question is shown as a diagnostic, if it is.
func (qs *questions) shownAt(q *question) (at place, shown bool) {
	qs.mu.Lock()
	defer qs.mu.Unlock()
	return q.at, q.shown
}

// places are the files with questions shown as diagnostics.
func (qs *questions) places() (out []string) {
	qs.mu.Lock()
	defer qs.mu.Unlock()
	for _, q := range qs.waiting {
		if q.shown {
			out = append(out, q.at.path)
		}
	}
	return out
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
func (q *question) reply(id acp.PermissionOptionID) error {
	select {
	case q.answer <- bridge.Answer{OptionID: id}:
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
		at, shown := p.questions.shownAt(q)
		w := Waiting{ID: q.ID, Title: q.Title, Shown: shown, Path: at.path, Line: max(at.line, 0)}
		for i, title := range q.titles() {
			w.Answers = append(w.Answers, Choice{title, q.Options[i]})
		}
		w.Diagnostic = func(now text.Text) protocol.Diagnostic { return p.questionDiagnostic(now, q, at) }
		out = append(out, w)
	}
	return out
}

func invalid(message string) error {
	return &bridge.Error{Code: bridge.CodeInvalidParams, Message: message}
}
