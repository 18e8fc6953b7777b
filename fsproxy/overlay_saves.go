package fsproxy

import "github.com/copilot-bridge/copilot-bridge/fsproxy/text"

// maxSaves is how many files the overlay remembers the last save of; one that is forgotten is only asked about once more.
const maxSaves = 4096

// noteSave remembers what the editor saved, also after the buffer is closed.
func (o *Overlay) noteSave(path string, t text.Text) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.saves == nil || len(o.saves) >= maxSaves {
		o.saves = make(map[string]text.Text)
	}
	o.saves[path] = t
}

// LastSaved is the text that the editor said it had saved last at path, no matter who wrote there since.
func (o *Overlay) LastSaved(path string) (text.Text, bool) {
	o.mu.RLock()
	defer o.mu.RUnlock()
	t, ok := o.saves[path]
	return t, ok
}
