package session

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/copilot-bridge/copilot-bridge/acp"
	"github.com/copilot-bridge/copilot-bridge/bridge/permission"
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
func (i Info) SpecialModes() (out []SpecialMode) {
	if m := i.Modes; m != nil {
		usual := i.usualMode()
		switch {
		case i.offer().IsPlan(m.CurrentModeID):
			out = append(out, SpecialMode{Code: "plan", Name: "plan mode", Means: "nothing is changed and nothing is run", Leave: "Leave plan mode", Mode: usual, Working: "plan"})
		case permission.IsAutopilot(m.CurrentModeID):
			out = append(out, SpecialMode{Code: "autopilot", Name: "autopilot", Means: "little is asked", Leave: "Leave autopilot", Mode: usual, Working: "autopilot"})
		}
	}
	for _, o := range i.Options {
		if o.ID != permission.OptionAllowAll || !permission.OptionIsOn(o) {
			continue
		}
		out = append(out, SpecialMode{
			Code: "allow_all", Name: "allow_all", Means: "only control files, secrets and what is outside the folders are asked about", Leave: "Ask again (allow_all off)",
			Option: string(permission.OptionAllowAll), Value: optionOff(o), Working: "allows all",
		})
	}
	return out
}

// offer is what the user chooses modes from.
func (i Info) offer() permission.Offer { return permission.Offer{Modes: i.Modes, Options: i.Options} }

// Sentence is a standing for a user.
func (s SpecialMode) Sentence() string { return fmt.Sprintf("%s is on: %s", s.Name, s.Means) }

// LeaveSpecialMode switches off what is on, by its name; "" is everything. It returns the names of what it switched off.
func (all *Set) LeaveSpecialMode(ctx context.Context, session, name string) ([]string, error) {
	s, err := all.Session(session)
	if err != nil {
		return nil, err
	}
	var left []string
	for _, st := range s.Snapshot().SpecialModes() {
		if name != "" && name != st.Name {
			continue
		}
		switch {
		case st.Option != "":
			_, err = all.SetOption(ctx, session, st.Option, st.Value)
		case st.Mode == "":
			err = &Error{Code: CodeInvalidParams, Message: "the agent has no mode to leave " + st.Name + " for", Hint: "open a new session"}
		default:
			err = all.SetMode(ctx, session, st.Mode)
		}
		if err != nil {
			return left, err
		}
		left = append(left, st.Name)
	}
	return left, nil
}

// FindMode is the id of the mode that a user means by a word: its id, the last part of it, or its name.
func (i Info) FindMode(word string) (string, bool) {
	if i.Modes == nil {
		return "", false
	}
	for _, m := range i.Modes.AvailableModes {
		if string(m.ID) == word {
			return word, true
		}
	}
	for _, m := range i.Modes.AvailableModes {
		_, last, _ := strings.Cut(string(m.ID), "#")
		if strings.EqualFold(last, word) || strings.EqualFold(m.Name, word) {
			return string(m.ID), true
		}
	}
	return "", false
}

// usualMode is the mode that one leaves others for: the first that is neither of them.
func (i Info) usualMode() string {
	at := slices.IndexFunc(i.Modes.AvailableModes, func(m acp.SessionMode) bool { return !i.offer().IsPlan(m.ID) && !permission.IsAutopilot(m.ID) })
	if at < 0 {
		return ""
	}
	return string(i.Modes.AvailableModes[at].ID)
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
