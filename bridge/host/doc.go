// Package host is what an agent may ask for: files, searches, commands, what the editor knows beside its texts. The editor tools
// (MCP) and the client methods of ACP both call the functions of a [Service]; package session ties them to it.
//
// # What it promises
//
// Nothing is read for the model, written or run but after the session's [permission.Gate] has let it through, under the name
// that was asked about; what is written is what was shown, and is in the review book before anything is touched. A search
// shows what the disk holds and what open buffers are to become, leaves out the files that would have to be asked about one by
// one, and says how many. What a command has changed on disk is in review, and in the open buffers, before the agent hears of
// the command's end. A request ends with its context, whatever the expression of a search is. An error is a text that the
// model can act on.
//
// # What it leaves to others
//
// Whether a request is allowed is decided in bridge/permission. Bytes on disk and in buffers are fsproxy's, processes are
// terminalproxy's, undo is review's, the forms of the tools' answers are bridge/tools'. It knows no session, no queue and no
// connection: which sessions there are, which call of an agent a tool belongs to, which turn that is, and what the editor is shown
// of it, is known to who calls it and given in as functions, see [Config], [Session] and [Call].
//
// # Goroutines
//
// A [Host] is made once for a bridge and closed with it, a [Service] once for a session. Their methods are called on the goroutine
// of the request, many at a time, and wait for the user where the gate does. The one goroutine that is started follows a command
// to its end, as a part of the session's work ([Session.Go]). A Host has a lock around the indexes and the counts of changes, a
// Service one around what is noted for the turn and its commands, here and in the editor's terminals;
// none is held while something is asked, read or called. Comparisons of the workspace wait for each other.
//
// # What must stay true
//
//   - Each function that comes by the text of a file for the model asks the gate about that file, and each that writes or starts
//     something has asked before (internal/imports guards both).
//   - What is left out of a search has no part in its answer, nor has whether there was anything to find in it.
//   - A change of a buffer that was not asked about is what a command, once allowed, has put on disk, or another bridge of the same
//     user has asked about.
//   - While a command may be changing files, nobody concludes from the disk who has changed it: see [Host.CommandsOut].
//   - Comparing what a command has changed lasts as long as the session, not as the request that began the command.
package host
