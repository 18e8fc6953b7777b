// Package transcript is the agent for a program without ACP: one call of `copilot -p` a turn. It implements the
// bridge's Agent port, so that an editor sees the same session, updates and events as with ACP.
//
// Where the program has sessions of its own, a turn resumes them and sends the new message only. Where it has not, or
// has lost one, what was said so far goes before the message: pruned to the newest turns, summed up when the context
// fills (compaction), and cut for one request when even that does not fit (truncation). docs/transcript.md has the
// figures.
//
// What is said in a session is a log of entries. [conversation.apply] is the only function that changes a conversation,
// and it is given what is logged: reading the log back makes the same conversation, and the same prompt, again.
//
// Rules that must stay true:
//
//   - the newest message and the summary are in every request, whatever has to go;
//   - a summary replaces nothing before it is there and not empty;
//   - the program is given no permission but for the editor tools, where the bridge asks;
//   - when a turn is over nothing of its process tree is left.
package transcript
