package tools

import (
	"fmt"
	"strings"
	"time"
)

// Ran answers bash and read_bash for a command that has ended. Copilot's tool trims blank space around the output.
func Ran(output, shellID string, exitCode int) string {
	return fmt.Sprintf("%s\n<shellId: %s completed with exit code %d>", strings.TrimSpace(output), shellID, exitCode)
}

// BashStillRunning answers a bash call whose command outlived its initial_wait. The built-in tool promises a
// notification when the command ends; the editor tools have no way to send one, so the model is told to ask.
func BashStillRunning(output, shellID string, waited time.Duration) string {
	return StillRunning(output, shellID, waited)
}

// StillRunning answers read_bash for a command that goes on.
func StillRunning(output, shellID string, waited time.Duration) string {
	return fmt.Sprintf("%s\n<command with shellId: %s is still running after %d seconds. The command is still running. Use read_bash to continue waiting for output, or stop_bash to stop it.>",
		strings.TrimSpace(output), shellID, int(waited.Round(time.Second)/time.Second))
}

// Started answers bash in async mode.
func Started(shellID string, detached bool) string {
	where := "background"
	if detached {
		where = "detached background"
	}
	return fmt.Sprintf("<command started in %s with shellId: %s>", where, shellID)
}

// Busy answers bash for a shell whose last command still runs.
func Busy(shellID string) string {
	return "<command with shellId: " + shellID + " is already running, wait for output with read_bash, stop it with stop_bash tool>"
}

// Stopped answers stop_bash, also for a shell that is not there: it is not running, which is what was asked for.
func Stopped(shellID string) string { return "<command with id: " + shellID + " stopped>" }

// NoCommand answers bash with an empty command.
func NoCommand() string { return "No command provided. Please supply a valid command to execute." }

// NoShell answers read_bash for a shell that was never there. shells is [ListShells] of those that are.
func NoShell(shellID, shells string) string {
	return "shellId: " + shellID + " not found or was never created. Please supply a valid shell ID.\n\n" + shells
}

// ShellStopped answers read_bash for a shell that stop_bash has ended.
func ShellStopped(shellID, shells string) string {
	return "shellId: " + shellID + " was already stopped via stop_bash.\n\n" + shells
}

// ShellGone answers read_bash for a shell whose command has ended and whose output has been read.
func ShellGone(shellID, shells string) string {
	return "shellId: " + shellID + " was reclaimed and is no longer available.\n\n" + shells
}

// Shell is a line of list_bash.
type Shell struct {
	ID       string
	PID      int
	Mode     BashMode
	Status   string // "running", "completed (exit code: 0)", "cancelled"
	Elapsed  time.Duration
	Commands int
	Unread   bool
	Command  string
}

// ListShells answers list_bash.
func ListShells(shells []Shell) string {
	if len(shells) == 0 {
		return "<no active shell sessions>"
	}
	var b strings.Builder
	b.WriteString("Active shell sessions:")
	for _, s := range shells {
		unread := "no"
		if s.Unread {
			unread = "yes"
		}
		fmt.Fprintf(&b, "\n  shellId: %s, pid: %d, mode: %s, status: %s, elapsed: %ds, commands: %d, unread output: %s\n    current command: %s",
			s.ID, s.PID, s.Mode, s.Status, int(s.Elapsed/time.Second), s.Commands, unread, s.Command)
	}
	return b.String()
}
