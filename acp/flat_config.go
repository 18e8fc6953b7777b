package acp

import "github.com/go-json-experiment/json/jsontext"

// SessionConfigOption is something about a session that the user can set (ACP v1 session config options). On the wire the
// members of the variant lie beside the others.
type SessionConfigOption struct {
	ID          SessionConfigID
	Name        string
	Description *string
	Category    *SessionConfigOptionCategory
	Variant     SessionConfigVariant
	Meta        jsontext.Value
	Extra       jsontext.Value
}

// SessionConfigVariant is the kind of an option with its value (ACP v1 session config options). The members of an unknown
// kind are in the Extra of the option; a client leaves out such an option.
//
// One of *SessionConfigSelect, *SessionConfigBoolean or *Unknown.
type SessionConfigVariant interface{ isSessionConfigVariant() }

// SessionConfigSelect is a choice of one (ACP v1 session config options).
type SessionConfigSelect struct {
	CurrentValue SessionConfigValueID
	Options      SessionConfigSelectOptions
}

// SessionConfigBoolean is on or off (ACP v1 session config options).
type SessionConfigBoolean struct{ CurrentValue bool }

func (*SessionConfigSelect) isSessionConfigVariant()  {}
func (*SessionConfigBoolean) isSessionConfigVariant() {}
func (*Unknown) isSessionConfigVariant()              {}

func (v *SessionConfigOption) decode(d *decoder) {
	*v = SessionConfigOption{}
	tag, found := d.tag("type")
	kind := string(tag)
	if !found && d.peek() == '{' {
		d.missing("type")
		return
	}
	var choice SessionConfigSelect
	var toggle SessionConfigBoolean
	var id, name, current, options bool
	for ok := d.open(); ok; ok = d.next() {
		member := string(d.name)
		switch {
		case member == "id", member == "configId" && !d.strict && !id:
			id = true
			decodeString(&v.ID, d)
		case member == "name":
			name = true
			decodeString(&v.Name, d)
		case member == "description":
			at := d.pos
			if !d.null() {
				decodeNew(d, &v.Description, decodeString[string])
			}
			if d.forgive(at) {
				v.Description = nil
			}
		case member == "category":
			at := d.pos
			if !d.null() {
				decodeNew(d, &v.Category, decodeString[SessionConfigOptionCategory])
			}
			if d.forgive(at) {
				v.Category = nil
			}
		case member == "type":
			d.skip()
		case member == "currentValue" && kind == "select":
			current = true
			decodeString(&choice.CurrentValue, d)
		case member == "currentValue" && kind == "boolean":
			current = true
			decodeBool(&toggle.CurrentValue, d)
		case member == "options" && kind == "select":
			options = true
			choice.Options.decode(d)
		case member == "_meta":
			decodeRaw(&v.Meta, d)
		default:
			d.extra(&v.Extra, "id name description category type currentValue options _meta")
		}
	}
	known := kind == "select" || kind == "boolean"
	switch {
	case !id:
		d.missing("id")
	case !name:
		d.missing("name")
	case known && !current:
		d.missing("currentValue")
	case kind == "select" && !options:
		d.missing("options")
	}
	switch kind {
	case "select":
		v.Variant = &choice
	case "boolean":
		v.Variant = &toggle
	default:
		v.Variant = &Unknown{Kind: kind}
	}
}

func (v *SessionConfigOption) encode(e *encoder) {
	e.open()
	e.member(`"id":`)
	e.string(string(v.ID))
	e.member(`"name":`)
	e.string(v.Name)
	if v.Description != nil {
		e.member(`"description":`)
		e.string(*v.Description)
	}
	if v.Category != nil {
		e.member(`"category":`)
		e.string(string(*v.Category))
	}
	switch variant := v.Variant.(type) {
	case *SessionConfigSelect:
		e.member(`"type":"select","currentValue":`)
		e.string(string(variant.CurrentValue))
		e.member(`"options":`)
		variant.Options.encode(e)
	case *SessionConfigBoolean:
		e.member(`"type":"boolean","currentValue":`)
		encodeBool(&variant.CurrentValue, e)
	case *Unknown:
		e.member(`"type":`)
		e.string(variant.Kind)
	default:
		e.nilUnion("SessionConfigVariant")
	}
	e.optional(`"_meta":`, v.Meta)
	e.extra(v.Extra)
	e.close()
}

// MarshalJSON writes v as [Marshal] does.
func (v SessionConfigOption) MarshalJSON() ([]byte, error) { return marshal(&v) }

// UnmarshalJSON reads v as [Unmarshal] does.
func (v *SessionConfigOption) UnmarshalJSON(data []byte) error { return unmarshal(data, v, false) }

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

func (v *SessionConfigSelectOptions) decode(d *decoder) {
	*v = SessionConfigSelectOptions{}
	ahead := decoder{data: d.data, pos: d.pos}
	grouped := false
	if ahead.array() {
		for ok := ahead.open(); ok; ok = ahead.next() {
			grouped = grouped || string(ahead.name) == "options"
			ahead.skip()
		}
	}
	if grouped {
		decodeSlice(d, &v.Grouped, (*SessionConfigSelectGroup).decode)
		return
	}
	decodeSlice(d, &v.Ungrouped, (*SessionConfigSelectOption).decodeLoose)
}

func (v *SessionConfigSelectOptions) encode(e *encoder) {
	if v.Grouped != nil {
		encodeSlice(e, v.Grouped, (*SessionConfigSelectGroup).encode)
		return
	}
	encodeSlice(e, v.Ungrouped, (*SessionConfigSelectOption).encode)
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

func (v *SetSessionConfigOptionRequest) decode(d *decoder) {
	*v = SetSessionConfigOptionRequest{}
	var session, config bool
	for ok := d.open(); ok; ok = d.next() {
		switch string(d.name) {
		case "sessionId":
			session = true
			decodeString(&v.SessionID, d)
		case "configId":
			config = true
			decodeString(&v.ConfigID, d)
		case "value":
			if c := d.peek(); c == 't' || c == 'f' {
				var on bool
				decodeBool(&on, d)
				v.Value = SessionConfigValueBoolean(on)
				break
			}
			var id SessionConfigValueID
			decodeString(&id, d)
			v.Value = id
		case "type":
			d.skip() // the value says it
		case "_meta":
			decodeRaw(&v.Meta, d)
		case "optionId", "id", "key": // seen instead of configId
			if !d.strict && !config {
				decodeString(&v.ConfigID, d)
				break
			}
			fallthrough
		default:
			d.extra(&v.Extra, "sessionId configId type value _meta")
		}
	}
	switch {
	case !session:
		d.missing("sessionId")
	case v.ConfigID == "":
		d.missing("configId")
	case v.Value == nil:
		d.missing("value")
	}
}

func (v *SetSessionConfigOptionRequest) encode(e *encoder) {
	e.open()
	e.member(`"sessionId":`)
	e.string(string(v.SessionID))
	e.member(`"configId":`)
	e.string(string(v.ConfigID))
	switch value := v.Value.(type) {
	case SessionConfigValueID:
		e.member(`"value":`)
		e.string(string(value))
	case SessionConfigValueBoolean:
		e.member(`"type":"boolean","value":`)
		encodeBool((*bool)(&value), e)
	default:
		e.nilUnion("SessionConfigValue")
	}
	e.optional(`"_meta":`, v.Meta)
	e.extra(v.Extra)
	e.close()
}

// MarshalJSON writes v as [Marshal] does.
func (v SetSessionConfigOptionRequest) MarshalJSON() ([]byte, error) { return marshal(&v) }

// UnmarshalJSON reads v as [Unmarshal] does.
func (v *SetSessionConfigOptionRequest) UnmarshalJSON(data []byte) error {
	return unmarshal(data, v, false)
}
