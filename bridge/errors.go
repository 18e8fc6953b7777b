package bridge

import (
	"github.com/copilot-bridge/copilot-bridge/bridge/permission"
	"github.com/copilot-bridge/copilot-bridge/bridge/session"
)

// Error is a failure as an editor is told of it. Code is the JSON-RPC code of docs/dev/protocol.md.
type Error = session.Error

// The codes an editor may see.
const (
	CodeNotSignedIn      = session.CodeNotSignedIn
	CodeAgentUnavailable = session.CodeAgentUnavailable
	CodeSessionNotFound  = session.CodeSessionNotFound
	CodeTurnInProgress   = session.CodeTurnInProgress
	CodeStaleHunk        = session.CodeStaleHunk
	CodeDenied           = session.CodeDenied
	CodeInvalidParams    = session.CodeInvalidParams
	CodeInternal         = session.CodeInternal
)

// Refusal is a tool call the bridge did not carry out because the rules or the user said no.
type Refusal = permission.Refusal
