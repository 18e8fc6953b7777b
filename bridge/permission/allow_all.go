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

// TheMode stands for the mode that session/set_mode sets, beside the ids of options.
const TheMode = acp.SessionConfigID("")

// Chose notes what the user sets, before the agent is told. choice is for the session's [PlanHold], nil where the mode is left as
// it is. undo is for when the agent refuses: it takes back what was switched on. What was switched off stays so, and what was
// chosen since counts.
func (g *Gate) Chose(option acp.SessionConfigID, value any) (choice *ModeChoice, undo func()) {
	g.mu.Lock()
	defer g.mu.Unlock()
	text, _ := value.(string)
	mode := acp.SessionModeID(text)
	if g.offer.standsForMode(option) {
		c := &ModeChoice{mode: mode, plan: g.offer.IsPlan(mode)}
		if c.plan || g.offer.leavesPlan(option, mode, g.hold.mode) {
			choice = c
		}
	}
	var on *bool
	switch option {
	case OptionAllowAll:
		yes, _ := value.(bool)
		on = &g.user.option
		*on = (yes || text == "on" || text == "true") && g.offer.namesAllowAll(value)
	case TheMode, "mode":
		on = &g.user.autopilot
		*on = IsAutopilot(mode) && g.offer.namesAutopilot(mode)
	}
	return choice, func() {
		g.mu.Lock()
		defer g.mu.Unlock()
		if on != nil {
			*on = false
		}
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
	g.offer = Offer{modes, options}
	g.plan = plan.On() || modes != nil && g.offer.IsPlan(modes.CurrentModeID)
	g.hold, g.agent = plan, now
	if plan.open > 0 { // what the agent has is not what was chosen yet
		return false
	}
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
	return g.hold.Shown()
}

// PlanMode is the plan mode that holds, also while the user is leaving it, "" for none.
func (g *Gate) PlanMode() acp.SessionModeID {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.hold.mode
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
