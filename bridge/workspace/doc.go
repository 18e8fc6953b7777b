// Package workspace knows the files below a session's folder: it walks them as git would, ignored ones left out, and
// tells what a command has changed.
//
// It reads the disk only; what is open in an editor is somebody else's. It promises bounds: a look before a command
// takes [BeforeBudget] at most, whatever the size of the folder (longer only where the machine is too busy for some dozen
// files), and images take [ImageBudget] at most. What is over
// the bounds is still noticed after the command, from the times the file system keeps, but its text before is not
// known then, and [Change.HasBefore] says so.
package workspace
