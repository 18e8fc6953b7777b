package review

import (
	"strings"
	"testing"
	"time"

	"github.com/copilot-bridge/copilot-bridge/internal/durable"
)

// slowDisk is a disk whose syncs wait until they are let go, once hold has been called.
type slowDisk struct {
	*memDisk
	waits chan struct{} // a sync has begun to wait
	free  chan struct{} // closed: no sync waits any more
}

func newSlowDisk() *slowDisk {
	d := &slowDisk{memDisk: newMemDisk(), waits: make(chan struct{}, 100), free: make(chan struct{})}
	close(d.free)
	return d
}

func (d *slowDisk) hold() { d.free = make(chan struct{}) }

func (d *slowDisk) wait() {
	select {
	case <-d.free:
	default:
		d.waits <- struct{}{}
		<-d.free
	}
}

type slowLog struct {
	durable.LogWriter
	d *slowDisk
}

func (l slowLog) Sync() error {
	l.d.wait()
	return l.LogWriter.Sync()
}

func (d *slowDisk) Append(name string) (durable.LogWriter, error) {
	w, err := d.memDisk.Append(name)
	return slowLog{w, d}, err
}

func (d *slowDisk) SyncDir(dir string) error {
	d.wait()
	return d.memDisk.SyncDir(dir)
}

// soon fails if f does not return: it would wait for the disk.
func soon(t *testing.T, what string, f func()) {
	t.Helper()
	done := make(chan struct{})
	go func() { defer close(done); f() }()
	select {
	case <-done:
	case <-time.After(20 * time.Second):
		t.Fatalf("%s waits for the disk", what)
	}
}

// TestWhatTheEditorTellsDoesNotWaitForTheDisk guards the goroutine that reads from the editor: while a sync hangs, anyone who wants it
// and whatever for, all that it tells is taken in, and nothing of it is lost. What the agent is about to change waits.
func TestWhatTheEditorTellsDoesNotWaitForTheDisk(t *testing.T) {
	long := strings.Repeat("x", 1<<20) + "\n"
	for name, busy := range map[string]func(b *Book, d *slowDisk){
		"a change begins": func(b *Book, _ *slowDisk) {
			_, _ = b.Begin(Change{Session: "s", Turn: "t", Path: "/b", Kind: KindEdit, Before: "1\n", After: "2\n", BeforeExists: true})
		},
		"keep": func(b *Book, _ *slowDisk) { b.Keep(Selector{Path: "/k"}) },
		"a record": func(b *Book, _ *slowDisk) {
			_ = b.Record([]Change{{Session: "s", Turn: "t", Path: "/r", Kind: KindCreate, After: "1\n"}})
		},
		"undone": func(b *Book, _ *slowDisk) {
			us, _ := b.PlanUndo(Selector{Path: "/k"})
			b.Done(us[0], us[0].Target)
		},
		"the journal has grown too long": func(b *Book, d *slowDisk) {
			for n := range 2 * 8 << 20 / len(long) {
				b.TextChanged("/l", strings.Repeat("y", n+1)+long)
			}
		},
		"the journal has a gap": func(b *Book, d *slowDisk) {
			d.mu.Lock()
			d.failAt, d.forever = d.calls+1, true
			d.mu.Unlock()
			b.TextChanged("/k", "typed\nK\n")
			d.mu.Lock()
			d.failAt, d.forever = 0, false
			d.mu.Unlock()
			b.TextChanged("/k", "typed on\nK\n")
		},
		"the journal has a gap, and a change begins": func(b *Book, d *slowDisk) {
			b.mu.Lock()
			b.journal.Diverged()
			b.mu.Unlock()
			_, _ = b.Begin(Change{Session: "s", Turn: "t", Path: "/b", Kind: KindEdit, Before: "1\n", After: "2\n", BeforeExists: true})
		},
		"another journal is taken over": func(b *Book, d *slowDisk) { b.Adopt() },
	} {
		t.Run(name, func(t *testing.T) {
			d := newSlowDisk()
			open := func(d *slowDisk) *Book {
				b := newBook(Config{Dir: "/journals", Workspace: "/ws", Notice: func(string) {}})
				b.folder.Disk = d
				if err := b.open(); err != nil {
					t.Fatal(err)
				}
				return b
			}
			b := open(d)
			agent(t, b, "t", "/k", "k\n", "K\n")
			agent(t, b, "t", "/a", "1\n2\n3\n", "1\nTWO\n3\n")
			agent(t, b, "t", "/c", "1\n", "ONE\n")
			agent(t, b, "t", "/l", "1\n"+long, "1\n2\n"+long)
			other := open(d)
			agent(t, other, "t", "/o", "1\n", "2\n")
			if err := other.Close(); err != nil {
				t.Fatal(err)
			}
			d.hold()
			done := make(chan struct{})
			go func() { defer close(done); busy(b, d) }()
			<-d.waits
			soon(t, "typing", func() { b.TextChanged("/a", "typed\n1\nTWO\n3\n") })
			soon(t, "a save", func() { b.Saved("/a") })
			soon(t, "a closed buffer", func() { b.Unsettle("/c"); b.Reconcile("/c", "1\n", true) })
			soon(t, "a rename", func() { b.Renamed("/a", "/z"); b.Appeared("/z") })
			soon(t, "a look", func() { b.Tracks("/a"); b.Deleted("/a"); b.Files(Filter{}) })
			begun := make(chan struct{})
			go func() {
				defer close(begun)
				_, _ = b.Begin(Change{Session: "s", Turn: "t", Path: "/d", Kind: KindEdit, Before: "1\n", After: "2\n", BeforeExists: true})
			}()
			soon(t, "typing on", func() { b.TextChanged("/z", "typed on\n1\nTWO\n3\n") })
			select {
			case <-begun:
				t.Error("a change began that is not on disk")
			default:
			}
			close(d.free)
			<-done
			<-begun
			if err := b.Close(); err != nil {
				t.Fatal(err)
			}
			b = open(&slowDisk{memDisk: d.crash(), free: d.free})
			if got := shape(b, "/z"); got != `2-3 "2\n">"TWO\n"` || shape(b, "/c") != "" {
				t.Errorf("after a restart: %s, %s", got, shape(b, "/c"))
			}
		})
	}
}
