// Package calls is what must be known of an agent's tool calls: which are open, which of them run one of our editor tools, what
// those add to what the editor is shown, and whether the agent says something else of a call while the user is asked about it.
//
// It promises that a call of one of our tools is tied to the tool call that announces it, whichever is seen first ([Table.Add],
// [Table.Learn]), that each open call is given back once ([Table.TakeOpen]), and that what is kept is bounded.
//
// It leaves to others what is allowed (bridge/permission), what is done (bridge/host) and what is shown (bridge/session).
//
// A [Table] belongs to the state of a session and is changed on its goroutine only. It has no lock and waits for nobody; only
// [Use.Await] may be called on another goroutine.
package calls
