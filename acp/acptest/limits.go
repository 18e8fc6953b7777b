package acptest

const (
	// maxShown is how much of a message an error shows: enough to recognise it, little enough to read the error.
	maxShown = 300
	// maxTranscript is how many messages an error recalls.
	maxTranscript = 8
)
