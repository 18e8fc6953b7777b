package host

import (
	"maps"
	"path/filepath"
	"slices"

	"github.com/copilot-bridge/copilot-bridge/bridge/policy"
	"github.com/copilot-bridge/copilot-bridge/bridge/workspace"
)

// ByteOrderMark is part of a file's bytes and no part of its text.
const ByteOrderMark = "\uFEFF"

// Index is the index of a session's folder, kept between commands so that the second one pays for what changed.
func (h *Host) Index(dir string) (*workspace.Index, error) {
	if real, err := filepath.EvalSymlinks(dir); err == nil {
		dir = real // buffers and the review book go by real paths
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	if x := h.indexes[dir]; x != nil {
		return x, nil
	}
	x, err := workspace.NewIndex(dir)
	if err == nil {
		x.CloneInto(h.CloneDir)
		x.Also(controlName)
		h.indexes[dir] = x
	}
	return x, err
}

// controlName says whether a path below a session's folder is a control file's.
func controlName(rel string) bool {
	_, ok := policy.Control(policy.Path{Given: rel})
	return ok
}

// Close lets go of what the indexes hold open.
func (h *Host) Close() {
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, x := range h.indexes {
		x.Close()
	}
}

// Wrote tells the indexes of a file that was written or removed by us, so that it is not taken for a command's change.
func (h *Host) Wrote(path string) {
	for _, x := range h.allIndexes() {
		x.Wrote(path)
	}
}

func (h *Host) allIndexes() []*workspace.Index {
	h.mu.Lock()
	defer h.mu.Unlock()
	return slices.Collect(maps.Values(h.indexes))
}

// madeTo is how often agents have changed a file, or were about to: between two equal numbers only the user has.
func (h *Host) madeTo(t target) int {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.made[t.Real]
}

// makes counts a change of a file by an agent, or by a command of one's.
func (h *Host) makes(path string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.made[path]++
}
