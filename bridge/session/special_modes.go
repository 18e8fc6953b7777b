package session

import (
	"context"

	"github.com/copilot-bridge/copilot-bridge/bridge/permission"
)

// SpecialMode is something that is not as usual in a session and changes what is asked, with the way out of it.
type SpecialMode = permission.SpecialMode

// offer is what the user chooses modes from.
func (i Info) offer() permission.Offer { return permission.Offer{Modes: i.Modes, Options: i.Options} }

// SpecialModes are those that are on in a session.
func (i Info) SpecialModes() []SpecialMode { return i.offer().SpecialModes() }

// FindMode is the id of the mode that a user means by a word: its id, the last part of it, or its name.
func (i Info) FindMode(word string) (string, bool) { return i.offer().FindMode(word) }

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
