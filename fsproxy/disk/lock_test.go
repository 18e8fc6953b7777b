package disk

import (
	"context"
	"errors"
	"fmt"
	"os"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
)

// Two who save one file do not mix: each save starts from the text it says it does,
// or is told to read again.
func TestSavesOfOneFileExcludeEachOther(t *testing.T) {
	d, root := diskOn(t)
	path := put(t, root+"/f", "")
	other := root + "/link"
	if runtime.GOOS == "windows" {
		other = root + "/F" // the same file there
	} else if err := os.Symlink("f", other); err != nil {
		t.Fatal(err)
	}
	const writers, each = 4, 25
	var told atomic.Int64
	var all sync.WaitGroup
	for w := range writers {
		name := path
		if w%2 == 1 {
			name = other
		}
		all.Go(func() {
			for i := 0; i < each; {
				s, err := d.Read(t.Context(), name)
				if errors.Is(err, ErrChanged) {
					continue // replaced again and again while it was being opened
				}
				if err != nil {
					t.Error(err)
					return
				}
				hash := s.Hash()
				_, err = d.Save(t.Context(), name, SaveRequest{Text: s.Text.String() + fmt.Sprintf("%d/%d\n", w, i), Expect: &hash})
				switch {
				case err == nil:
					i++
				case errors.Is(err, ErrChanged):
					told.Add(1)
				default:
					t.Error(err)
					return
				}
			}
		})
	}
	all.Wait()
	s, err := d.Read(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	if lines := strings.Count(s.Text.String(), "\n"); lines != writers*each {
		t.Errorf("%d lines, want %d: a save was lost", lines, writers*each)
	}
	t.Logf("%d saves were told to read again", told.Load())
	wantNoTemp(t, root)
}

func TestLocks(t *testing.T) {
	var l Locks
	release, err := l.Acquire(t.Context(), "b", "a", "b")
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := l.Acquire(ctx, "0", "a"); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	other, err := l.Acquire(t.Context(), "c", "0")
	if err != nil {
		t.Fatal(err)
	}
	other()
	release()
	if len(l.held) != 0 {
		t.Errorf("%v is held", l.held)
	}
}
