// Package permission is the way from a request of an agent's to a decision: may this file be read, this text be written, this
// command be run, this tool of the agent's own do what it is about to do.
//
// # What it promises
//
// A request that passes a [Gate] is allowed, or refused with words for the model, or put to the user as a [Question] that shows
// what will happen: nothing in it is shortened, and what cannot be seen is said. A yes covers what was shown and nothing else: a
// [Grant] is made of whole texts or whole words, is good once, and ends with the turn. Every decision is in the log, with who made
// it and why. A path is judged by every name that the file has: links, hard links, what the files of git name. Whatever goes
// wrong on the way, a panic included, is a no.
//
// # What it leaves to others
//
// What the rules say of a request is policy's; what an agent's own tool call means is said by package meaning, which is pure. The
// session (package session) puts a question to the user, knows which tool call it belongs to and whether the agent has changed what
// it says of that meanwhile, and does what was allowed. It is given in as functions, see [Session]: this package knows no session,
// no editor and no agent process.
//
// # Goroutines
//
// An [Authority] is made once for a bridge, a Gate once for a session; both start nothing and need no end. Their methods are called
// on the goroutine of the request, many at a time, and block while the user thinks. A Gate has one mutex, around the turn with its
// grants, the level and the modes that hold, which is never held while something is asked, read or called. A [PlanHold] belongs to the
// session's goroutine and has no lock; a [Reading] belongs to the call of the tool that made it.
//
// # What must stay true
//
//   - Only [ChangeGrant] and the gate make a grant, and nothing is written or run without one (internal/imports guards that).
//   - A decision and its question are made from one reading of the request: what is asked about again is read again.
//   - After a yes the target is looked at once more: its name may have come to mean another file.
//   - An allow_always never reaches the agent, and a file's text never reaches the log.
//   - What the agent says of its modes never frees it from asking, and never ends plan mode: only the user does.
package permission
