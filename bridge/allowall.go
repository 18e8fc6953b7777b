package bridge

import (
	"strings"
	"sync"

	"github.com/copilot-bridge/copilot-bridge/acp"
)

// allowAll is whether the agent may do everything that no rule speaks of. The person switches it on, with the agent's
// own option or mode for it; what the agent says of itself is not enough.
type allowAll struct {
	mu     sync.Mutex
	person freedom // switched on here
	agent  freedom // has
	told   bool    // the person knows that the agent has it on without them
}

// freedom is the option allow_all (Copilot CLI 1.0.39) and the mode autopilot, which includes it (1.0.102).
type freedom struct{ option, autopilot bool }

const optionAllowAll = acp.SessionConfigID("allow_all")

func (a *allowAll) on() bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.person.option && a.agent.option || a.person.autopilot && a.agent.autopilot
}

// chosen is what the person has switched on.
func (a *allowAll) chosen() freedom {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.person
}

// chose notes what the person sets, before the agent is told. undo takes it back, for when the agent refuses.
func (a *allowAll) chose(option acp.SessionConfigID, value any) (undo func()) {
	a.mu.Lock()
	defer a.mu.Unlock()
	was := a.person
	text, _ := value.(string)
	on, _ := value.(bool)
	switch option {
	case optionAllowAll:
		a.person.option = on || text == "on" || text == "true"
	case "mode":
		a.person.autopilot = isAutopilot(acp.SessionModeID(text))
	}
	return func() {
		a.mu.Lock()
		defer a.mu.Unlock()
		a.person = was
	}
}

// reported notes what the agent says. The answer is true when the person has to be told, once.
func (a *allowAll) reported(st *state) (tell bool) {
	now := freedom{autopilot: st.modes != nil && isAutopilot(st.modes.CurrentModeID)}
	for _, o := range st.options {
		if o.ID == optionAllowAll {
			now.option = optionIsOn(o)
		}
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	a.agent = now
	alone := (now.option || now.autopilot) && !a.person.option && !a.person.autopilot
	tell = alone && !a.told
	a.told = alone
	return tell
}

func isAutopilot(id acp.SessionModeID) bool {
	return id == "autopilot" || strings.HasSuffix(string(id), "#autopilot")
}
