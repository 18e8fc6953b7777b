package fsproxy

import (
	"container/list"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/fsnotify/fsnotify"
	"github.com/rs/zerolog"
)

// Many changes within watchQuiet are told once, and it counts from the first of them: a file that is written to for ever is
// told of all the same.
func TestWatcherCollectsChangesFromTheFirstOn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		events := make(chan fsnotify.Event)
		told := make(chan string, 9)
		w := &Watcher{
			log: zerolog.Nop(), notify: &fsnotify.Watcher{Events: events}, ended: make(chan struct{}),
			open: map[string]bool{"/a": true, "/b": true}, touched: map[string]*list.Element{}, folders: map[string]int{},
		}
		w.Subscribe(func(path string) { told <- path })
		go w.run()
		heard := func(want ...string) {
			t.Helper()
			synctest.Wait()
			var got []string
			for len(told) > 0 {
				got = append(got, <-told)
			}
			if !slices.Equal(got, want) {
				t.Errorf("told of %q, want %q", got, want)
			}
		}
		for range 50 {
			events <- fsnotify.Event{Name: "/a", Op: fsnotify.Write}
			time.Sleep(watchQuiet / 100)
		}
		heard()
		time.Sleep(watchQuiet / 2)
		heard("/a")
		events <- fsnotify.Event{Name: "/b", Op: fsnotify.Write}
		events <- fsnotify.Event{Name: "/a", Op: fsnotify.Chmod} // no change
		time.Sleep(watchQuiet)
		heard("/b")
		time.Sleep(time.Hour)
		heard()
		close(events)
		<-w.ended
	})
}
