// Package agent is a running agent: a program that speaks ACP on its standard
// streams, or one that listens on loopback, from its start to its end.
//
// It starts the program under a guardian, shakes hands, keeps its standard error,
// carries calls and updates, and tells exactly once how it ended. What stays true:
//
//   - Every failure to start is one [*StartError] with a sentence that the user
//     can act on, within a second, or after the handshake's time limit if the
//     program says nothing. Nothing is tried twice here.
//   - [Handler.Exited] comes once, after everything else the agent sent, and when
//     it comes nothing of the agent's process tree is left.
//   - The agent is never trusted to end: [Agent.Close] closes its input, asks,
//     and kills within four seconds.
//
// It does not know sessions, editors, or what Copilot does differently. When to
// start again is decided by the caller, who has [Supervisor] for it.
package agent
