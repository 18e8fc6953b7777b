// Package guard starts programs that cannot outlive the bridge.
//
// Every program gets a guardian: this same binary, run again with a hidden
// subcommand, between the bridge and the program. The guardian holds the read
// end of a pipe, the lifeline, whose only write end is in the bridge. However
// the bridge ends, kill -9 included, the kernel closes that pipe and the
// guardian kills everything below it.
//
// What stays true:
//
//   - The guardian dies last. It survives TERM, INT and HUP, lives in a session
//     of its own, and leaves only when nothing is left below it.
//   - The end of the program itself is told at once, even while background
//     processes it left behind go on; these die with [Process.Close].
//   - Nothing leaks downwards: a program gets descriptors 0, 1 and 2, the
//     environment and folder it was given, default signal dispositions and an
//     empty signal mask. Nothing is held: the guardian drops 0, 1 and 2 as soon
//     as the program runs, so that end of file means what it should.
//
// How far it reaches depends on the system. Linux: the guardian is a child
// subreaper, so processes that call setsid or fork twice stay below it and are
// found. macOS: the guardian kills its session and all descendants it can see; a
// process that calls setsid and then loses its parent escapes. Windows: there is
// no guardian, a job object with KILL_ON_JOB_CLOSE does the same in the kernel.
// A guardian that is itself killed with SIGKILL is noticed by the bridge, which
// kills what it can find in its place; what called setsid *and* had already lost
// its parent is then lost too.
package guard
