package acp

import "github.com/go-json-experiment/json/jsontext"

// CreateElicitationRequest is a question of the agent to the user (ACP v1 elicitation/create). On the wire the members of
// the mode and of the scope lie beside the message.
type CreateElicitationRequest struct {
	Message string           `json:"message"`
	Mode    ElicitationMode  `acp:"inline"`
	Scope   ElicitationScope `acp:"inline"`
	Meta    jsontext.Value   `json:"_meta,omitempty"`
	Extra   jsontext.Value   `json:",unknown"`
}

// ElicitationMode is how a question is asked (ACP v1 elicitation). The members of an unknown mode are in the Extra of the
// request.
//
// One of *ElicitationFormMode, *ElicitationURLMode or *Unknown.
type ElicitationMode interface{ isElicitationMode() }

// ElicitationFormMode asks for the fields of a form (ACP v1 elicitation).
type ElicitationFormMode struct {
	RequestedSchema ElicitationSchema `json:"requestedSchema"`
}

// ElicitationURLMode asks the user to go to a URL (ACP v1 elicitation).
type ElicitationURLMode struct {
	ElicitationID ElicitationID `json:"elicitationId"`
	URL           string        `json:"url"`
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
	SessionID  SessionID   `json:"sessionId"`
	ToolCallID *ToolCallID `json:"toolCallId,omitempty" acp:"lenient"`
}

// ElicitationRequestScope is the scope of a question that a request outside a session raised (ACP v1 elicitation).
type ElicitationRequestScope struct {
	RequestID RequestID `json:"requestId"`
}

func (*ElicitationSessionScope) isElicitationScope() {}
func (*ElicitationRequestScope) isElicitationScope() {}

// MarshalJSON writes v as [Marshal] does.
func (v CreateElicitationRequest) MarshalJSON() ([]byte, error) { return marshal(&v) }

// UnmarshalJSON reads v as [Unmarshal] does.
func (v *CreateElicitationRequest) UnmarshalJSON(data []byte) error { return unmarshal(data, v) }

// CreateElicitationResponse is the user's answer to a question (ACP v1 elicitation/create).
type CreateElicitationResponse struct {
	Action ElicitationAction `acp:"inline"`
	Meta   jsontext.Value    `json:"_meta,omitempty"`
	Extra  jsontext.Value    `json:",unknown"`
}

// ElicitationAction is what the user did with a question (ACP v1 elicitation). The members of an unknown action are in the
// Extra of the response.
//
// One of *ElicitationAcceptAction, *ElicitationDeclineAction, *ElicitationCancelAction or *Unknown.
type ElicitationAction interface{ isElicitationAction() }

// ElicitationAcceptAction is a question answered (ACP v1 elicitation). For a URL it means consent to go there.
type ElicitationAcceptAction struct {
	Content map[string]ElicitationContentValue `json:"content,omitempty"` // by the names of the form's fields; nil for a URL
}

// ElicitationDeclineAction is a question that the user does not want to answer (ACP v1 elicitation).
type ElicitationDeclineAction struct{}

// ElicitationCancelAction is a question that was put away without an answer (ACP v1 elicitation).
type ElicitationCancelAction struct{}

func (*ElicitationAcceptAction) isElicitationAction()  {}
func (*ElicitationDeclineAction) isElicitationAction() {}
func (*ElicitationCancelAction) isElicitationAction()  {}
func (*Unknown) isElicitationAction()                  {}

// MarshalJSON writes v as [Marshal] does.
func (v CreateElicitationResponse) MarshalJSON() ([]byte, error) { return marshal(&v) }

// UnmarshalJSON reads v as [Unmarshal] does.
func (v *CreateElicitationResponse) UnmarshalJSON(data []byte) error { return unmarshal(data, v) }
