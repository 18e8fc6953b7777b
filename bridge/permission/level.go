package permission

import (
	"context"
	"errors"

	"github.com/copilot-bridge/copilot-bridge/bridge/policy"
)

// ErrCovered is the cause with which a question's context ends when a later answer, or another level, has decided what it asks.
var ErrCovered = errors.New("it was answered together with another question")

func (g *Gate) levelNow() policy.Level {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.level
}

// narrowings is how often the level has been narrowed.
func (g *Gate) narrowings() int {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.narrowed
}

// Recheck decides once more about what the session's user is being asked, because of another level.
func (g *Gate) Recheck() { g.all.recheck(g) }

// waiting is a request that the user is being asked about.
type waiting struct {
	g     *Gate
	r     policy.Request
	cover context.CancelCauseFunc // ends the question
}

// recheck ends the questions of a gate, of all gates for nil, that need not be asked any more. Those who asked decide again.
func (a *Authority) recheck(only *Gate) {
	a.mu.Lock()
	var list []*waiting
	for w := range a.waiting {
		if only == nil || w.g == only {
			list = append(list, w)
		}
	}
	a.mu.Unlock()
	for _, w := range list {
		w.recheck()
	}
}

func (w *waiting) recheck() {
	r := w.r
	if w.g.Decide(&r).Verdict != policy.Ask {
		w.cover(ErrCovered)
	}
}

// askWhile is [Gate.ask] for a request that a later answer or another level may decide meanwhile. Then covered is true and there is
// no answer, unless the user gave one just before.
func (g *Gate) askWhile(ctx context.Context, r policy.Request, q *Question) (ans Answer, covered bool, err error) {
	ctx, cover := context.WithCancelCause(ctx)
	defer cover(nil)
	w := &waiting{g, r, cover}
	g.all.mu.Lock()
	g.all.waiting[w] = struct{}{}
	g.all.mu.Unlock()
	defer func() {
		g.all.mu.Lock()
		delete(g.all.waiting, w)
		g.all.mu.Unlock()
	}()
	w.recheck() // what was answered before it was in the list
	if ctx.Err() == nil {
		ans, err = g.ask(ctx, q)
	}
	return ans, ans.OptionID == "" && errors.Is(context.Cause(ctx), ErrCovered), err
}

// offersSession says whether a question offers that edits are not asked about any more in the session: the first one about an edit
// that would not be asked about then.
func (g *Gate) offersSession(r policy.Request) bool {
	if r.Tool != policy.ToolEdit || g.levelNow() != policy.LevelAsk {
		return false
	}
	r.Level = policy.LevelEdits
	if g.all.Rules.Decide(r).Verdict != policy.Allow {
		return false
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	was := g.offered
	g.offered = true
	return !was
}
