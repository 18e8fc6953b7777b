package session

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/copilot-bridge/copilot-bridge/acp"
	"github.com/copilot-bridge/copilot-bridge/bridge/calls"
	"github.com/copilot-bridge/copilot-bridge/bridge/policy"
	"github.com/copilot-bridge/copilot-bridge/bridge/wire"
)

// ordering is a session that runs nothing but its state, in a synctest, and an editor that keeps the titles of what it is asked.
type ordering struct {
	s *Session

	mu    sync.Mutex
	asked []string
}

func newOrdering(t *testing.T) *ordering {
	o := &ordering{}
	ed := &asker{ask: func(ctx context.Context, q *Question) (Answer, error) {
		o.mu.Lock()
		o.asked = append(o.asked, q.Title)
		o.mu.Unlock()
		acp.Queued(ctx)
		<-ctx.Done() // the user thinks
		return Answer{}, ctx.Err()
	}}
	o.s = &Session{all: &Set{cfg: Config{Editor: ed, Out: wire.New(true, func(Event, func(Event)) {})}}, in: newInbox()}
	l := newLane()
	l.step("prompt a")
	go func() {
		for {
			for _, in := range o.s.in.take() {
				for _, e := range l.st.step(in) {
					if r, ok := e.(reply); ok {
						r.send()
					}
				}
			}
			select {
			case <-o.s.in.wake:
			case <-t.Context().Done():
				return
			}
		}
	}()
	return o
}

// seen are the questions that were put, in their order.
func (o *ordering) seen() []string {
	o.mu.Lock()
	defer o.mu.Unlock()
	return slices.Clone(o.asked)
}

func argsOf(name string) map[string]any {
	return map[string]any{"path": name, "old_str": "a", "new_str": "b"}
}

// announce is the agent's tool_call.
func (o *ordering) announce(name, title string) {
	raw, err := acp.Marshal(argsOf(name))
	if err != nil {
		panic(err)
	}
	o.s.in.put(messageIn{msg: acp.NewUpdate("s", &acp.ToolCall{ToolCallID: acp.ToolCallID(name), Title: title, RawInput: raw})})
}

// come is the call of our tool, on its connection, and what becomes of it; it returns once all is done that can be done.
func (o *ordering) come(ctx context.Context, name, fate string) {
	use := calls.NewUse("edit", argsOf(name))
	ask(o.s, func(q question[struct{}]) any { return toolIn{q, use} })
	ctx = context.WithValue(ctx, useKey{}, use)
	switch fate {
	case "asks":
		go func() { _, _, _ = o.s.askUser(ctx, &Question{ID: name, Title: name}) }()
	case "is allowed":
		o.s.unasked(ctx, policy.ToolRead)
		o.s.unasked(ctx, policy.ToolEdit)
	case "is over":
		o.s.in.put(doneIn{use})
	case "runs":
		o.s.in.put(terminalIn{use, "t1"})
	case "only reads":
		o.s.unasked(ctx, policy.ToolRead) // and then it waits for something
	}
	synctest.Wait()
}

// An agent calls our tools in parallel, on another connection than it announces them on. Whatever the order in which the calls come
// and are ready, their questions are put in the order in which the agent has announced them; what asks nothing holds nobody up.
func TestParallelCallsAreAskedInTheirOrder(t *testing.T) {
	fates := []string{"asks", "is allowed", "is over", "runs"}
	orders := [][]string{{"1", "2", "3"}, {"1", "3", "2"}, {"2", "1", "3"}, {"2", "3", "1"}, {"3", "1", "2"}, {"3", "2", "1"}}
	for _, first := range fates {
		for _, second := range fates {
			for _, order := range orders {
				for _, late := range []bool{false, true} {
					synctest.Test(t, func(t *testing.T) {
						o := newOrdering(t)
						announce := func() {
							for _, name := range []string{"1", "2", "3"} {
								o.announce(name, "editor-edit")
							}
							synctest.Wait()
						}
						if !late {
							announce()
						}
						fate := map[string]string{"1": first, "2": second, "3": "asks"}
						for _, name := range order {
							o.come(t.Context(), name, fate[name])
						}
						if late { // as it may be on two connections
							announce()
						}
						var want []string
						for _, name := range []string{"1", "2", "3"} {
							if fate[name] == "asks" {
								want = append(want, name)
							}
						}
						if got := o.seen(); !slices.Equal(got, want) {
							t.Errorf("the calls came as %v, announced late: %v, 1 %s, 2 %s: asked %v", order, late, first, second, got)
						}
					})
				}
			}
		}
	}
}

// A question of the first call that has been put holds nobody up, and neither does one that waits for something else for long, a call
// that never comes, or the agent's own tool.
func TestAQuestionWaitsForNoCallThatAsksNothing(t *testing.T) {
	for what, c := range map[string]struct {
		title string
		first string
		waits time.Duration
	}{
		"a call that never comes":         {"editor-edit", "", orderWait},
		"a call that has only read":       {"editor-edit", "only reads", orderWait},
		"a tool of the agent's own":       {"Edit 1", "", 0},
		"a question that nobody answers":  {"editor-edit", "asks", 0},
		"a call of which the end is told": {"editor-edit", "failed", 0},
	} {
		t.Run(what, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				o := newOrdering(t)
				o.announce("1", c.title)
				o.announce("2", "editor-edit")
				o.announce("3", "editor-edit")
				synctest.Wait()
				switch c.first {
				case "":
				case "failed":
					status := acp.ToolCallStatusFailed
					o.s.in.put(messageIn{msg: acp.NewUpdate("s", &acp.ToolCallUpdate{ToolCallID: "1", Status: &status})})
				default:
					o.come(t.Context(), "1", c.first)
				}
				began := time.Now()
				o.come(t.Context(), "3", "asks")
				o.come(t.Context(), "2", "asks")
				for want := 2 + strings.Count(c.first, "asks"); len(o.seen()) < want; synctest.Wait() {
					if time.Since(began) > time.Hour {
						t.Fatalf("asked %v", o.seen())
					}
					time.Sleep(orderWait / 10)
				}
				if got, waited := fmt.Sprint(o.seen()), time.Since(began); !strings.HasSuffix(got, "2 3]") || waited != c.waits {
					t.Errorf("after %v: asked %v", waited, got)
				}
			})
		})
	}
}

// A question that the user need not see any more while it waits for its place is not put.
func TestAQuestionThatIsCoveredWhileItWaitsIsNotPut(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		o := newOrdering(t)
		o.announce("1", "editor-edit")
		o.announce("2", "editor-edit")
		ctx, cover := context.WithCancel(t.Context())
		o.come(ctx, "2", "asks")
		cover()
		synctest.Wait()
		o.come(t.Context(), "1", "asks")
		time.Sleep(2 * orderWait)
		synctest.Wait()
		if got := fmt.Sprint(o.seen()); got != "[1]" {
			t.Errorf("asked %v", got)
		}
	})
}
