// Package terminalproxy runs the commands of an agent: ACP's terminal/* on [Runner], and on top of it the
// shell tools bash, read_bash, stop_bash and list_bash on [Shells].
//
// It promises what the user and an agent need to rely on, and leaves the question whether a command may run at
// all to its caller.
//
// What stays true:
//
//   - A command and everything it starts die with [Terminal.Release], with [Runner.CloseSession], with the
//     Runner and, through the guardian, with the bridge.
//   - The end of a command is told when the command ends, not when the last background process lets go of
//     its output. What the command wrote before its end is then in the buffer.
//   - Every call has exactly one outcome, in whatever order exit, kill, release, cancel and close come.
//   - Output is text: valid UTF-8, decoded as it comes, never cut inside a character. Escape sequences in it are
//     the command's; the code that shows it to the user filters them (internal/escape).
//   - Memory for output is bounded by the terminal's limit, however much is printed and however slowly the
//     consumer of live output takes it.
//   - A command gets /dev/null to read, one pipe for both outputs (a pseudo-terminal with [Config.TTY]), and the
//     user's environment without the credentials in it.
package terminalproxy
