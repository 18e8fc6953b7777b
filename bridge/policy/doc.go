// Package policy decides what an agent may do: allow, deny or ask the user.
//
// It is pure: it is given resolved paths, the exact argv and what else is known, and touches no file of the workspace.
// Rules come from the user only, from their configuration and from their remembered answers; a workspace has none.
//
// Three rules must stay true. A control file (one that changes what runs or what is asked) is never decided by an allow
// rule. A command is matched by its whole argv, never by a prefix. Whatever goes wrong on the way, a panic included, is
// a no with its reason.
package policy

// The names of the files that this package keeps in the folder of the bridge's state.
const (
	MemoryFile = "permissions.json" // remembered answers
	AuditFile  = "audit.jsonl"      // the log of decisions
)
