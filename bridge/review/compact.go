package review

import (
	"errors"
	"fmt"
)

// worn says that the journal does not hold the state, or has grown too long. The caller holds b.mu.
func (b *Book) worn() bool {
	j := b.journal
	return j != nil && (j.stale.Load() || j.size > max(compactMin, 2*j.snap))
}

// ready sees to it that a worn journal is compacted, and does not wait for that: it is called for every keystroke, on the goroutine
// that reads from the editor. The caller holds b.mu and is about to apply a record.
func (b *Book) ready() {
	if b.worn() && !b.keeping {
		b.keeping = true
		b.work.Go(b.keep)
	}
}

// keep is the goroutine that compacts the journal; there is one at a time, and Close waits for it.
func (b *Book) keep() {
	b.mu.Lock()
	defer b.deliver()
	defer b.mu.Unlock()
	if err := b.compact(); err != nil {
		b.notSaved(err)
	}
	b.keeping = false
}

// current returns when the journal can hold what comes next; the error says why it cannot. The caller holds b.mu, which is given
// back for the time, and is not in the middle of anything.
func (b *Book) current() error {
	if b.journal == nil {
		return nil
	}
	if !b.journal.stale.Load() {
		b.ready() // what has grown too long still does
		return nil
	}
	err := b.compact()
	if err != nil {
		b.notSaved(err)
	}
	return err
}

var errOvertaken = errors.New("the state went on while it was written down")

// compact replaces the journal by a snapshot of the state, atomically. The caller holds b.mu, which is given back while the disk
// works: what is recorded meanwhile goes into the new journal too.
func (b *Book) compact() error {
	for b.compacting {
		b.compacted.Wait()
	}
	b.compacting = true
	defer func() {
		b.compacting = false
		b.compacted.Broadcast()
	}()
	j := b.journal
	fresh := j.path() + ".new"
	if err := j.disk.Remove(fresh); err == nil {
		b.cfg.Log.Debug().Str("file", fresh).Msg("left over")
	}
	log, err := j.disk.Append(fresh)
	if err != nil {
		return err
	}
	n := &journal{disk: j.disk, log: log}
	err = n.append(record{Header: &j.head})
	if err == nil {
		err = b.st.snapshot(n.append)
	}
	for _, fl := range b.st.flights {
		fl.saved = nil // not in the snapshot, and the state has to be what the journal leads to
	}
	if err == nil {
		j.next = n
		b.mu.Unlock()
		j.syncing.Lock()
		b.mu.Lock()
		defer j.syncing.Unlock()
		err = b.catchUp(n)
		j.next = nil
	}
	if e := log.Close(); err == nil {
		err = e
	}
	if err != nil {
		_ = j.disk.Remove(fresh)
		return fmt.Errorf("write %s: %w", fresh, err)
	}
	return b.replace(j, n, fresh)
}

// catchUp returns when everything that was recorded is on disk in a journal that is about to take another one's place. The caller
// holds b.mu, which is given back while the disk works.
func (b *Book) catchUp(n *journal) error {
	for {
		at := n.seq
		b.mu.Unlock()
		err := n.log.Sync()
		b.mu.Lock()
		switch {
		case err != nil:
			return err
		case n.stale.Load():
			return errOvertaken
		case n.seq == at:
			return nil
		}
	}
}

// replace makes the file of a fresh journal, which is closed, that of the journal. The caller holds b.mu and j.syncing.
func (b *Book) replace(j, n *journal, fresh string) error {
	if j.log != nil {
		j.log.Close() // Windows does not rename over an open file
	}
	err := j.disk.Rename(fresh, j.path())
	reopened, e := j.disk.Append(j.path())
	if e != nil {
		j.log = closedLog{e}
		j.stale.Store(true)
		return e
	}
	j.log = reopened
	if err != nil {
		return err
	}
	j.seq, j.size, j.snap = n.seq, n.size, n.size
	j.stale.Store(false)
	count := j.count
	b.mu.Unlock()
	err = j.disk.SyncDir(j.dir)
	b.mu.Lock()
	if err != nil {
		j.stale.Store(true)
		return err
	}
	j.synced = count
	return nil
}

// makeRoom gives up the oldest turns where the state no longer fits into a
// journal. It is not called in the middle of anything.
func (b *Book) makeRoom() {
	limit := MaxJournal
	if b.limit != 0 {
		limit = b.limit
	}
	if b.journal == nil || b.journal.size <= int64(limit) || b.st.weight() <= limit {
		return
	}
	for b.st.weight() > limit {
		turn, ok := b.st.oldest()
		if !ok {
			break
		}
		b.st.forget(turn)
		b.notice("The review journal is full (%d MB): the changes of turn %s can no longer be undone.", limit>>20, turn)
	}
	b.diverged()
}
