package fsproxy

import "github.com/copilot-bridge/copilot-bridge/fsproxy/text"

// Hash identifies a text: the SHA-256 of its bytes, without a byte order mark. A
// buffer and a file that hold the same text have the same hash. It is what
// "changed since you read it" compares, and is the same in every process.
type Hash = text.Hash

// HashString returns the hash of the text s.
func HashString(s string) Hash { return text.HashString(s) }
