package guard

import "time"

const (
	// KillGrace is how long a tree may clean up between SIGTERM and SIGKILL.
	// Two seconds let a build tool remove its temporary files, and leave room
	// for an orderly end of the bridge within four.
	KillGrace = 2 * time.Second

	// OrderlyEnd is how long the bridge may take to leave once it was told to:
	// a second for the agent to go by itself, [KillGrace] after SIGTERM, and the
	// rest to write down what must not be lost. Editors kill after about five.
	OrderlyEnd = 4 * time.Second

	// startLimit bounds the wait for the guardian's first word. It takes a few
	// milliseconds; only a wrong Self or a machine out of memory takes longer.
	startLimit = 10 * time.Second

	// closeLimit bounds how long Close waits for a killed tree to be gone.
	// SIGKILL works at once except for a process in uninterruptible sleep.
	closeLimit = 5 * time.Second

	// giveUp is when a guardian whose bridge is gone stops trying to kill what
	// it may not kill, such as a set-uid child of another user.
	giveUp = 10 * time.Second

	// firstPause and maxPause space the rounds of a kill: a process may fork
	// between the look and the blow, so it is repeated until nothing is left,
	// quickly at first and then without burning a core.
	firstPause = time.Millisecond
	maxPause   = 100 * time.Millisecond

	// orphanLimit bounds the clean-up that the bridge does itself after its
	// guardian was killed.
	orphanLimit = 2 * time.Second

	// statusLine bounds one line of the status pipe; an error text is shorter.
	statusLine = 8 << 10
)
