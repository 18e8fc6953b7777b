package journal

import (
	"errors"
	"fmt"
)

// compactMin is the size (bytes) under which a journal is not worth compacting.
const compactMin = 8 << 20

// Ready sees to it that a journal is compacted that does not hold the state or has grown too long, and does not wait for
// that: it is called for every keystroke, on the goroutine that reads from the editor.
func (j *Journal) Ready() {
	if j == nil || j.compactingBeside || !j.stale.Load() && j.size <= max(compactMin, 2*j.snap) {
		return
	}
	j.compactingBeside = true
	j.work.Go(j.compactBeside)
}

// compactBeside is the goroutine that compacts the journal; there is one at a time, and Wait waits for it.
func (j *Journal) compactBeside() {
	j.owner.Mu.Lock()
	defer j.owner.Deliver()
	defer j.owner.Mu.Unlock()
	if err := j.Compact(); err != nil {
		j.notSaved(err)
	}
	j.compactingBeside = false
}

// Current returns when the journal can hold what comes next; the error says why it cannot. The lock is given back for the
// time; the caller is not in the middle of anything.
func (j *Journal) Current() error {
	if j == nil {
		return nil
	}
	if !j.stale.Load() {
		j.Ready() // what has grown too long still does
		return nil
	}
	err := j.Compact()
	if err != nil {
		j.notSaved(err)
	}
	return err
}

var errOvertaken = errors.New("the state went on while it was written down")

// Compact replaces the journal by a snapshot of the state, atomically. The lock is given back while the disk works: what is
// recorded meanwhile goes into the new file too.
func (j *Journal) Compact() error {
	for j.compacting {
		j.compacted.Wait()
	}
	j.compacting = true
	defer func() {
		j.compacting = false
		j.compacted.Broadcast()
	}()
	disk, mu := j.folder.Disk, j.owner.Mu
	fresh := j.path() + ".new"
	_ = disk.Remove(fresh) // half a snapshot of a process that died
	log, err := disk.Append(fresh)
	if err != nil {
		return err
	}
	n := &file{log: log}
	add := func(record any) error { return n.append(record, j.folder.MaxRecord) }
	err = add(first{&j.head})
	if err == nil {
		err = j.owner.Snapshot(add)
	}
	if err == nil {
		j.next = n
		mu.Unlock()
		j.syncing.Lock()
		mu.Lock()
		defer j.syncing.Unlock()
		err = j.catchUp(n)
		j.next = nil
	}
	if e := log.Close(); err == nil {
		err = e
	}
	if err != nil {
		_ = disk.Remove(fresh)
		return fmt.Errorf("write %s: %w", fresh, err)
	}
	return j.replace(n, fresh)
}

// catchUp returns when everything that was recorded is on disk in a file that is about to take the place of this one. The
// lock is given back while the disk works.
func (j *Journal) catchUp(n *file) error {
	for {
		at := n.seq
		j.owner.Mu.Unlock()
		err := n.log.Sync()
		j.owner.Mu.Lock()
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

// replace makes a fresh file, which is closed, that of the journal. The caller holds j.syncing too.
func (j *Journal) replace(n *file, fresh string) error {
	disk := j.folder.Disk
	if j.log != nil {
		j.log.Close() // Windows does not rename over an open file
	}
	err := disk.Rename(fresh, j.path())
	reopened, e := disk.Append(j.path())
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
	j.owner.Mu.Unlock()
	err = disk.SyncDir(j.folder.Path)
	j.owner.Mu.Lock()
	if err != nil {
		j.stale.Store(true)
		return err
	}
	j.synced = count
	return nil
}
