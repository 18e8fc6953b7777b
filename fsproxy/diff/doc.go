// Package diff compares and merges texts by line.
//
// It promises three things. A result is always correct: applying Edits(old,
// new) to old gives new, and a clean Merge3 holds the changes of both sides.
// The time is bounded whatever the input (see limits.go): where the bound is
// reached the result gets coarser, never wrong. And nothing is lost: two
// changes that cannot both be kept are a conflict, not a guess.
//
// A line ends after its '\n' and keeps it; a carriage return before it belongs
// to the line, so a changed line end is a changed line. The last line of a text
// may lack its end; a text without characters has no lines.
//
// The package knows nothing of files, editors or agents and keeps no state.
package diff
