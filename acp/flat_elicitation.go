package acp

import "github.com/go-json-experiment/json/jsontext"

// CreateElicitationRequest is a question of the agent to the user (ACP v1 elicitation/create). On the wire the members of
// the mode and of the scope lie beside the message.
type CreateElicitationRequest struct {
	Message string
	Mode    ElicitationMode
	Scope   ElicitationScope
	Meta    jsontext.Value
	Extra   jsontext.Value
}

// ElicitationMode is how a question is asked (ACP v1 elicitation). The members of an unknown mode are in the Extra of the
// request.
//
// One of *ElicitationFormMode, *ElicitationURLMode or *Unknown.
type ElicitationMode interface{ isElicitationMode() }

// ElicitationFormMode asks for the fields of a form (ACP v1 elicitation).
type ElicitationFormMode struct{ RequestedSchema ElicitationSchema }

// ElicitationURLMode asks the user to go to a URL (ACP v1 elicitation).
type ElicitationURLMode struct {
	ElicitationID ElicitationID
	URL           string
}

func (*ElicitationFormMode) isElicitationMode() {}
func (*ElicitationURLMode) isElicitationMode()  {}
func (*Unknown) isElicitationMode()             {}

// ElicitationScope is what a question belongs to (ACP v1 elicitation).
//
// One of *ElicitationSessionScope or *ElicitationRequestScope.
type ElicitationScope interface{ isElicitationScope() }

// ElicitationSessionScope is the scope of a question in a session (ACP v1 elicitation).
type ElicitationSessionScope struct {
	SessionID  SessionID
	ToolCallID *ToolCallID
}

// ElicitationRequestScope is the scope of a question that a request outside a session raised (ACP v1 elicitation).
type ElicitationRequestScope struct{ RequestID RequestID }

func (*ElicitationSessionScope) isElicitationScope() {}
func (*ElicitationRequestScope) isElicitationScope() {}

func (v *CreateElicitationRequest) decode(d *decoder) {
	*v = CreateElicitationRequest{}
	kind, found := d.tag("mode")
	mode := string(kind)
	if !found && d.err == nil && d.peek() == '{' {
		d.missing("mode")
		return
	}
	var form ElicitationFormMode
	var url ElicitationURLMode
	var session *ElicitationSessionScope
	var call *ToolCallID
	var request *ElicitationRequestScope
	var message, schema, id, address bool
	for ok := d.open(); ok; ok = d.next() {
		name := string(d.name)
		switch {
		case name == "message":
			message = true
			decodeString(&v.Message, d)
		case name == "mode":
			d.skip()
		case name == "requestedSchema" && mode == "form":
			schema = true
			form.RequestedSchema.decode(d)
		case name == "elicitationId" && mode == "url":
			id = true
			decodeString(&url.ElicitationID, d)
		case name == "url" && mode == "url":
			address = true
			decodeString(&url.URL, d)
		case name == "sessionId":
			session = new(ElicitationSessionScope)
			decodeString(&session.SessionID, d)
		case name == "toolCallId":
			at := d.pos
			if !d.null() {
				decodeNew(d, &call, decodeString[ToolCallID])
			}
			if d.forgive(at) {
				call = nil
			}
		case name == "requestId":
			request = new(ElicitationRequestScope)
			request.RequestID.decode(d)
		case name == "_meta":
			decodeRaw(&v.Meta, d)
		default:
			d.extra(&v.Extra, "message mode requestedSchema elicitationId url sessionId toolCallId requestId _meta")
		}
	}
	switch {
	case !message:
		d.missing("message")
	case mode == "form" && !schema:
		d.missing("requestedSchema")
	case mode == "url" && !id:
		d.missing("elicitationId")
	case mode == "url" && !address:
		d.missing("url")
	case session == nil && request == nil:
		d.missing("sessionId or requestId")
	}
	switch mode {
	case "form":
		v.Mode = &form
	case "url":
		v.Mode = &url
	default:
		v.Mode = &Unknown{Kind: mode}
	}
	if session != nil {
		session.ToolCallID = call
		v.Scope = session
	} else if request != nil {
		v.Scope = request
	}
}

func (v *CreateElicitationRequest) encode(e *encoder) {
	e.open()
	e.member(`"message":`)
	e.string(v.Message)
	switch mode := v.Mode.(type) {
	case *ElicitationFormMode:
		e.member(`"mode":"form","requestedSchema":`)
		mode.RequestedSchema.encode(e)
	case *ElicitationURLMode:
		e.member(`"mode":"url","elicitationId":`)
		e.string(string(mode.ElicitationID))
		e.member(`"url":`)
		e.string(mode.URL)
	case *Unknown:
		e.member(`"mode":`)
		e.string(mode.Kind)
	default:
		e.nilUnion("ElicitationMode")
	}
	switch scope := v.Scope.(type) {
	case *ElicitationSessionScope:
		e.member(`"sessionId":`)
		e.string(string(scope.SessionID))
		if scope.ToolCallID != nil {
			e.member(`"toolCallId":`)
			e.string(string(*scope.ToolCallID))
		}
	case *ElicitationRequestScope:
		e.member(`"requestId":`)
		scope.RequestID.encode(e)
	default:
		e.nilUnion("ElicitationScope")
	}
	e.optional(`"_meta":`, v.Meta)
	e.extra(v.Extra)
	e.close()
}

// MarshalJSON writes v as [Marshal] does.
func (v CreateElicitationRequest) MarshalJSON() ([]byte, error) { return marshal(&v) }

// UnmarshalJSON reads v as [Unmarshal] does.
func (v *CreateElicitationRequest) UnmarshalJSON(data []byte) error { return unmarshal(data, v, false) }

// CreateElicitationResponse is the user's answer to a question (ACP v1 elicitation/create).
type CreateElicitationResponse struct {
	Action ElicitationAction
	Meta   jsontext.Value
	Extra  jsontext.Value
}

// ElicitationAction is what the user did with a question (ACP v1 elicitation). The members of an unknown action are in the
// Extra of the response.
//
// One of *ElicitationAcceptAction, *ElicitationDeclineAction, *ElicitationCancelAction or *Unknown.
type ElicitationAction interface{ isElicitationAction() }

// ElicitationAcceptAction is a question answered (ACP v1 elicitation). For a URL it means consent to go there.
type ElicitationAcceptAction struct {
	Content map[string]ElicitationContentValue // by the names of the form's fields; nil for a URL
}

// ElicitationDeclineAction is a question that the user does not want to answer (ACP v1 elicitation).
type ElicitationDeclineAction struct{}

// ElicitationCancelAction is a question that was put away without an answer (ACP v1 elicitation).
type ElicitationCancelAction struct{}

func (*ElicitationAcceptAction) isElicitationAction()  {}
func (*ElicitationDeclineAction) isElicitationAction() {}
func (*ElicitationCancelAction) isElicitationAction()  {}
func (*Unknown) isElicitationAction()                  {}

func (v *CreateElicitationResponse) decode(d *decoder) {
	*v = CreateElicitationResponse{}
	kind, _ := d.tag("action")
	action := string(kind)
	var accept ElicitationAcceptAction
	seen := false
	for ok := d.open(); ok; ok = d.next() {
		name := string(d.name)
		switch {
		case name == "action":
			seen = true
			decodeString(&action, d)
		case name == "content" && action == "accept":
			if !d.null() {
				decodeMap(d, &accept.Content, (*ElicitationContentValue).decode)
			}
		case name == "_meta":
			decodeRaw(&v.Meta, d)
		default:
			d.extra(&v.Extra, "action content _meta")
		}
	}
	if !seen {
		d.missing("action")
	}
	switch action {
	case "accept":
		v.Action = &accept
	case "decline":
		v.Action = &ElicitationDeclineAction{}
	case "cancel":
		v.Action = &ElicitationCancelAction{}
	default:
		v.Action = &Unknown{Kind: action}
	}
}

func (v *CreateElicitationResponse) encode(e *encoder) {
	e.open()
	switch action := v.Action.(type) {
	case *ElicitationAcceptAction:
		e.member(`"action":"accept"`)
		if action.Content != nil {
			e.member(`"content":`)
			encodeMap(e, action.Content, (*ElicitationContentValue).encode)
		}
	case *ElicitationDeclineAction:
		e.member(`"action":"decline"`)
	case *ElicitationCancelAction:
		e.member(`"action":"cancel"`)
	case *Unknown:
		e.member(`"action":`)
		e.string(action.Kind)
	default:
		e.nilUnion("ElicitationAction")
	}
	e.optional(`"_meta":`, v.Meta)
	e.extra(v.Extra)
	e.close()
}

// MarshalJSON writes v as [Marshal] does.
func (v CreateElicitationResponse) MarshalJSON() ([]byte, error) { return marshal(&v) }

// UnmarshalJSON reads v as [Unmarshal] does.
func (v *CreateElicitationResponse) UnmarshalJSON(data []byte) error {
	return unmarshal(data, v, false)
}
