package bridge

import (
	"github.com/copilot-bridge/copilot-bridge/bridge/permission"
	"github.com/copilot-bridge/copilot-bridge/bridge/policy"
)

// target is a path that an agent named, resolved.
type target = permission.Target

// newAuthority makes what decides for all sessions.
func (b *Bridge) newAuthority() *permission.Authority {
	return permission.New(permission.Config{
		Rules: b.rules, Audit: b.audit, Disk: b.disk, FS: b.fs, Overlay: b.overlay, Home: b.home, Env: b.cfg.Env,
		Folders: b.editorFolders, NewID: b.newID, Now: b.now,
	})
}

// Remembered lists the answers that were given for good, oldest first.
func (b *Bridge) Remembered() ([]policy.Remembered, error) { return b.memory.List() }

// Revoke forgets such an answer: it asks again from the next request on.
func (b *Bridge) Revoke(id string) error {
	if err := b.memory.Revoke(id); err != nil {
		return &Error{Code: CodeInvalidParams, Message: err.Error(), Hint: "list them and pick one", Err: err}
	}
	return nil
}
