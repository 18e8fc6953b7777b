package trust

import (
	"sync"

	"github.com/copilot-bridge/copilot-bridge/bridge/workspace"
)

// Approvals are what was approved in a turn of a session, by the user or by a rule, and so tell what changed without. They
// are the check on an agent whose own tools write to the disk. The zero value watches nothing.
type Approvals struct {
	mu         sync.Mutex
	watching   bool            // the workspace was looked at before the turn
	command    bool            // a command was approved: what changed may be its work
	unapproved bool            // something changed that was not approved
	files      map[string]bool // resolved paths of files that may be changed
	release    func()          // of the hold on the index of the workspace
}

// Watch begins a turn that will be compared with the workspace as it is now. release is called once, when it is over.
func (a *Approvals) Watch(release func()) { a.begin(true, release) }

// Ignore begins a turn that is not compared.
func (a *Approvals) Ignore() { a.begin(false, func() {}) }

func (a *Approvals) begin(watching bool, release func()) {
	a.End()
	a.mu.Lock()
	defer a.mu.Unlock()
	a.watching, a.command, a.unapproved, a.files, a.release = watching, false, false, map[string]bool{}, release
}

// End stops watching.
func (a *Approvals) End() {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.release != nil {
		a.release()
	}
	a.watching, a.release = false, nil
}

// File notes that the file of a resolved path may be changed.
func (a *Approvals) File(path string) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.files != nil {
		a.files[path] = true
	}
}

// Command notes that a command may run.
func (a *Approvals) Command() {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.command = true
}

// Watching says whether the turn has to be compared at its end.
func (a *Approvals) Watching() bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.watching
}

// Clean says that the turn was compared, and that nothing in it was unapproved or may be the work of a command.
func (a *Approvals) Clean() bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.watching && !a.unapproved && !a.command
}

// Unapproved are the paths of those changes that were not approved, none if they may be the work of a command.
func (a *Approvals) Unapproved(changes []workspace.Change) (paths []string) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if !a.watching || a.command {
		return nil
	}
	for _, c := range changes {
		if !a.files[c.Path] || c.Kind == workspace.Moved && !a.files[c.From] {
			paths = append(paths, c.Path)
		}
	}
	a.unapproved = a.unapproved || len(paths) > 0
	return paths
}
