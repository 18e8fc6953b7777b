// Package acpfront is the editor side in ACP v1: the bridge as the agent of an editor that speaks the agent's own
// protocol.
//
// It passes on whatever it does not know, in both directions, byte for byte but for the session ids that a crash has made
// differ, and in the order of the wire. What it adds: the editor's files reach agents that do not ask for them, what the
// agent changes or runs passes the permission rules, prompts queue, an agent that dies comes back.
//
// Three rules must stay true. The goroutine that reads from the editor never waits for the agent, and the other way
// round. What one side said is passed on in the order in which it said it; see [Server.nextInOrder] and [bridge.Bridge.InTurn].
// Every request of the editor gets one answer.
package acpfront
