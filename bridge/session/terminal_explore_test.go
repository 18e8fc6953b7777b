package session_test

import (
	"context"
	"net"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/rs/zerolog"

	"github.com/copilot-bridge/copilot-bridge/acp"
	"github.com/copilot-bridge/copilot-bridge/acp/acptest"
	"github.com/copilot-bridge/copilot-bridge/acp/agent"
)

// What an agent may do with a terminal, and what may befall it. The requests of a script are not waited for: the bridge
// serves them at once, and each has one answer.
var terminalActs = map[string]string{
	"output":  `request@output terminal/output {"sessionId":"s1","terminalId":"$terminal"}`,
	"wait":    `request@wait terminal/wait_for_exit {"sessionId":"s1","terminalId":"$terminal"}`,
	"kill":    `request@kill terminal/kill {"sessionId":"s1","terminalId":"$terminal"}`,
	"release": `request@release terminal/release {"sessionId":"s1","terminalId":"$terminal"}`,
	"end":     `put $cwd/stop now`, // the command ends by itself
	"cancel":  "mark cancel\nwait cancelled",
	"create":  `request@create terminal/create {"sessionId":"s1","command":"true"}`,
	"die":     "close",
}

// TestExactlyOneAnswerInEveryOrderOnTheWire enumerates the orders of an agent's requests for a terminal, a cancel, the
// command's own end and the agent's death. Every request that was sent has exactly one answer, unless the agent died;
// nothing is left running either way (TestMain).
func TestExactlyOneAnswerInEveryOrderOnTheWire(t *testing.T) {
	t.Parallel()
	orders := slices.Concat(
		ordersOf("output", "wait", "kill", "release"),
		ordersOf("wait", "end", "release", "cancel"),
		ordersOf("wait", "kill", "cancel"), ordersOf("wait", "release", "die"), ordersOf("wait", "cancel", "die"),
		ordersOf("create", "cancel", "wait"), ordersOf("create", "die"), ordersOf("output", "end", "die"),
	)
	for i, order := range orders { // the dead do nothing any more
		if at := slices.Index(order, "die"); at >= 0 {
			orders[i] = order[:at+1]
		}
	}
	slices.SortFunc(orders, slices.Compare)
	orders = slices.CompactFunc(orders, slices.Equal)
	for _, order := range orders {
		t.Run(strings.Join(order, "-"), func(t *testing.T) { exploreTerminal(t, order) })
	}
	t.Logf("%d orders", len(orders))
}

// answers counts the agent's requests and the bridge's answers to them.
type answers struct {
	mu    sync.Mutex
	asked int
	given map[string]int
}

func (a *answers) tap(dir acp.Direction, line []byte) {
	var m struct {
		ID     jsontext.Value `json:"id"`
		Method string         `json:"method"`
	}
	if json.Unmarshal(line, &m) != nil || m.ID == nil {
		return
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	switch {
	case dir == acp.Received && m.Method != "":
		a.asked++
	case dir == acp.Sent && m.Method == "":
		a.given[string(m.ID)]++
	}
}

// all says that each request has one answer.
func (a *answers) all() bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	return len(a.given) == a.asked
}

func (a *answers) twice() (out []string) {
	a.mu.Lock()
	defer a.mu.Unlock()
	for id, n := range a.given {
		if n > 1 {
			out = append(out, id)
		}
	}
	return out
}

func exploreTerminal(t *testing.T, order []string) {
	t.Parallel()
	script := hello + "ignore session/cancel\nexpect@p session/prompt\n" +
		`request@t terminal/create {"sessionId":"s1","command":"until [ -e stop ]; do sleep 0.02; done"}` + "\nanswer@t\n"
	for _, act := range order {
		script += terminalActs[act] + "\n"
	}
	at := func(act string) int { return slices.Index(order, act) }
	dies := at("die") >= 0
	if !dies {
		if at("end") < 0 && at("kill") < 0 && at("release") < 0 && at("cancel") < 0 {
			script += terminalActs["end"] + "\n"
		}
		script += "mark sent\nwait answered\nreply@p {\"stopReason\":\"end_turn\"}"
	}
	a := &answers{given: map[string]int{}}
	var r *rig
	r = newRigWith(t, nil, func(c *Config) {
		c.Start = func(ctx context.Context, h agent.Handler) (Agent, error) {
			ours, theirs := net.Pipe()
			r.agents = append(r.agents, acptest.Script(script).Start(context.Background(), theirs, acptest.Options{}))
			return agent.Connect(ctx, agent.Config{ClientInfo: acp.Implementation{Name: "test"}, Capabilities: Capabilities(), Log: zerolog.Nop(), Handler: h, Tap: a.tap}, ours)
		}
	}, script)
	r.open()
	turn := r.prompt("go")
	if at("cancel") >= 0 {
		r.await("cancel")
		r.b.Cancel(r.session, Cancellation{Turn: turn})
		r.set("cancelled")
	}
	if !dies {
		r.await("sent")
		r.eventually("every request is answered", a.all)
		r.set("answered")
	}
	switch end := r.ended(turn); {
	case dies && end.Err == nil && end.StopReason != acp.StopReasonCancelled:
		t.Errorf("the turn ended with %s", end.StopReason)
	case !dies && end.Err != nil:
		t.Errorf("the turn ended with %v; %v", end.Err, r.failures())
	}
	if twice := a.twice(); len(twice) > 0 {
		t.Errorf("answered more than once: %v", twice)
	}
}

func ordersOf(of ...string) (all [][]string) {
	if len(of) <= 1 {
		return [][]string{of}
	}
	for i, first := range of {
		for _, rest := range ordersOf(slices.Delete(slices.Clone(of), i, i+1)...) {
			all = append(all, append([]string{first}, rest...))
		}
	}
	return all
}
