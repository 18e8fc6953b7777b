package session_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/copilot-bridge/copilot-bridge/acp"
	"github.com/copilot-bridge/copilot-bridge/acp/agent"
	"github.com/copilot-bridge/copilot-bridge/bridge/conversation"
)

// recorder is an agent that answers every prompt at once and remembers what it was told.
type recorder struct {
	Agent // nil: what is not here is not called
	mu    sync.Mutex
	told  []string
	busy  int
	over  int // prompts that came while another one ran
}

func (*recorder) Info() agent.Info { return agent.Info{} }
func (a *recorder) Call(ctx context.Context, method string, params jsontext.Value) (jsontext.Value, error) {
	if method == acp.MethodSessionPrompt {
		return acp.Answer(ctx, method, params, a.prompt)
	}
	return acp.Marshal(&acp.NewSessionResponse{SessionID: "s1"})
}
func (*recorder) Close(context.Context) error                          { return nil }
func (*recorder) Notify(context.Context, string, jsontext.Value) error { return nil }
func (a *recorder) prompt(_ context.Context, r *acp.PromptRequest) (*acp.PromptResponse, error) {
	a.mu.Lock()
	a.busy++
	if a.busy > 1 {
		a.over++
	}
	a.told = append(a.told, conversation.PromptText(r.Prompt))
	a.mu.Unlock()
	defer func() { a.mu.Lock(); a.busy--; a.mu.Unlock() }()
	return &acp.PromptResponse{StopReason: acp.StopReasonEndTurn}, nil
}

// TestEditsAndCancelsRaceWithTheQueue guards the promise of the answers: an edit that succeeded is what the agent is
// told, one that failed is not; a prompt that was taken out is not told at all unless it had begun; all others are told
// once, in the order in which they were sent, one at a time.
func TestEditsAndCancelsRaceWithTheQueue(t *testing.T) {
	t.Parallel()
	a := &recorder{}
	r := newRigWith(t, nil, func(c *Config) {
		c.Start = func(context.Context, agent.Handler) (Agent, error) { return a, nil }
	}).open()
	type sent struct {
		turn            string
		edited, removed bool
	}
	const people, each = 6, 50
	var all [people][]sent
	var work sync.WaitGroup
	for p := range people {
		dice := rand.New(rand.NewPCG(1, uint64(p)))
		work.Go(func() {
			for i := range each {
				name := fmt.Sprintf("%d/%03d", p, i)
				got, err := r.b.Prompt(r.session, words(name), nil)
				if err != nil {
					if asError(err).Code != CodeTurnInProgress {
						t.Error(err)
					}
					all[p] = append(all[p], sent{}) // too many wait
					continue
				}
				s := sent{turn: got.ID}
				switch dice.IntN(3) {
				case 0:
					s.edited = r.b.EditPrompt(r.session, got.ID, words(name+" edited")) == nil
				case 1:
					s.removed = r.b.Cancel(r.session, Cancellation{Turn: got.ID}) == nil
				}
				if _, err := r.b.Queue(r.session); err != nil {
					t.Error(err)
				}
				all[p] = append(all[p], s)
			}
		})
	}
	work.Wait()
	r.until("the end of all turns", func(ev []Event) bool {
		n := 0
		for _, list := range all {
			for _, s := range list {
				if s.turn != "" {
					n++
				}
			}
		}
		return len(ends(ev)) == n
	})
	if left, err := r.b.Queue(r.session); err != nil || len(left) > 0 {
		t.Errorf("left: %v, %v", left, err)
	}
	reason := map[string]acp.StopReason{}
	for _, e := range ends(r.events()) {
		if reason[e.Turn] != "" {
			t.Errorf("%s ended twice", e.Turn)
		}
		reason[e.Turn] = e.StopReason
	}
	if a.over > 0 {
		t.Errorf("%d prompts came while another one ran", a.over)
	}
	for p, list := range all {
		var mine []string
		for _, text := range a.told {
			if strings.HasPrefix(text, fmt.Sprint(p, "/")) {
				mine = append(mine, text)
			}
		}
		if !slices.IsSorted(mine) {
			t.Errorf("not in order: %q", mine)
		}
		for i, s := range list {
			name := fmt.Sprintf("%d/%03d", p, i)
			want := name
			if s.edited {
				want += " edited"
			}
			told := slices.DeleteFunc(slices.Clone(mine), func(text string) bool { return !strings.HasPrefix(text, name) })
			switch {
			case s.turn == "" && len(told) == 0, s.removed && len(told) == 0 && reason[s.turn] == acp.StopReasonCancelled:
			case len(told) != 1 || told[0] != want:
				t.Errorf("%+v: told %q, want %q", s, told, want)
			}
		}
	}
}
