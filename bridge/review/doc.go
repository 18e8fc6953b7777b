// Package review keeps what the agent changed until the user has decided about
// it: hunks that can be kept, undone and redone, one by one, by file, by turn or
// all together, also after a restart.
//
// It promises three things. Every change of the agent has its before-image in a
// journal on disk before Begin returns, and so before anything is applied. What
// the user accepted (the base) with all hunks applied is the text as it is now,
// always. And undoing one hunk takes out nothing that lies outside of it.
//
// Two kinds of change reach a text. The agent's becomes a hunk, or part of the
// hunks it touches. Everybody else's (typing, a formatter, another program) goes
// into the base where it lies outside of the hunks and joins the hunk where it
// lies inside. A hunk whose text is its base text again is gone.
//
// The rules at the borders:
//   - A hunk is whole lines. Lines inserted by the user directly above or below a
//     hunk lie outside of it; a line changed together with lines of a hunk is
//     judged by itself where the lines still pair up, else it joins.
//   - Changes of one turn that lie directly beside each other are one hunk; those
//     of different turns stay two, so that each turn can be undone by itself. A
//     turn that changes lines of an older turn's hunk joins it; the hunk then
//     remembers its text before each turn (a layer), and undoing one of these
//     turns merges its part out, or reports a conflict.
//   - A hunk of which lines are decided alone becomes several: older versions of its
//     lines are paired with those of now by what they say.
//   - A text whose hunk the user takes out (by the editor's own undo,
//     the bridge's undo) leaves a mark, so that the hunk can come back by the
//     editor's redo or by PlanRedo. A kept hunk leaves a mark too, so that a whole
//     turn can be taken back although parts of it were kept.
//   - The same text is the same thing: one that the file had before its hunks went,
//     or that was saved, is pending again as it was, but for what was kept since.
//   - A buffer with the name of a file that the agent deleted is not that file;
//     it is there again when it is on disk.
//   - A last line without its line end belongs to the last hunk: a hunk that ends
//     in one takes along everything after it, so that any selection of hunks can
//     be kept or undone without gluing two lines together.
//
// What it leaves to others: reading and writing files and buffers. A caller asks
// for a plan (PlanUndo, PlanRedo), carries it out, and says what really happened
// (Done). Paths are opaque keys: absolute and canonical, always spelled
// the same way. All methods may be called from any goroutine.
package review
