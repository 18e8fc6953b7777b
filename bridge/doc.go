// Package bridge is the heart of copilot-bridge: a session with an agent and its turns.
//
// It promises four things. One turn at a time runs in a session, a second prompt waits. Whatever the agent sends
// reaches the editor in order, complete, and without the agent's read loop ever waiting for the editor. Everything the
// agent reads, writes or runs through the bridge passes the permission rules first and the review book afterwards.
// Every question, call and child process ends with the turn, the session or the bridge that owns it.
//
// It leaves to others: wire formats (package acp and the fronts), bytes on disk and in buffers (fsproxy), processes
// (terminalproxy), what was said (bridge/conversation), what is allowed (bridge/permission), what can be undone
// (bridge/review).
//
// Two ports keep it free of wire formats: [Editor], which a front implements, and [Agent], which a running agent
// implements. Three rules must stay true:
//
//   - all mutable state of a session lives in one struct, [state], changed by one function, step, on one goroutine;
//   - the end of a turn travels in the same queue as its updates;
//   - no answer, an error, a timeout or a panic on the way to a permission means no.
package bridge
