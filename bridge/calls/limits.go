package calls

const (
	// maxPastCalls is how many ids of tool calls a session keeps after their turns; no session known here has had a tenth of it.
	maxPastCalls = 20_000

	// maxPastID is how much is kept of each. Those of real agents have up to 80 bytes.
	maxPastID = 256
)
