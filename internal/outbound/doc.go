// Package outbound is the way of bytes to a peer that may read slowly, or not at all: the agent, the editor. It knows
// nothing of what the bytes mean. Who appends whole messages sees them written whole and in that order.
//
// Three things always hold. Appending never waits. One goroutine at a time writes. What was appended before [Queue.Close]
// is written as long as the peer reads.
package outbound
