package fsproxy

import "sync"

// unshown are the buffers whose editor says that it made an edit and goes on to show the text before it: eglot 1.17 and vim-lsp (April
// 2026) tell of a change with the next key only. Until another text comes an edit of such a buffer would be made in a text that nobody
// here knows, so there is none.
type unshown struct {
	mu    sync.Mutex
	texts map[string]*Snapshot // what the buffer showed, by path
}

func (u *unshown) note(path string, shows *Snapshot) {
	u.mu.Lock()
	defer u.mu.Unlock()
	if u.texts == nil {
		u.texts = map[string]*Snapshot{}
	}
	if len(u.texts) < maxUnshown {
		u.texts[path] = shows
	}
}

// waits says whether a buffer is still as it was when the edit before was made.
func (u *unshown) waits(path string, now *Snapshot) bool {
	u.mu.Lock()
	defer u.mu.Unlock()
	shows := u.texts[path]
	if shows == nil {
		return false
	}
	if shows.Version != now.Version || !shows.Text.Equal(now.Text) {
		delete(u.texts, path)
		return false
	}
	return true
}
