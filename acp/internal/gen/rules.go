package main

// What the schema does not say.

// leftOut are definitions that get no Go type.
var leftOut = map[string]string{
	"AgentRequest": "envelope: Conn", "AgentResponse": "envelope: Conn", "AgentNotification": "envelope: Conn",
	"ClientRequest": "envelope: Conn", "ClientResponse": "envelope: Conn", "ClientNotification": "envelope: Conn",
	"Error": "error.go", "ErrorCode": "error.go",
	"ExtRequest": "any JSON", "ExtResponse": "any JSON", "ExtNotification": "any JSON",
}

// byHand are definitions whose Go is in config_option.go, elicitation.go, scalar.go and union.go: unions that share their object with the members around
// them, and unions told apart by the shape of a value. The fingerprint is of the definition that the code was written
// for; after a change of the schema the code is looked at first and the fingerprint second.
var byHand = map[string]string{
	"RequestId":                     "652b2c5b",
	"EmbeddedResourceResource":      "28d60ccd",
	"AvailableCommandInput":         "d97ae97b",
	"SessionConfigOption":           "2442b4ac",
	"SessionConfigSelect":           "cbc62c34",
	"SessionConfigBoolean":          "a13f4146",
	"SessionConfigSelectOptions":    "bf41b98b",
	"SetSessionConfigOptionRequest": "ad3f74bb",
	"CreateElicitationRequest":      "2fd07ee5",
	"CreateElicitationResponse":     "82693714",
	"ElicitationFormMode":           "e97d801b",
	"ElicitationUrlMode":            "8879f359",
	"ElicitationSessionScope":       "ea4c1beb",
	"ElicitationRequestScope":       "acfabec9",
	"ElicitationAcceptAction":       "2fca936e",
	"ElicitationContentValue":       "8bf23141",
}

// handUnions are those of byHand that are interfaces in Go.
var handUnions = map[string]bool{"EmbeddedResourceResource": true, "AvailableCommandInput": true}

// tags is the member that tells the variants apart where the schema has no discriminator.
var tags = map[string]string{"McpServer": "type", "AuthMethod": "type", "ElicitationPropertySchema": "type", "MultiSelectItems": "type"}

// unnamed are variants that the schema defines in place, and the definitions that take the place of an absent tag.
var (
	unnamed    = map[string]string{"RequestPermissionOutcome/cancelled": "CancelledPermissionOutcome"}
	defaultTag = map[string]string{"McpServer": "stdio", "AuthMethod": "agent", "MultiSelectItems": ""}
)

// nullable are members whose null is not the same as their absence.
var nullable = map[string]bool{
	"SessionInfoUpdate.title": true, "SessionInfoUpdate.updatedAt": true,
	"CompactionUpdate.summary": true, "CompactionUpdate.error": true,
}

// forgiven are members that are read as absent when they are wrong, although the schema does not mark them: agents send
// negative and textual line numbers, and an answer with the whole file is better than none.
var forgiven = map[string]bool{"ReadTextFileRequest.line": true, "ReadTextFileRequest.limit": true}

// also are other names that agents, clients and documents are known to use for a member, from where they were seen. Other
// spellings that need more than a name are in variants.go.
var also = map[string]string{
	"CurrentModeUpdate.currentModeId":      "modeId",            // the specification's page on session modes
	"Plan.entries":                         "steps",             // third-party descriptions of the plan
	"PlanEntry.content":                    "title|description", // the same
	"InitializeResponse.agentInfo":         "serverInfo|info",   // the first description of Copilot's ACP server, as MCP; version 2
	"InitializeResponse.agentCapabilities": "capabilities",      // the same
	"SetSessionModeResponse._meta":         "meta",              // schema 0.4.7, in this one place
	"AuthMethodAgent.id":                   "methodId",          // version 2
	"AuthMethodTerminal.id":                "methodId",          // version 2
	"SessionConfigSelectGroup.group":       "groupId",           // version 2
}

// instead are what a required member is that did not come: a step without them is better shown than left out.
var instead = map[string]string{"PlanEntry.priority": "medium", "PlanEntry.status": "pending"}
