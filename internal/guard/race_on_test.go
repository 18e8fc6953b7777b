//go:build race

package guard

// slow is how much longer than promised things may take here: with the race
// detector a process is ten times as large, and as slow to end.
const slow = 5
