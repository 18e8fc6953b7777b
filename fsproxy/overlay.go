package fsproxy

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"

	"github.com/copilot-bridge/copilot-bridge/fsproxy/disk"
	"github.com/copilot-bridge/copilot-bridge/fsproxy/text"
)

// Overlay is the buffers of one editor over a Source. It mirrors what the editor says and guesses
// nothing: a document whose changes cannot be followed is dropped, as if it were
// closed, until the editor opens it again.
//
// Paths are canonical (Resolved.Real), so that two spellings of one path share one
// buffer; making them so is the caller's business. The methods that change
// something are called in the order the editor sent them; all others from anywhere.
type Overlay struct {
	below Source
	turn  sync.Mutex // held while a change is made and told of, so that all hear of changes in order

	mu    sync.RWMutex // guards what follows; never held while a subscriber runs
	docs  map[string]*document
	subs  []*subscription
	saves map[string]text.Text // what the editor saved last
	lost  map[string]bool      // open in the editor, with a text that is not known
}

// document is an open buffer.
type document struct {
	snap  *Snapshot
	saved text.Text // the text the buffer last had in common with the disk
	clean bool      // false: it never had any
	opens int       // how many spellings of the path are open
	life  *int      // the same for as long as the document is open
}

// ErrNotOpen: the editor spoke of a document that it has not opened.
var ErrNotOpen = errors.New("not open in the editor")

// NewOverlay returns an overlay without buffers.
func NewOverlay(below Source) *Overlay {
	return &Overlay{below: below, docs: make(map[string]*document), lost: make(map[string]bool)}
}

// Open tells of a buffer that the editor opened, with its whole text. What is on
// disk at this moment decides whether the buffer counts as clean; line ends, a
// missing final newline and the byte order mark make no difference, for editors
// hide them. Opening what is open replaces it.
func (o *Overlay) Open(path string, version int32, t string) {
	o.turn.Lock()
	defer o.turn.Unlock()
	d := &document{opens: 1, life: new(int)}
	if old := o.doc(path); old != nil {
		d.opens = old.opens + 1
	}
	o.found(path)
	now := text.New(t)
	snap := disk.NewSnapshot(path, now)
	snap.Version, snap.Open, snap.Exists, snap.Dirty = version, true, true, true
	onDisk, err := o.below.Read(context.Background(), path)
	switch {
	case err == nil:
		snap.BOM, snap.Mode = onDisk.BOM, onDisk.Mode
		d.clean = SameText(now, onDisk.Text)
	case errors.Is(err, ErrNotExist):
		d.clean = SameText(now, text.New("")) // a new file nobody has typed into; Neovim shows its one line end
	}
	if d.clean {
		d.saved, snap.Dirty = now, false
	}
	d.snap = snap
	o.tell(path, d, nil)
}

// Saved tells that the editor saved the buffer; t is the text it saved, nil for
// the one it has told of last.
func (o *Overlay) Saved(path string, t *string) {
	o.turn.Lock()
	defer o.turn.Unlock()
	old := o.doc(path)
	if old == nil {
		return
	}
	saved := old.snap.Text
	if t != nil && !SameText(saved, text.New(*t)) {
		saved = text.New(*t)
	}
	o.noteSave(path, saved)
	o.setSaved(path, old, saved)
}

// onDisk tells what somebody found at path on disk. A buffer with the same text is
// clean from now on.
func (o *Overlay) onDisk(path string, onDisk *Snapshot) {
	o.turn.Lock()
	defer o.turn.Unlock()
	old := o.doc(path)
	if old == nil || !old.snap.Dirty || onDisk == nil || !SameText(old.snap.Text, onDisk.Text) {
		return
	}
	o.setSaved(path, old, old.snap.Text)
}

// setSaved needs the turn.
func (o *Overlay) setSaved(path string, old *document, saved text.Text) {
	d := &document{saved: saved, clean: true, opens: old.opens, life: old.life}
	snap := *old.snap
	snap.Dirty = !snap.Text.Equal(saved)
	d.snap = &snap
	o.tell(path, d, nil)
}

// Close tells that the editor closed the buffer. The last of several spellings
// that are open is what counts.
func (o *Overlay) Close(path string) {
	o.turn.Lock()
	defer o.turn.Unlock()
	o.found(path)
	old := o.doc(path)
	if old == nil {
		return
	}
	if old.opens > 1 {
		d := *old
		d.opens--
		o.mu.Lock()
		o.docs[path] = &d
		o.mu.Unlock()
		return
	}
	o.tell(path, nil, nil)
}

// Hold runs f while no buffer is opened, changed or closed: what f finds in a buffer, or on disk where there is none, is not
// told of after a text that has come since. f must not block, as it must not for Subscribe.
func (o *Overlay) Hold(f func()) {
	o.turn.Lock()
	defer o.turn.Unlock()
	f()
}

// Lookup returns the buffer at path, if it is open.
func (o *Overlay) Lookup(path string) (*Snapshot, bool) {
	if d := o.doc(path); d != nil {
		return d.snap, true
	}
	return nil, false
}

// OpenPaths lists the open buffers, sorted.
func (o *Overlay) OpenPaths() []string {
	o.mu.RLock()
	defer o.mu.RUnlock()
	paths := make([]string, 0, len(o.docs))
	for path := range o.docs {
		paths = append(paths, path)
	}
	slices.Sort(paths)
	return paths
}

// DirtyPaths are the open buffers with text that is not on disk.
func (o *Overlay) DirtyPaths() []string {
	return slices.DeleteFunc(o.OpenPaths(), func(path string) bool {
		snap, open := o.Lookup(path)
		return !open || !snap.Dirty
	})
}

func (o *Overlay) doc(path string) *document {
	o.mu.RLock()
	defer o.mu.RUnlock()
	return o.docs[path]
}

// lifeOf identifies the document at path from when it is opened to when it is
// closed; nil if it is not open.
func (o *Overlay) lifeOf(path string) *int {
	if d := o.doc(path); d != nil {
		return d.life
	}
	return nil
}

// savedText is the text the buffer last had in common with the disk.
func (o *Overlay) savedText(path string) (text.Text, bool) {
	if d := o.doc(path); d != nil && d.clean {
		return d.saved, true
	}
	return text.Text{}, false
}

// drop forgets a document that cannot be followed any more. It is read from disk
// until the editor opens or closes it again, and not written: there may be unsaved
// text in front of it that nobody knows.
func (o *Overlay) drop(path string, why error) error {
	o.mu.Lock()
	o.lost[path] = true
	o.mu.Unlock()
	o.tell(path, nil, nil)
	return fmt.Errorf("%s: %w; its text is not known until it is closed and opened again", path, why)
}

// Lost says that the file is open in the editor with a text that is not known.
func (o *Overlay) Lost(path string) bool {
	o.mu.RLock()
	defer o.mu.RUnlock()
	return o.lost[path]
}

func (o *Overlay) found(path string) {
	o.mu.Lock()
	defer o.mu.Unlock()
	delete(o.lost, path)
}
