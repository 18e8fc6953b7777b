package permission

import (
	"context"
	"fmt"

	"github.com/copilot-bridge/copilot-bridge/bridge/policy"
)

// askingKey is where a context carries that its request is counted among the open questions.
type askingKey struct{}

// Enter counts a request among those of the session that may be asked about at the same time, until leave is called. With an
// error there are too many already: nobody is asked, and the user is told of it once a turn. A request is counted once, however
// often its context enters.
func (g *Gate) Enter(ctx context.Context, r policy.Request) (asking context.Context, leave func(), err error) {
	if ctx.Value(askingKey{}) != nil {
		return ctx, func() {}, nil
	}
	g.mu.Lock()
	full := g.open >= maxOpenQuestions
	told := g.crowded
	if full {
		g.crowded = true
	} else {
		g.open++
	}
	g.mu.Unlock()
	if !full {
		return context.WithValue(ctx, askingKey{}, true), func() {
			g.mu.Lock()
			defer g.mu.Unlock()
			g.open--
		}, nil
	}
	if !told {
		g.Notice(fmt.Sprintf("the agent asks about more than %d things at once; what is above that is refused and not shown", maxOpenQuestions))
	}
	return ctx, nil, g.refuse(r, policy.ByNobody, fmt.Sprintf("%d questions of this session are open already; wait for their answers", maxOpenQuestions))
}
