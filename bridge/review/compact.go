package review

import "fmt"

// compact replaces the journal by a snapshot of the state, atomically.
func (b *Book) compact() error {
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
	if err == nil {
		err = log.Sync()
	}
	if e := log.Close(); err == nil {
		err = e
	}
	if err != nil {
		_ = j.disk.Remove(fresh)
		return fmt.Errorf("write %s: %w", fresh, err)
	}
	j.syncing.Lock()
	defer j.syncing.Unlock()
	if j.log != nil {
		j.log.Close() // Windows does not rename over an open file
	}
	err = j.disk.Rename(fresh, j.path())
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
	if err := j.disk.SyncDir(j.dir); err != nil {
		j.stale.Store(true)
		return err
	}
	j.seq, j.size, j.snap, j.synced = n.seq, n.size, n.size, n.seq
	j.stale.Store(false)
	for _, fl := range b.st.flights {
		fl.saved = nil // not in the snapshot, and the state has to be what the journal leads to
	}
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
