package agent

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/copilot-bridge/copilot-bridge/acp"
	"github.com/copilot-bridge/copilot-bridge/internal/escape"
	"github.com/copilot-bridge/copilot-bridge/internal/guard"
)

// StartKind is why an agent could not be started.
type StartKind string

// The kinds of a StartError.
const (
	NotFound      StartKind = "not found"      // there is no such program
	NotExecutable StartKind = "not executable" // there is, but it cannot be run
	BadDir        StartKind = "bad folder"     // the working folder is gone
	ExitedAtOnce  StartKind = "exited at once" // it ended before the handshake
	NotACP        StartKind = "not ACP"        // it runs, but speaks something else
	Timeout       StartKind = "timeout"        // it says nothing
	Version       StartKind = "version"        // it speaks another version of ACP
	Rejected      StartKind = "rejected"       // it refused the handshake with an error
	Unreachable   StartKind = "unreachable"    // nothing listens on the address
	NotOurs       StartKind = "not ours"       // the address, or who listens there, is not acceptable
	Cancelled     StartKind = "cancelled"      // our own context ended
	Failed        StartKind = "failed"         // the system could not do it
)

// StartError says that there is no agent, and why. Nothing runs any more.
type StartError struct {
	Kind   StartKind
	Name   string   // the program's name or the address
	Reason string   // what happened, as half a sentence after the name
	Hint   string   // what to do about it, "" if there is nothing to say
	Stderr []string // its last lines on standard error, cleaned
	Stdout []string // what it printed instead of speaking ACP, cleaned
	Err    error    // the cause, nil if there is none
}

func (e *StartError) Error() string {
	text := fmt.Sprintf("cannot start the agent %s: %s", e.Name, e.Reason)
	if e.Hint != "" {
		text += "; " + e.Hint
	}
	return text
}

func (e *StartError) Unwrap() error { return e.Err }

// Permanent reports whether trying again without a change is pointless.
func (e *StartError) Permanent() bool {
	switch e.Kind {
	case ExitedAtOnce, Timeout, Unreachable, Failed:
		return false
	}
	return true
}

const hintCommand = "check the agent's command and its arguments"

// notStarted is for a program that could not be executed at all.
func notStarted(name string, err error) *StartError {
	e := &StartError{Kind: Failed, Name: name, Reason: err.Error(), Err: err}
	var g *guard.StartError
	if !errors.As(err, &g) {
		return e
	}
	e.Reason = g.Reason
	switch g.Kind {
	case guard.NotFound:
		e.Kind, e.Hint = NotFound, "install it, or set the agent's command to its full path"
	case guard.NotExecutable:
		e.Kind, e.Hint = NotExecutable, "install it again, or set the agent's command to another program"
	case guard.BadDir:
		e.Kind, e.Hint = BadDir, "open a folder that exists"
	case guard.TooBig, guard.Invalid:
		e.Kind, e.Hint = NotExecutable, hintCommand
	}
	return e
}

// explain turns what a failed handshake left behind into its StartError. The
// agent has ended, or was ended, before it is called.
func (a *Agent) explain(ctx context.Context, err error) *StartError {
	e := &StartError{Kind: NotACP, Name: a.name, Hint: hintCommand, Err: err}
	if a.proc == nil {
		e.Hint = "check that it is an agent that listens there"
	} else {
		e.Stderr = a.errs.last()
		e.Stdout = notMessages(a.pipes.head())
	}
	said := ""
	if len(e.Stdout) > 0 {
		said = fmt.Sprintf("; it printed %q", e.Stdout[0])
	} else if n := len(e.Stderr); n > 0 {
		said = fmt.Sprintf("; its last words were %q", e.Stderr[n-1])
	}
	var version *versionError
	var answer *acp.Error
	switch {
	case errors.As(err, &version):
		e.Kind = Version
		e.Reason = fmt.Sprintf("it speaks version %d of the protocol, and the bridge speaks version %d", version.theirs, protocolVersion)
		e.Hint = "install a version of the agent that fits, or a newer bridge"
	case errors.Is(err, errNotAnswer), errors.As(err, &answer) && answer.Code == acp.CodeMethodNotFound:
		e.Reason = "it answers, but not as an agent does that speaks ACP" + said
	case answer != nil:
		e.Kind = Rejected
		e.Reason = "it refused the handshake: " + escape.Inline(answer.Error())
		if answer.Code == acp.CodeAuthRequired {
			e.Hint = "sign in with its login command first"
		}
	case errors.Is(err, errHandshake):
		e.Kind = Timeout
		e.Reason = fmt.Sprintf("it did not answer within %v%s", a.limit.Round(time.Millisecond), said)
		if len(e.Stdout) > 0 {
			e.Kind = NotACP
		}
	case ctx.Err() != nil:
		e.Kind, e.Hint = Cancelled, ""
		e.Reason = "the start was given up"
		e.Err = ctx.Err()
	case a.proc == nil && errors.Is(err, errEndedSoon):
		e.Kind, e.Reason = ExitedAtOnce, "it closed the connection at once"
	case a.proc == nil:
		e.Kind, e.Reason = NotACP, "it closed the connection without an answer"
	case a.exit.silent:
		e.Reason = "it closed its standard output without an answer" + said
	case printsUsage(e.Stdout, e.Stderr):
		e.Reason = fmt.Sprintf("it printed its usage and ended (%s)", a.exit.how()) + said
	default:
		e.Kind = ExitedAtOnce
		e.Reason = fmt.Sprintf("it ended at once (%s)", a.exit.how()) + said
	}
	return e
}

// notMessages returns the lines of what a program printed that are not JSON.
func notMessages(head []byte) []string {
	var out []string
	for line := range bytes.Lines(head) {
		if line = bytes.TrimSpace(line); len(line) > 0 && line[0] != '{' && len(out) < stderrLines {
			out = append(out, clean(line))
		}
	}
	return out
}

// printsUsage recognises a program that was given arguments it does not know.
func printsUsage(outputs ...[]string) bool {
	for _, lines := range outputs {
		for _, line := range lines {
			l := strings.ToLower(line)
			for _, mark := range []string{"usage:", "unknown option", "unknown flag", "unrecognized option", "unrecognised option", "unexpected argument", "invalid option", "not defined: -", "unknown argument", "unknown command"} {
				if strings.Contains(l, mark) {
					return true
				}
			}
		}
	}
	return false
}
