// Package agents runs the agents of one bridge: a [Pool] of agent processes by the set of MCP servers that they are started
// with, a supervisor for each set, and a driver for each kind of agent.
//
// It promises four things. There is at most one process, and one start under way, for a set of servers, and sets start,
// crash and are started again independently of each other. A process that is given to somebody has shaken hands and has the
// editor tools if it is to have them; one whose connection has ended is given to nobody. What a process sends is told in the
// order of the wire, and its end after all of it ([Attendant], [Receiver]). No other way of talking to a program is taken
// without asking the user.
//
// It leaves to others: the wire and the process itself (acp, acp/agent), what is particular to Copilot CLI (acp/copilot), the
// call of a program for each turn (bridge/transcript), the socket of the editor tools (bridge/tools) and what they do, and
// all that sessions are. It knows a session as the agent's id for it and a [Receiver].
//
// # Drivers
//
// Which one starts a process is decided anew at each start ([Process.launch]):
//
//   - Copilot CLI: with the editor tools in the place of its own, and the stdio servers of the session on its command line,
//     because it drops those that a session brings;
//   - the transcript agent: a call of the program for each turn, where the user chose it or the program has no ACP server;
//   - any other ACP agent, a program or one inside this process: as it is. One that is known to ignore the client's files is
//     given the editor tools as a server of each session ([Process.WithTools]).
//
// # Goroutines
//
// A Pool and a [Process] may be used from any goroutine. A start runs on the goroutine of the first who needs the process, and
// ends with its context; others wait for it no longer than theirs. Message, Drained and Exited of a Process run on the
// goroutine that reads from the agent. What an end leaves to do runs on goroutines of the pool, which [Pool.Wait] waits for.
//
// # What must stay true
//
//   - the state of the pool is behind its one mutex, with which nothing is waited for and nobody outside is called;
//   - that an agent crashed is noted before anybody can see that it is gone, so that the next start is a restart;
//   - every process that has started is in the pool or is being closed;
//   - what came for a session before it was known is given to it before anything that comes after.
package agents
