package review

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"sync"
	"sync/atomic"

	"github.com/copilot-bridge/copilot-bridge/internal/durable"
)

// journal is one open journal file. Its lock is held as long as it is open.
type journal struct {
	disk storage
	dir  string
	name string // in dir
	lock interface{ Close() error }
	head header

	log  durable.LogWriter
	seq  uint64
	size int64
	snap int64 // its size after it was last compacted

	// stale says that the state has gone on without the journal, or that what the
	// journal holds is not known: the next record needs a snapshot first.
	stale atomic.Bool
	// salvaged says that the state has more than the good part of the file leads to.
	salvaged bool
	told     bool // the user knows that it does not save

	next  *journal // is about to take its place, and holds what is recorded meanwhile too
	count uint64   // of the records of this process, whichever file they are in

	syncing sync.Mutex // held while the disk works. Locked before b.mu
	synced  uint64     // records up to this count are on disk
}

func (j *journal) path() string { return filepath.Join(j.dir, j.name) }

// append writes one record at the end, whole or not at all.
func (j *journal) append(r record) error {
	body, err := json.Marshal(r)
	if err != nil {
		return err
	}
	if len(body) > maxRecord {
		return fmt.Errorf("a record of %d bytes is over the limit of %d", len(body), maxRecord)
	}
	data := durable.AppendRecord(nil, j.seq+1, body)
	if _, err := j.log.Write(data); err != nil {
		if j.log.Truncate(j.size) != nil {
			j.stale.Store(true)
		}
		return err
	}
	j.seq++
	j.count++
	j.size += int64(len(data))
	return nil
}

func (j *journal) close() error {
	j.syncing.Lock()
	defer j.syncing.Unlock()
	err := j.log.Sync()
	if e := j.log.Close(); err == nil {
		err = e
	}
	if e := j.lock.Close(); err == nil {
		err = e
	}
	return err
}

// write records a change. The caller holds b.mu.
func (b *Book) write(r record) error {
	j := b.journal
	if j == nil {
		return nil
	}
	n := j.next
	if n != nil && !n.stale.Load() && n.append(r) != nil {
		n.stale.Store(true)
	}
	if j.stale.Load() {
		if n != nil && !n.stale.Load() {
			return nil // it is in the one that comes
		}
		return fmt.Errorf("%s does not hold what came before", j.path())
	}
	if err := j.append(r); err != nil {
		b.notSaved(err)
		return err
	}
	if j.told {
		j.told = false
		b.notice("The review journal is being saved again.")
	}
	return nil
}

// diverged notes that the journal no longer leads to the state.
func (b *Book) diverged() {
	if j := b.journal; j != nil {
		j.stale.Store(true)
		if j.next != nil {
			j.next.stale.Store(true)
		}
	}
}

// notSaved tells the user once that the journal does not work.
func (b *Book) notSaved(err error) {
	if !b.journal.told {
		b.journal.told = true
		b.notice("The review journal is not saved: %v. Pending changes would be lost with this process.", err)
	}
}

// sync returns when the first so many records are on disk. The caller does not hold b.mu.
func (b *Book) sync(count uint64) error {
	j := b.journal
	if j == nil {
		return nil
	}
	j.syncing.Lock()
	defer j.syncing.Unlock()
	if j.synced >= count {
		return nil // with another one's, or in a snapshot
	}
	if err := j.log.Sync(); err != nil {
		// What is on disk now is anybody's guess, and asking again would not tell.
		j.stale.Store(true)
		return fmt.Errorf("sync %s: %w", j.path(), err)
	}
	j.synced = count
	return nil
}

// saveNow returns when what was recorded is on disk, or cannot be, which is logged. The caller holds b.mu, which is given back for the
// time. It is never called for what the editor tells: the goroutine that reads from the editor does not wait for a disk.
func (b *Book) saveNow() {
	if b.journal == nil {
		return
	}
	if b.journal.stale.Load() { // a snapshot has it too
		if err := b.compact(); err != nil {
			b.notSaved(err)
		}
		return
	}
	count := b.journal.count
	b.mu.Unlock()
	err := b.sync(count)
	b.mu.Lock()
	if err != nil {
		b.cfg.Log.Warn().Err(err).Msg("review journal")
	}
}

// closedLog stands for a journal that could not be opened again.
type closedLog struct{ err error }

func (c closedLog) Write([]byte) (int, error) { return 0, c.err }
func (c closedLog) Sync() error               { return c.err }
func (c closedLog) Truncate(int64) error      { return c.err }
func (c closedLog) Close() error              { return nil }
