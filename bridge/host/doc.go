// Package host is what an agent may ask for: files, searches, commands, what the editor knows of them. The editor tools (MCP) and
// the client methods of ACP are two thin wires in package bridge onto the functions of a [Service].
//
// # What it promises
//
// Nothing is read for the model, written or run but after the session's [permission.Gate] has let it through, under the name that
// was asked about. A search shows what the disk holds and what open buffers are to become, leaves out the files that would
// have to be asked about one by one, and says how many. It ends with the context of its call, whatever its expression is.
// An error is a text that the model can act on.
//
// # What it leaves to others
//
// Whether a request is allowed is decided in bridge/permission. Bytes on disk and in buffers are fsproxy's, the forms of the tools'
// answers are bridge/tools'. It knows no session, no turn and no connection: which call of an agent a tool belongs to,
// and when it ends, is known to who calls it.
//
// # Goroutines
//
// A [Host] is made once for a bridge, a [Service] once for a session; both start nothing. Their methods are called on the
// goroutine of the request, many at a time, and wait for the user where the gate does. A search belongs to the call that began it.
//
// # What must stay true
//
//   - Each function that comes by the text of a file asks the gate about that file (internal/imports guards that).
//   - What is left out of a search has no part in its answer, nor has whether there was anything to find in it.
package host
