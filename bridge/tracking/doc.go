// Package tracking keeps the review book true to what is in the editor's buffers and on disk, and carries out what the book plans:
// undo and redo.
//
// It promises that what is pending follows the user's typing, a rename, a deletion and what another program writes ([Tracker.Follow],
// [Tracker.FileRenamed] and the like), that a plan is made of files as they are now, and that what cannot be undone is left as it is
// and named.
//
// It leaves to others what a hunk is and what is kept of it (bridge/review), bytes in buffers and on disk (fsproxy), what a command
// has changed (bridge/host), and sessions, of which it knows only whether one is at work.
//
// It has no goroutine of its own but while another bridge lets go of its changes ([Tracker.TakeOver]), and no state but who looks at
// the disk just now: while a plan is carried out nobody does. Notices of buffers come on the goroutine that tells of them, in the order
// in which the user does things; those of the watcher on its own.
//
// The rules that must stay true:
//
//   - a file is compared with its buffer where it has one, and with the disk where it has none;
//   - while a plan is carried out nobody concludes anything from the disk, and never from what was read before something was recorded;
//   - while a command of an agent may write, nobody concludes from the disk who has changed it;
//   - what is written is what a plan of the book says, verified against what the plan was made for.
package tracking
