package permission

import (
	"fmt"
	"slices"
	"strings"

	"github.com/copilot-bridge/copilot-bridge/acp"
)

// SpecialMode is something that is not as usual in a session and changes what is asked, with the way out of it.
type SpecialMode struct {
	Code    string // for clients: "plan", "autopilot", "allow_all"
	Name    string // "plan mode", "autopilot", "allow_all"
	Means   string // what it means, half a sentence
	Leave   string // the title of the way out: "Leave plan mode"
	Mode    string // the mode to set to leave it, or "" and
	Option  string // the option to set
	Value   any    // to this value
	Working string // a word for a status line: "plan", "autopilot", "allows all"
}

// SpecialModes are the modes and options that are on in a session and that a user must be able to see and to leave.
func (o Offer) SpecialModes() (out []SpecialMode) {
	if m := o.Modes; m != nil {
		usual := o.usualMode()
		switch {
		case o.IsPlan(m.CurrentModeID):
			out = append(out, SpecialMode{Code: "plan", Name: "plan mode", Means: "nothing is changed and nothing is run", Leave: "Leave plan mode", Mode: usual, Working: "plan"})
		case IsAutopilot(m.CurrentModeID):
			out = append(out, SpecialMode{Code: "autopilot", Name: "autopilot", Means: "little is asked", Leave: "Leave autopilot", Mode: usual, Working: "autopilot"})
		}
	}
	for _, option := range o.Options {
		if option.ID != OptionAllowAll || !OptionIsOn(option) {
			continue
		}
		out = append(out, SpecialMode{
			Code: "allow_all", Name: "allow_all", Means: "only control files, secrets and what is outside the folders are asked about", Leave: "Ask again (allow_all off)",
			Option: string(OptionAllowAll), Value: optionOff(option), Working: "allows all",
		})
	}
	return out
}

// Sentence is what a user is told of it.
func (s SpecialMode) Sentence() string { return fmt.Sprintf("%s is on: %s", s.Name, s.Means) }

// FindMode is the id of the mode that a user means by a word: its id, the last part of it, or its name.
func (o Offer) FindMode(word string) (string, bool) {
	if o.Modes == nil {
		return "", false
	}
	for _, m := range o.Modes.AvailableModes {
		if string(m.ID) == word {
			return word, true
		}
	}
	for _, m := range o.Modes.AvailableModes {
		_, last, _ := strings.Cut(string(m.ID), "#")
		if strings.EqualFold(last, word) || strings.EqualFold(m.Name, word) {
			return string(m.ID), true
		}
	}
	return "", false
}

// usualMode is the mode that one leaves others for: the first that is neither of them.
func (o Offer) usualMode() string {
	at := slices.IndexFunc(o.Modes.AvailableModes, func(m acp.SessionMode) bool { return !o.IsPlan(m.ID) && !IsAutopilot(m.ID) })
	if at < 0 {
		return ""
	}
	return string(o.Modes.AvailableModes[at].ID)
}

// optionOff is the value that switches it off.
func optionOff(o acp.SessionConfigOption) any {
	if v, ok := o.Variant.(*acp.SessionConfigSelect); ok {
		if v.CurrentValue == "true" {
			return "false"
		}
		return "off"
	}
	return false
}
