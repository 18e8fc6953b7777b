// Package transcript is the agent for a program without ACP: one call of `copilot -p` a turn. It implements the
// bridge's Agent port, so that an editor sees the same session, updates and events as with ACP.
//
// Where the program has sessions of its own, a turn resumes them and sends the new message only. Where it has not, or
// has lost one, what was said so far goes before the message: pruned to the newest turns, summed up when the context
// fills (compaction), and cut for one request when even that does not fit (truncation). docs/dev/transcript.md has the
// figures.
//
// What was said is the bridge's to keep. For each turn it is read from there, through [Conversation], and put into the words
// that the model is told it in ([history.add]). What is kept beside it is small and the agent's own ([state]): which session
// of the program's holds how much of it, and which summary stands for its beginning. The same conversation and the same
// state make the same request again, in another run too.
//
// How the program is run and what it prints is package program's.
//
// # Goroutines
//
// A session has one turn at a time, on the goroutine of its Prompt, and beside it at most one summary, on one that the
// agent waits for when it is closed. Its state is changed by [session.change] only.
//
// Rules that must stay true:
//
//   - the newest message and the summary are in every request, whatever has to go;
//   - a summary replaces nothing before it is there and not empty;
//   - what depends on the state is not done before it is kept;
//   - the program is given no permission but for the editor tools, where the bridge asks;
//   - when a turn is over nothing of its process tree is left.
package transcript
