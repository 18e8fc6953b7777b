package agent

import "errors"

// State is where an agent is in its life.
type State int

// The states of an agent.
const (
	Starting  State = iota // before the handshake is done
	Ready                  // calls are answered
	SignedOut              // it answers, but wants a login first
	Crashed                // it ended although nobody asked it to
	Stopped                // we ended it
)

func (s State) String() string {
	switch s {
	case Starting:
		return "starting"
	case Ready:
		return "ready"
	case SignedOut:
		return "signed out"
	case Crashed:
		return "crashed"
	case Stopped:
		return "stopped"
	}
	return "unknown"
}

// Sentence tells a user what the state means and what to do about it.
func (s State) Sentence() string {
	switch s {
	case Starting:
		return "The agent is starting."
	case Ready:
		return "The agent is ready."
	case SignedOut:
		return "The agent is signed out: sign in with its login command, then restart it."
	case Crashed:
		return "The agent ended unexpectedly: restart it, and see the log for its last words."
	case Stopped:
		return "The agent is stopped."
	}
	return "The agent is in an unknown state."
}

// ErrSignedOut is wrapped by the error of every call that the agent answered
// with "authentication required" (-32000). The process keeps what it knew about
// its login when it started: after a login it must be started again.
var ErrSignedOut = errors.New("the agent is signed out")

// State is the agent's state at this moment.
func (a *Agent) State() State {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.state
}

// signedIn keeps the state in step with what the agent answers.
func (a *Agent) signedIn(yes bool) {
	a.mu.Lock()
	defer a.mu.Unlock()
	switch {
	case yes && a.state == SignedOut:
		a.state = Ready
	case !yes && a.state == Ready:
		a.state = SignedOut
	}
}
