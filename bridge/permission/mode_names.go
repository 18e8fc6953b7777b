package permission

import (
	"slices"
	"strings"

	"github.com/copilot-bridge/copilot-bridge/acp"
	"github.com/copilot-bridge/copilot-bridge/bridge/policy"
)

// What an agent calls its modes and options is what the user chooses by; what the bridge goes by is their ids. Where the two
// disagree, the one that leaves less to the agent counts: a mode is plan mode by its id or its name, and autopilot and
// allow_all count only where both say so.

// Offer are the modes and options of an agent, with the names by which the user chooses among them. Modes may be nil.
type Offer struct {
	Modes   *acp.SessionModeState
	Options []acp.SessionConfigOption
}

// readAs are the names under which the user may have chosen a mode or the value of an option that stands for the mode.
func (o Offer) readAs(id acp.SessionModeID) (names []string) {
	if o.Modes != nil {
		for _, m := range o.Modes.AvailableModes {
			if m.ID == id {
				names = append(names, m.Name)
			}
		}
	}
	for _, o := range o.Options {
		if sel, ok := o.Variant.(*acp.SessionConfigSelect); ok && IsModeOption(o) {
			names = append(names, valueNames(sel, string(id))...)
		}
	}
	return names
}

// valueNames are the names of a value of an option: one, unless the agent lists it twice.
func valueNames(sel *acp.SessionConfigSelect, value string) (names []string) {
	for _, v := range sel.Options.All() {
		if string(v.Value) == value {
			names = append(names, v.Name)
		}
	}
	return names
}

// IsPlan says whether a mode is plan mode by its id, or by what the user reads.
func (o Offer) IsPlan(id acp.SessionModeID) bool {
	return IsPlan(id) || slices.ContainsFunc(o.readAs(id), namesPlan)
}

func namesPlan(name string) bool { return saysOnly(name, "plan", "planning") }

// besideNames are words that change nothing in the name of a mode.
var besideNames = []string{"mode", "experimental", "preview", "beta"}

// saysOnly says whether a name is one of the words; besideNames, and what is no letter, may stand beside it.
func saysOnly(name string, words ...string) bool {
	said := false
	for _, w := range strings.FieldsFunc(policy.Fold(name), func(r rune) bool { return r < 'a' || r > 'z' }) {
		if slices.Contains(words, w) {
			said = true
		} else if !slices.Contains(besideNames, w) {
			return false
		}
	}
	return said
}

// namesAutopilot says whether the user who chooses a mode reads that it is autopilot, wherever it is named.
func (o Offer) namesAutopilot(id acp.SessionModeID) bool {
	names := o.readAs(id)
	return len(names) == 0 && o.Modes == nil && len(o.Options) == 0 || len(names) > 0 && !slices.ContainsFunc(names, func(n string) bool { return !saysOnly(n, "autopilot", "auto", "pilot") })
}

// namesAllowAll says whether the user who sets allow_all to value reads that this allows all.
func (o Offer) namesAllowAll(value any) bool {
	for _, o := range o.Options {
		if o.ID != OptionAllowAll {
			continue
		}
		if !saysOnly(strings.ReplaceAll(o.Name, "_", " "), "allow", "all", "everything", "tools") {
			return false
		}
		if sel, ok := o.Variant.(*acp.SessionConfigSelect); ok {
			text, _ := value.(string)
			if slices.ContainsFunc(valueNames(sel, text), func(n string) bool { return !saysOnly(n, "on", "true", "yes", "enabled", "allow", "all") }) {
				return false
			}
		}
	}
	return true
}

// standsForMode says whether to set an option is to set the mode.
func (o Offer) standsForMode(option acp.SessionConfigID) bool {
	return option == TheMode || option == "mode" || slices.ContainsFunc(o.Options, func(o acp.SessionConfigOption) bool { return o.ID == option && IsModeOption(o) })
}

// leavesPlan says whether what the user sets is another mode than the plan mode that holds, as they see it: an option counts
// only where plan mode is among its values, by that name. What an agent files under "mode" beside that is something else.
func (o Offer) leavesPlan(option acp.SessionConfigID, mode, held acp.SessionModeID) bool {
	if o.IsPlan(mode) {
		return false
	}
	for _, o := range o.Options {
		if sel, ok := o.Variant.(*acp.SessionConfigSelect); ok && o.ID == option && !slices.ContainsFunc(valueNames(sel, string(held)), namesPlan) {
			return false
		}
	}
	return true
}
