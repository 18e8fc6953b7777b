package fsproxy

import (
	"container/list"
	"errors"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"github.com/fsnotify/fsnotify"
	"github.com/rs/zerolog"
)

// Watcher tells that a file changed on disk, for the files that are open in the
// editor and those touched lately. It watches their folders, since most programs
// save by putting a new file in the place of the old. It is a convenience: it may
// be late, tell of what did not change, or, where the system runs out of watches,
// be silent. Nothing here or above is correct only because of it.
type Watcher struct {
	log    zerolog.Logger
	notify *fsnotify.Watcher
	detach func()        // from the overlay
	ended  chan struct{} // closed when the goroutine is

	mu      sync.Mutex
	open    map[string]bool
	touched map[string]*list.Element // of path
	recent  list.List                // most recently touched first
	folders map[string]int           // how many of the files are in it
	subs    []*watching
}

type watching struct{ f func(path string) }

// NewWatcher returns a watcher of what is or will be open in o. The caller closes
// it.
func NewWatcher(o *Overlay, log zerolog.Logger) (*Watcher, error) {
	n, err := fsnotify.NewWatcher()
	if err != nil {
		return nil, err
	}
	w := &Watcher{
		log: log, notify: n, ended: make(chan struct{}),
		open: make(map[string]bool), touched: make(map[string]*list.Element), folders: make(map[string]int),
	}
	w.detach = o.Subscribe(func(c Change) {
		if c.Closed {
			w.closed(c.Path)
		} else if c.Before == nil {
			w.opened(c.Path)
		}
	})
	for _, path := range o.OpenPaths() {
		w.opened(path)
	}
	go w.run()
	return w, nil
}

// Close ends the watching. No subscriber is called after it.
func (w *Watcher) Close() error {
	w.detach()
	err := w.notify.Close()
	<-w.ended
	return err
}

// Subscribe has f called with the path of each watched file that seems to have
// changed, was created or removed. Calls come from one goroutine, which f holds up.
func (w *Watcher) Subscribe(f func(path string)) (cancel func()) {
	s := &watching{f}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.subs = append(slices.Clone(w.subs), s)
	return func() {
		w.mu.Lock()
		defer w.mu.Unlock()
		w.subs = slices.DeleteFunc(slices.Clone(w.subs), func(x *watching) bool { return x == s })
	}
}

// Touch says that the file at path, which need not exist, was read or written.
func (w *Watcher) Touch(path string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if e := w.touched[path]; e != nil {
		w.recent.MoveToFront(e)
		w.watch(filepath.Dir(path), 0) // its folder may have come back
		return
	}
	w.touched[path] = w.recent.PushFront(path)
	w.watch(filepath.Dir(path), 1)
	for w.recent.Len() > maxTouched {
		oldest := w.recent.Remove(w.recent.Back()).(string)
		delete(w.touched, oldest)
		w.unwatch(filepath.Dir(oldest))
	}
}

func (w *Watcher) opened(path string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if !w.open[path] {
		w.open[path] = true
		w.watch(filepath.Dir(path), 1)
	}
}

func (w *Watcher) closed(path string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.open[path] {
		delete(w.open, path)
		w.unwatch(filepath.Dir(path))
	}
}

// watch needs the lock, as does unwatch.
func (w *Watcher) watch(folder string, files int) {
	w.folders[folder] += files
	if err := w.notify.Add(folder); err != nil && !errors.Is(err, fsnotify.ErrClosed) {
		w.log.Debug().Err(err).Str("folder", folder).Msg("not watched")
	}
}

func (w *Watcher) unwatch(folder string) {
	if w.folders[folder]--; w.folders[folder] == 0 {
		delete(w.folders, folder)
		_ = w.notify.Remove(folder) // it may be gone, with its watch
	}
}

// run collects changes until there are no more for a moment: a save is several.
func (w *Watcher) run() {
	defer close(w.ended)
	changed := make(map[string]bool)
	var quiet <-chan time.Time // nil while there is nothing to tell
	for {
		select {
		case e, ok := <-w.notify.Events:
			if !ok {
				return
			}
			if e.Op == fsnotify.Chmod {
				continue
			}
			changed[e.Name] = true
		case err, ok := <-w.notify.Errors:
			if !ok {
				return
			}
			if !errors.Is(err, fsnotify.ErrEventOverflow) {
				w.log.Debug().Err(err).Msg("watching")
				continue
			}
			for _, path := range w.files() {
				changed[path] = true // some of them, we cannot know which
			}
		case <-quiet:
			quiet = nil
			w.tell(changed)
			clear(changed)
			continue
		}
		if quiet == nil {
			quiet = time.After(watchQuiet) // counted from the first change, so that it ends
		}
	}
}

// files are all that are watched.
func (w *Watcher) files() []string {
	w.mu.Lock()
	defer w.mu.Unlock()
	var paths []string
	for path := range w.open {
		paths = append(paths, path)
	}
	for path := range w.touched {
		if !w.open[path] {
			paths = append(paths, path)
		}
	}
	slices.Sort(paths)
	return paths
}

// tell also tells of the files in a folder that changed as a whole.
func (w *Watcher) tell(changed map[string]bool) {
	w.mu.Lock()
	subs := w.subs
	w.mu.Unlock()
	for _, path := range w.files() {
		if !changed[path] && !changed[filepath.Dir(path)] {
			continue
		}
		for _, s := range subs {
			s.f(path)
		}
	}
}
