// Package settings is what a user can set, by name: what a value must be, and where it goes. Editors send settings, and the user's own
// file has them for all faces.
//
// It promises that a mistake is said with what was expected, and in the file with its line. It leaves to the fronts what an editor sends,
// and to their caller which wins: the command line, then the editor, then the file.
//
// What must stay true: the file is the user's, never a workspace's, and one that others could change is not read. A mistake in it is an
// error and not a warning: a rule that denies must not get lost. There is no goroutine, and nothing changes once it was read.
package settings
