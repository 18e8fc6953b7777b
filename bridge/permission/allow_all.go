package permission

import (
	"strings"

	"github.com/copilot-bridge/copilot-bridge/acp"
)

// freedom is whether the agent may do everything that no rule speaks of: with the option allow_all (Copilot CLI 1.0.39), or in
// the mode autopilot, which includes it (1.0.102). The user switches it on; what the agent says of itself is not enough.
type freedom struct{ option, autopilot bool }

// OptionAllowAll is the option's id.
const OptionAllowAll = acp.SessionConfigID("allow_all")

func (f freedom) any() bool { return f.option || f.autopilot }

// Chose notes what the user sets, before the agent is told. undo takes it back, for when the agent refuses.
func (g *Gate) Chose(option acp.SessionConfigID, value any) (undo func()) {
	g.mu.Lock()
	defer g.mu.Unlock()
	was := g.user
	text, _ := value.(string)
	on, _ := value.(bool)
	switch option {
	case OptionAllowAll:
		g.user.option = on || text == "on" || text == "true"
	case "mode":
		g.user.autopilot = IsAutopilot(acp.SessionModeID(text))
	}
	return func() {
		g.mu.Lock()
		defer g.mu.Unlock()
		g.user = was
	}
}

// Reported notes what the agent says of its modes, and which plan mode holds. alone is true when the user has to be told, once,
// that the agent has switched by itself on that it asks about nothing.
func (g *Gate) Reported(plan PlanHold, modes *acp.SessionModeState, options []acp.SessionConfigOption) (alone bool) {
	now := freedom{autopilot: modes != nil && IsAutopilot(modes.CurrentModeID)}
	for _, o := range options {
		if o.ID == OptionAllowAll {
			now.option = OptionIsOn(o)
		}
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	g.plan = plan.On() || modes != nil && IsPlan(modes.CurrentModeID)
	g.held, g.agent = plan.Shown(), now
	told := g.told
	g.told = now.any() && !g.user.any()
	return g.told && !told
}

// freed says whether the agent may do everything: the user has switched it on, and the agent has it.
func (g *Gate) freed() bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.user.option && g.agent.option || g.user.autopilot && g.agent.autopilot
}

// Freed says what the user has switched on, of what frees the agent from asking.
func (g *Gate) Freed() (allowAll, autopilot bool) {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.user.option, g.user.autopilot
}

// HeldMode is the plan mode that the editor is told of whatever the agent says, "" for none.
func (g *Gate) HeldMode() acp.SessionModeID {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.held
}

// OptionIsOn says whether an option like allow_all is on.
func OptionIsOn(o acp.SessionConfigOption) bool {
	switch v := o.Variant.(type) {
	case *acp.SessionConfigSelect:
		return v.CurrentValue == "on" || v.CurrentValue == "true"
	case *acp.SessionConfigBoolean:
		return v.CurrentValue
	}
	return false
}

func isMode(id acp.SessionModeID, name string) bool {
	return string(id) == name || strings.HasSuffix(string(id), "#"+name)
}
