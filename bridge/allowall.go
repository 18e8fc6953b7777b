package bridge

import (
	"strings"
	"sync/atomic"

	"github.com/copilot-bridge/copilot-bridge/acp"
)

// allowAll is whether the agent may do everything that no rule speaks of. The person switches it on, with the agent's
// own option or mode for it; what the agent says of itself is not enough.
type allowAll struct {
	person  atomic.Bool // switched it on here
	agent   atomic.Bool // has it on
	claimed atomic.Bool // the person was told that the agent has it on without them
}

func (a *allowAll) on() bool { return a.person.Load() && a.agent.Load() }

// optionAllowAll is Copilot's option (1.0.39).
const optionAllowAll = acp.SessionConfigID("allow_all")

// chose notes what the person set.
func (a *allowAll) chose(option acp.SessionConfigID, value any) {
	switch v := value.(type) {
	case bool:
		if option == optionAllowAll {
			a.person.Store(v)
		}
	case string:
		switch {
		case option == optionAllowAll:
			a.person.Store(v == "on" || v == "true")
		case option == "mode":
			a.person.Store(isAutopilot(acp.SessionModeID(v)))
		}
	}
}

// reported notes what the agent says. The answer is true when the person has to be told, once.
func (a *allowAll) reported(st *state) (tell bool) {
	on := st.modes != nil && isAutopilot(st.modes.CurrentModeID)
	for _, o := range st.options {
		if o.ID != optionAllowAll {
			continue
		}
		switch v := o.Variant.(type) {
		case *acp.SessionConfigSelect:
			on = on || v.CurrentValue == "on" || v.CurrentValue == "true"
		case *acp.SessionConfigBoolean:
			on = on || v.CurrentValue
		}
	}
	a.agent.Store(on)
	if !on {
		a.claimed.Store(false)
	}
	return on && !a.person.Load() && !a.claimed.Swap(true)
}

// isAutopilot recognises Copilot's autopilot, which switches allow_all on by itself (1.0.102).
func isAutopilot(id acp.SessionModeID) bool { return strings.HasSuffix(string(id), "#autopilot") }
