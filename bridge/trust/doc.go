// Package trust is about trust in a version of an agent: does it ask before it changes a file or runs a command, and are its
// own tools off when it is told so. Builds of Copilot CLI have done neither (1.0.81-2 until 1.0.83, and those before 1.0.60).
//
// It promises a verdict on each version that could be looked at, kept for good ([Judge]): from a trial, else from the table
// of versions, else from the first edit of a turn in which nothing changed without approval ([Approvals]). A [Trial] is two
// conversations of two prompts in a folder made for them, with a model that is a script in this process: no token is spent,
// nothing of the user's is read or sent, every question is answered with a no. What counts is what is on the disk afterwards,
// and what was asked before. Whoever uses an agent that fails is told so, in one sentence.
//
// It leaves to others what follows from a verdict (bridge/policy: then everything asks), what changed in a turn
// (bridge/workspace), and the model (acp/acptest/model). It does not know a session or an editor.
//
// Methods of a Judge and of Approvals may be called on any goroutine and never wait for a trial. A trial runs on one
// goroutine, which [Config].Go owns and the end of [Config].Life ends.
//
// The rules that must stay true:
//
//   - The user's own settings, credentials and provider are kept away from a trial: a home of its own for Copilot and an
//     environment of few variables.
//   - Run returns only when the agent, its children and the model have ended and the folder is gone.
//   - What could not be tried is an error, never a verdict: a verdict is kept for good, an error is tried again.
//   - A trial runs beside nothing else: a second Copilot would slow the user's own turn down.
package trust
