package transcript

import "github.com/copilot-bridge/copilot-bridge/acp/copilot"

// road is how a message gets to the program together with what was said before.
type road int

const (
	byTranscript road = iota // the program has no sessions: what was said goes before the message
	byNew                    // a new session of the program's, under a name that we give
	byResume                 // the session that it has
	byContinue               // the newest session it has: the last resort, within one run
)

// resumed says that the program goes on with a session of its own.
func (r road) resumed() bool { return r == byResume || r == byContinue }

// choose takes the best road there is. again says that this process's last call of the program was in this very
// session, which has not been given a name; nothing else may be continued, because the newest session of all is
// another one then.
func choose(f copilot.Features, cli cliSession, cwd string, again bool) road {
	here := cli.Started && cli.Cwd == cwd
	switch {
	case here && cli.ID != "" && f.Resume:
		return byResume
	case f.SessionID && f.Resume:
		return byNew
	case here && cli.ID == "" && again && f.Continue:
		return byContinue
	}
	return byTranscript
}
