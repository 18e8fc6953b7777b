package acp

import "github.com/go-json-experiment/json/jsontext"

// RequestID is the id of a JSON-RPC request as it is on the wire: a number, a string with its quotes, or null. A request is
// answered with the very same text.
type RequestID string

func (v *RequestID) decode(d *decoder) {
	switch c := d.peek(); {
	case c == '"', c == 'n', c == '-', c >= '0' && c <= '9':
		*v = RequestID(d.skip())
	default:
		d.want("a number, a string or null")
	}
}

func (v *RequestID) encode(e *encoder) { e.raw(jsontext.Value(*v)) }

// MarshalJSON writes the id as it came.
func (v RequestID) MarshalJSON() ([]byte, error) { return marshal(&v) }

// UnmarshalJSON keeps the id as it is.
func (v *RequestID) UnmarshalJSON(data []byte) error { return unmarshal(data, v) }

// ElicitationContentValue is the value of a field of a form (ACP v1 elicitation): a string, a number, a boolean or a list
// of strings, as JSON.
type ElicitationContentValue jsontext.Value

func (v *ElicitationContentValue) decode(d *decoder) {
	if c := d.peek(); c == '{' || c == 'n' {
		d.want("a string, a number, a boolean or a list of strings")
		return
	}
	*v = ElicitationContentValue(d.raw())
}

func (v *ElicitationContentValue) encode(e *encoder) { e.raw(jsontext.Value(*v)) }
