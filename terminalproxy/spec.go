package terminalproxy

import (
	"fmt"
	"time"
)

// EnvVar is one environment variable, as ACP spells it.
type EnvVar struct{ Name, Value string }

// Spec is ACP's terminal/create.
type Spec struct {
	Session string
	Command string
	Args    []string
	// Env is added to the environment; of two entries with one name the last one counts.
	Env []EnvVar
	// Cwd is absolute; "" is SessionCwd, the folder of the session.
	Cwd, SessionCwd string
	// Limit is the most bytes of output that are kept, nil for [DefaultOutputLimit]; more than
	// [MaxOutputLimit] is that, 0 keeps nothing.
	Limit *uint64
	// Shell says that Command is a line for the shell. Without it, a Command without Args that cannot be a
	// program's name is taken for one too (claude-code-acp sends whole lines).
	Shell bool
	// Program says that Command is the name of a program, whatever characters it has. See [Spec.Settled].
	Program bool
}

// Exit is ACP's TerminalExitStatus: a code, or the name of the signal that ended the command ("SIGKILL").
type Exit struct {
	Code   *uint32
	Signal *string
}

func (e Exit) String() string {
	switch {
	case e.Signal != nil:
		return *e.Signal
	case e.Code != nil:
		return fmt.Sprintf("exit code %d", *e.Code)
	}
	return "unknown"
}

// Output is what a terminal has written so far. Exit is nil while the command runs.
type Output struct {
	Text      string // at most the terminal's limit in bytes, valid UTF-8: bytes that are not are U+FFFD
	Truncated bool   // the beginning is missing
	Exit      *Exit
}

// OutputEvent is a piece of live output. The events of one terminal come in order, one at a time; those of two
// terminals may come at once. Exit is set in the last one only; what a background process writes after it is in the
// terminal's Output and not told.
type OutputEvent struct {
	Session, ID string
	Data        string
	Truncated   bool // output is missing between the event before and this one
	Exit        *Exit

	// Command and Args are those of the Spec, in the last event only: the terminal may be released by then.
	Command string
	Args    []string
}

// Info describes a terminal for a list.
type Info struct {
	ID, Session string
	Command     string // as the agent gave it
	Args        []string
	Cwd         string
	PID         int
	Started     time.Time
	Exit        *Exit  // nil while the command runs
	Shell       string // the shellId, if a shell tool runs the command
	Description string // the model's own words for it, if a shell tool runs the command
}
