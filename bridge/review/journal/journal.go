package journal

import (
	"errors"
	"fmt"
	"io"
	"sync"
	"sync/atomic"
	"time"

	"github.com/go-json-experiment/json"

	"github.com/copilot-bridge/copilot-bridge/internal/durable"
)

// Owner is the user of a journal.
type Owner struct {
	Mu sync.Locker // the lock of the state
	// Snapshot gives the records that lead to the state as it is. It is called with Mu held.
	Snapshot func(each func(record any) error) error
	// Deliver is called without Mu after work that nobody has asked for: there may be notices.
	Deliver func()
}

// Journal is one open journal. Its lock is held as long as it is open. A nil one keeps nothing, and all is well with it.
type Journal struct {
	folder *Folder
	owner  Owner
	name   string
	lock   io.Closer
	head   Header

	file
	snap  int64  // its size after it was last compacted
	told  bool   // the user knows that it does not save
	next  *file  // is about to take its place, and holds what is recorded meanwhile too
	count uint64 // of the records of this process, whichever file they are in

	syncing sync.Mutex // held while the disk works. Locked before owner.Mu
	synced  uint64     // records up to this count are on disk

	work             sync.WaitGroup // compactBeside
	compactingBeside bool           // it runs
	compacting       bool
	compacted        sync.Cond // of owner.Mu: compacting is false again
}

// file is one file of a journal.
type file struct {
	log  durable.LogWriter
	seq  uint64
	size int64

	// stale says that the state has gone on without the file, or that what it holds is not known: the next record needs a
	// snapshot first.
	stale atomic.Bool
}

// Open opens the n-th journal, whose lock the caller has and whose end it has read; it closes the lock if it fails. Where
// the file does not lead to the state, it is written anew.
func Open(f *Folder, n int, lock io.Closer, at End, owner Owner) (*Journal, error) {
	j := &Journal{folder: f, owner: owner, name: Name(n), lock: lock, head: at.Head}
	j.compacted.L = owner.Mu
	j.seq, j.size, j.snap = at.seq, at.good, at.good
	var err error
	if at.seq == 0 {
		j.head = Header{format, version, f.Workspace, NewPrefix(), f.Now().UTC().Format(time.RFC3339)}
	} else {
		j.log, err = f.Disk.Append(j.path())
	}
	if err == nil && (at.seq == 0 || at.Salvaged) {
		err = j.Compact()
	}
	if err != nil {
		if j.log != nil {
			j.log.Close()
		}
		lock.Close()
		return nil, err
	}
	return j, nil
}

// Name is that of the journal in its folder.
func (j *Journal) Name() string { return j.name }

// Prefix is what the ids of the journal begin with.
func (j *Journal) Prefix() string { return j.head.Prefix }

// Size is that of the file, in bytes.
func (j *Journal) Size() int64 {
	if j == nil {
		return 0
	}
	return j.size
}

func (j *Journal) path() string { return j.folder.join(j.name) }

// append writes one record at the end, whole or not at all.
func (f *file) append(record any, most int64) error {
	body, err := json.Marshal(record, codec)
	if err != nil {
		return err
	}
	if int64(len(body)) > most {
		return fmt.Errorf("a record of %d bytes is over the limit of %d", len(body), most)
	}
	data := durable.AppendRecord(nil, f.seq+1, body)
	if _, err := f.log.Write(data); err != nil {
		if f.log.Truncate(f.size) != nil {
			f.stale.Store(true)
		}
		return err
	}
	f.seq++
	f.size += int64(len(data))
	return nil
}

// Write records a change. It does not wait until it is on disk.
func (j *Journal) Write(record any) error {
	if j == nil {
		return nil
	}
	n := j.next
	if n != nil && !n.stale.Load() && n.append(record, j.folder.MaxRecord) != nil {
		n.stale.Store(true)
	}
	if j.stale.Load() {
		if n != nil && !n.stale.Load() {
			return nil // it is in the one that comes
		}
		return fmt.Errorf("%s does not hold what came before", j.path())
	}
	if err := j.append(record, j.folder.MaxRecord); err != nil {
		j.notSaved(err)
		return err
	}
	j.count++
	if j.told {
		j.told = false
		j.folder.Notice("The review journal is being saved again.")
	}
	return nil
}

// Diverged notes that the journal no longer leads to the state.
func (j *Journal) Diverged() {
	if j == nil {
		return
	}
	j.stale.Store(true)
	if j.next != nil {
		j.next.stale.Store(true)
	}
}

// Stale says why nothing can be recorded before there is a snapshot, nil if it can.
func (j *Journal) Stale() error {
	if j == nil || !j.stale.Load() {
		return nil
	}
	return fmt.Errorf("%s could not be written", j.path())
}

// notSaved tells the user once that the journal does not work.
func (j *Journal) notSaved(err error) {
	if !j.told {
		j.told = true
		j.folder.Notice("The review journal is not saved: %v. Pending changes would be lost with this process.", err)
	}
}

// Sync returns when what was recorded is on disk. The lock is given back for the time.
func (j *Journal) Sync() error {
	if j == nil {
		return nil
	}
	count := j.count
	j.owner.Mu.Unlock()
	defer j.owner.Mu.Lock()
	j.syncing.Lock()
	defer j.syncing.Unlock()
	if j.synced >= count {
		return nil // with another one's, or in a snapshot
	}
	if err := j.log.Sync(); err != nil {
		// After a failed sync nobody knows what is on disk, and a second one would not tell.
		j.stale.Store(true)
		return fmt.Errorf("sync %s: %w", j.path(), err)
	}
	j.synced = count
	return nil
}

// SaveNow returns when what was recorded is on disk, or cannot be, which is logged. The lock is given back for the time. It
// is never called for what the editor tells: the goroutine that reads from the editor does not wait for a disk.
func (j *Journal) SaveNow() {
	if j == nil {
		return
	}
	if j.stale.Load() { // a snapshot has it too
		if err := j.Compact(); err != nil {
			j.notSaved(err)
		}
		return
	}
	if err := j.Sync(); err != nil {
		j.folder.Log.Warn().Err(err).Msg("review journal")
	}
}

// Wait returns when nothing is done any more that nobody waits for. It is called without the lock, before Close.
func (j *Journal) Wait() {
	if j != nil {
		j.work.Wait()
	}
}

// Close saves what is not on disk yet and gives the journal free.
func (j *Journal) Close() error {
	if j == nil {
		return nil
	}
	var err error
	if j.stale.Load() {
		err = j.Compact()
	}
	j.syncing.Lock()
	defer j.syncing.Unlock()
	return errors.Join(err, j.log.Sync(), j.log.Close(), j.lock.Close())
}

// closedLog stands for a file that could not be opened again.
type closedLog struct{ err error }

func (c closedLog) Write([]byte) (int, error) { return 0, c.err }
func (c closedLog) Sync() error               { return c.err }
func (c closedLog) Truncate(int64) error      { return c.err }
func (c closedLog) Close() error              { return nil }
