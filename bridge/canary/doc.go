// Package canary tries a version of Copilot CLI out before it is trusted: does it ask before it changes a file or runs a
// command, and are its own tools off when it is told so. Builds of it have done neither (1.0.81-2 until 1.0.83, and those
// before 1.0.60).
//
// A trial is a conversation of two prompts in a folder made for it, with a model that is a script in this process: no
// token is spent, nothing of the person's is read or sent, every question is answered with a no. What counts is what
// is on the disk afterwards, and what was asked before.
//
// The rules that must stay true:
//
//   - The person's own settings, credentials and provider are kept away from the trial: a home of its own for Copilot
//     and an environment of few variables.
//   - Run returns only when the agent, its children and the model have ended and the folder is gone.
//   - What could not be tried is an error, never a verdict: a verdict is kept for good, an error is tried again.
package canary
