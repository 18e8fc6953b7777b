// Package tools is the MCP server "editor": the road by which an agent that reads and writes the disk itself, as
// Copilot CLI does, comes to the editor's buffers and to the bridge's terminals instead.
//
// The agent starts `copilot-bridge mcp` as a stdio server, one process a session; that process is [Pipe], which does
// nothing but copy bytes to the bridge's private socket, where [Server] speaks MCP and calls a [Host].
//
// What holds everywhere:
//   - Nobody but the user's own processes that hold an unused token get a connection, and no secret is on a command line.
//   - A connection belongs to one agent session, and every call says which ([Caller]).
//   - Arguments are decoded once, strictly, and only the decoded value is handed on.
//   - No result is longer than [MaxResult]; it is enforced in one place for all tools.
//   - Whatever goes wrong inside a call, a panic too, is a tool error that the model reads; the connection lives on.
//
// What the tools do is the Host's matter. The texts they should answer with are in texts*.go.
package tools
