package acp

import "github.com/go-json-experiment/json/jsontext"

// SessionConfigOption is something about a session that the user can set (ACP v1 session config options). On the wire the
// members of the variant lie beside the others.
type SessionConfigOption struct {
	ID          SessionConfigID              `json:"id" acp:"also=configId"`
	Name        string                       `json:"name"`
	Description *string                      `json:"description,omitempty" acp:"lenient"`
	Category    *SessionConfigOptionCategory `json:"category,omitempty" acp:"lenient"`
	Variant     SessionConfigVariant         `acp:"inline"`
	Meta        jsontext.Value               `json:"_meta,omitempty"`
	Extra       jsontext.Value               `json:",unknown"`
}

// SessionConfigVariant is the kind of an option with its value (ACP v1 session config options). The members of an unknown
// kind are in the Extra of the option; a client leaves out such an option.
//
// One of *SessionConfigSelect, *SessionConfigBoolean or *Unknown.
type SessionConfigVariant interface{ isSessionConfigVariant() }

// SessionConfigSelect is a choice of one (ACP v1 session config options).
type SessionConfigSelect struct {
	CurrentValue SessionConfigValueID       `json:"currentValue"`
	Options      SessionConfigSelectOptions `json:"options"`
}

// SessionConfigBoolean is on or off (ACP v1 session config options).
type SessionConfigBoolean struct {
	CurrentValue bool `json:"currentValue"`
}

func (*SessionConfigSelect) isSessionConfigVariant()  {}
func (*SessionConfigBoolean) isSessionConfigVariant() {}
func (*Unknown) isSessionConfigVariant()              {}

// MarshalJSON writes v as [Marshal] does.
func (v SessionConfigOption) MarshalJSON() ([]byte, error) { return marshal(&v) }

// UnmarshalJSON reads v as [Unmarshal] does.
func (v *SessionConfigOption) UnmarshalJSON(data []byte) error { return unmarshal(data, v) }

// SessionConfigSelectOptions are the values of a choice (ACP v1 session config options), in groups or not. Grouped is not
// nil when there are groups; then Ungrouped is not written.
type SessionConfigSelectOptions struct {
	Ungrouped []SessionConfigSelectOption
	Grouped   []SessionConfigSelectGroup
}

// All returns the values in their order, without the groups.
func (v *SessionConfigSelectOptions) All() []SessionConfigSelectOption {
	if v.Grouped == nil {
		return v.Ungrouped
	}
	var all []SessionConfigSelectOption
	for _, group := range v.Grouped {
		all = append(all, group.Options...)
	}
	return all
}

// decode takes a list for one of groups if its first element has options. A value that is only a string is its own name.
func (v *SessionConfigSelectOptions) decode(d *decoder) {
	*v = SessionConfigSelectOptions{}
	ahead := decoder{data: d.data, pos: d.pos}
	if ahead.array() && ahead.holds("options") {
		d.value(&v.Grouped)
		return
	}
	v.Ungrouped = []SessionConfigSelectOption{}
	for ok := d.array(); ok; ok = d.element() {
		var one SessionConfigSelectOption
		if d.peek() == '"' && !d.strict {
			one.Name = d.text()
			one.Value = SessionConfigValueID(one.Name)
		} else {
			d.value(&one)
		}
		v.Ungrouped = append(v.Ungrouped, one)
	}
}

func (v *SessionConfigSelectOptions) encode(e *encoder) {
	if v.Grouped != nil {
		e.value(&v.Grouped)
		return
	}
	e.value(&v.Ungrouped)
}

// SetSessionConfigOptionRequest is the wish to set an option (ACP v1 session/set_config_option).
type SetSessionConfigOptionRequest struct {
	SessionID SessionID
	ConfigID  SessionConfigID
	Value     SessionConfigValue
	Meta      jsontext.Value
	Extra     jsontext.Value
}

// SessionConfigValue is the value that an option is set to (ACP v1 session/set_config_option).
//
// One of SessionConfigValueID or SessionConfigValueBoolean.
type SessionConfigValue interface{ isSessionConfigValue() }

// SessionConfigValueBoolean is the value of an option that is on or off (ACP v1 session/set_config_option).
type SessionConfigValueBoolean bool

func (SessionConfigValueID) isSessionConfigValue()      {}
func (SessionConfigValueBoolean) isSessionConfigValue() {}

// setConfigOption is a SetSessionConfigOptionRequest as it is on the wire. The type is written for a boolean, and read
// from the value itself.
type setConfigOption struct {
	SessionID SessionID         `json:"sessionId"`
	ConfigID  SessionConfigID   `json:"configId" acp:"also=optionId|id|key"`
	Type      jsontext.Value    `json:"type,omitempty"`
	Value     configOptionValue `json:"value"`
	Meta      jsontext.Value    `json:"_meta,omitempty"`
	Extra     jsontext.Value    `json:",unknown"`
}

type configOptionValue struct{ SessionConfigValue }

func (v *configOptionValue) decode(d *decoder) {
	if c := d.peek(); c == 't' || c == 'f' {
		v.SessionConfigValue = SessionConfigValueBoolean(d.boolean())
		return
	}
	v.SessionConfigValue = SessionConfigValueID(d.text())
}

func (v *configOptionValue) encode(e *encoder) {
	switch value := v.SessionConfigValue.(type) {
	case SessionConfigValueID:
		e.string(string(value))
	case SessionConfigValueBoolean:
		e.value(&value)
	default:
		e.nilUnion("SessionConfigValue")
	}
}

func (v *SetSessionConfigOptionRequest) decode(d *decoder) {
	var w setConfigOption
	d.value(&w)
	*v = SetSessionConfigOptionRequest{w.SessionID, w.ConfigID, w.Value.SessionConfigValue, w.Meta, w.Extra}
	if v.ConfigID == "" {
		d.missing("configId")
	}
}

func (v *SetSessionConfigOptionRequest) encode(e *encoder) {
	w := setConfigOption{SessionID: v.SessionID, ConfigID: v.ConfigID, Value: configOptionValue{v.Value}, Meta: v.Meta, Extra: v.Extra}
	if _, ok := v.Value.(SessionConfigValueBoolean); ok {
		w.Type = jsontext.Value(`"boolean"`)
	}
	e.value(&w)
}

// MarshalJSON writes v as [Marshal] does.
func (v SetSessionConfigOptionRequest) MarshalJSON() ([]byte, error) { return marshal(&v) }

// UnmarshalJSON reads v as [Unmarshal] does.
func (v *SetSessionConfigOptionRequest) UnmarshalJSON(data []byte) error { return unmarshal(data, v) }
