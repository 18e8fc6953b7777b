// Package wire is the order in which an editor is shown things, and what must be known in that order.
//
// It promises that nothing is dropped and nothing overtakes: a place is taken when a message arrives from an agent, on the
// goroutine that reads it ([Outbox.Reserve]), and filled when it is known what is shown there, from any goroutine; what has no
// message behind it takes a place and fills it ([Outbox.Push]). A place is always filled or given up: an owner that may fail
// fills it in a defer, and a request of the agent keeps it for [Reservation.Lend] at most.
//
// It leaves to others what is shown (bridge/session), what becomes of it (bridge/conversation) and the bytes (acp).
//
// Adding never waits. One goroutine shows, in [Outbox.Run], and with it, while nothing waits, the goroutine that reads from the
// agent ([Outbox.ShowNow]); the two never show at the same time. A [Routing] is changed where the order of the wire is known, and
// read for every message. All methods may be called on any goroutine.
package wire
