package permission

import (
	"slices"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/copilot-bridge/copilot-bridge/acp"
)

// neverPutBack are options that stay as a new session has them: a yes to everything is for the session it was given in.
var neverPutBack = map[acp.SessionConfigID]bool{"allow_all": true}

// Chosen are the values of options, by id.
func Chosen(options []acp.SessionConfigOption) map[string]jsontext.Value {
	out := map[string]jsontext.Value{}
	for _, o := range options {
		var v any
		switch o := o.Variant.(type) {
		case *acp.SessionConfigSelect:
			v = string(o.CurrentValue)
		case *acp.SessionConfigBoolean:
			v = o.CurrentValue
		default:
			continue
		}
		if raw, err := json.Marshal(v); err == nil && !neverPutBack[o.ID] {
			out[string(o.ID)] = raw
		}
	}
	return out
}

// SameOptions says whether two such lists are the same.
func SameOptions(a, b map[string]jsontext.Value) bool {
	if len(a) != len(b) {
		return false
	}
	for k, v := range a {
		if string(v) != string(b[k]) {
			return false
		}
	}
	return true
}

// Has says whether a mode is offered.
func (o Offer) Has(mode acp.SessionModeID) bool {
	return o.Modes != nil && slices.ContainsFunc(o.Modes.AvailableModes, func(m acp.SessionMode) bool { return m.ID == mode })
}
