package escape

const (
	// maxString ends an OSC, DCS, SOS, PM or APC that nobody terminates. Titles and links are far shorter; an
	// image is longer and its rest shows as text, which is better than a sequence that hides a whole log.
	maxString = 4096
	// maxSequence ends a CSI or an escape with intermediates. The longest one in use sets two true colours
	// and some attributes, about 50 bytes.
	maxSequence = 256
	// maxColour is how much of a sequence that sets colours is passed on, in bytes: two true colours and some attributes.
	maxColour = 64
	// writerChunk bounds what a Writer works on at a time: one character can become nine.
	writerChunk = 8192
	// minSecret keeps RedactValues from taking every "1" and "true" out of a log.
	minSecret = 6
	// jsonLevels is how often a secret may have been put into a JSON string: the arguments of a tool call are JSON in a string,
	// and a log quotes the line that they are in.
	jsonLevels = 3
)
