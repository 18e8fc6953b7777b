// Package session is a session with an agent and its turns, from the prompt that an editor gives to the end that it is told, and what
// serves the agent meanwhile.
//
// It promises four things. One turn at a time runs in a session, a second prompt waits. Whatever the agent sends reaches the editor in
// order, complete, and without the agent's read loop ever waiting for the editor. Everything the agent reads, writes or runs through the
// bridge passes the permission rules first and the review book afterwards. Every question, call and child process ends with the turn,
// the session or the bridge that owns it.
//
// It leaves to others the order on the wire (bridge/wire), what was said (bridge/conversation), what is allowed (bridge/permission),
// what is done for an agent (bridge/host), what its tool calls are (bridge/calls), agent processes (bridge/agents), and what can be
// undone (bridge/review, bridge/tracking).
//
// Where things are: what goes in and out of a session's state is in inputs.go, how it moves in state.go, state_agent.go (the agent that
// has it), queue.go, steer.go, update.go (what the agent says) and plan_mode.go; session.go carries the effects out, turn.go a turn,
// serve*.go and host*.go what the agent asks for, arrival.go what it sends; open.go, editor_session.go and load.go begin a
// session, load.go one of an earlier run; agent_session.go makes it known to an agent, put_back.go sets the modes and options that it had;
// brought.go asks about what the workspace brings along, ask_order.go puts questions in the order of the calls.
//
// Each session has a goroutine ([Session.run]). It takes inputs from an inbox into which any goroutine puts and never waits, has
// [state.step] change the state, publishes a copy of what others may know of it, and carries out the effects that step returned; what
// takes time it gives to goroutines that the session owns, which report back as inputs.
//
// The rules that must stay true:
//
//   - all that changes in a session is in its [state], changed by step on that goroutine, or in the type of another room that the
//     session owns; there is no lock but the one around the published copy (internal/imports holds it);
//   - step is pure but for the state: it waits for nobody and calls nobody;
//   - the end of a turn travels in the same queue as its updates;
//   - an effect that must reach an agent or a disk has a context of its own with a limit, not the session's;
//   - no answer, an error, a timeout or a panic on the way to a permission means no.
package session
