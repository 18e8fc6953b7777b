package transcript

// tokens is the estimate of a text's tokens, from its size in bytes.
func tokens(size int) int { return (size + bytesToken - 1) / bytesToken }
