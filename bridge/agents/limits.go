package agents

import "time"

const (
	// offerAfter is how often the ACP server may fail with one set of servers, with no turn between, before another way is
	// offered.
	offerAfter = 3

	// bindWait is how long a tool call waits for its session: Copilot starts the editor tools before it has answered
	// session/new.
	bindWait = 30 * time.Second

	// maxEarlySessions bounds the sessions of the agent's whose updates are kept before anybody here knows them: few are
	// opened at the same time. An agent that goes on talking of closed ones makes the oldest give way.
	maxEarlySessions = 64

	// maxEarly bounds the updates kept for a session whose session/new has not been answered yet.
	maxEarly = 1024

	// maxReplayRounds is how often an agent that replays late is asked whether it has sent all. With each round it has sent what a
	// pipe holds.
	maxReplayRounds = 1000

	// staleDefaults is when a configuration that a running agent reads again was left by a bridge that was killed.
	staleDefaults = 30 * 24 * time.Hour

	// staleConfig is when a configuration for an agent that was being started cannot be needed any more.
	staleConfig = 5 * time.Minute
)
