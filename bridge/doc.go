// Package bridge is the door to the heart of copilot-bridge: what a front needs to know of it, and nothing that does anything.
//
// It has the two ports, [Editor], which a front implements, and [Agent], which a running agent implements; the events that an editor
// is shown, the errors with their codes, [Config], and [New] and [Bridge.Close], which make the rooms and end them in order. The verbs
// of a [Bridge] are those of the rooms that it embeds: sessions and turns (bridge/session), the review of what was changed
// (bridge/tracking). Types that a room declares have their names here.
//
// It leaves all else to the rooms. It has no goroutine of its own but those that it starts for them, and waits for, in Close.
//
// The rules that must stay true:
//
//   - a room never knows this package, and a front knows no room where this package has a name for what it needs;
//   - a room is made before what calls it by itself, and ended after it.
package bridge
