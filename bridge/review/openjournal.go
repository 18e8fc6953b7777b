package review

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"path/filepath"

	"github.com/copilot-bridge/copilot-bridge/bridge/review/journal"
	"github.com/copilot-bridge/copilot-bridge/internal/durable"
)

// openJournal takes the first free journal of the workspace, reads it, and takes
// over what other bridges that are gone have left in theirs.
func (b *Book) openJournal() error {
	sum := sha256.Sum256([]byte(b.cfg.Workspace))
	dir := filepath.Join(b.cfg.Dir, hex.EncodeToString(sum[:8]))
	b.folder.Path = dir
	for _, d := range []string{b.cfg.Dir, dir} {
		if err := b.folder.Disk.MakeDir(d); err != nil {
			return fmt.Errorf("make the folder of the review journal: %w", err)
		}
	}
	for n := range MaxJournals {
		err := b.takeJournal(n)
		if errors.Is(err, durable.ErrHeld) {
			continue
		}
		if errors.Is(err, journal.ErrNewer) {
			b.notice("The review journal %s was written by a newer version of copilot-bridge; it is left as it is, and what is pending in it is not shown.", journal.Name(n))
			continue
		}
		if err != nil {
			return fmt.Errorf("open the review journal in %s: %w", dir, err)
		}
		names, err := b.folder.Names()
		if err != nil {
			return fmt.Errorf("open the review journal: %w", err)
		}
		ls, err := b.beside(b.journal.Name(), names)
		if err == nil {
			err = b.takeIn(ls, map[string]bool{})
		}
		if err != nil {
			b.notice("What earlier bridges have left in %s could not be taken over: %v", dir, err)
		}
		b.adoptAll()
		return nil
	}
	return fmt.Errorf("open the review journal: all %d in %s are in use; close other editors of this folder", MaxJournals, dir)
}

// takeJournal locks and reads one journal.
func (b *Book) takeJournal(n int) error {
	lock, err := b.folder.Lock(n)
	if err != nil {
		return err
	}
	st, at, err := journal.Read(&b.folder, journal.Name(n), newState)
	if err != nil {
		lock.Close()
		return err
	}
	st.orphan()
	b.st = st
	owner := journal.Owner{Mu: &b.mu, Deliver: b.deliver, Snapshot: func(each func(any) error) error { return b.st.snapshot(each) }}
	if b.journal, err = journal.Open(&b.folder, n, lock, at, owner); err != nil {
		return err
	}
	b.st.prefix = b.journal.Prefix()
	return nil
}

// Apply is for package journal.
func (st *state) Apply(body []byte) error {
	var r record
	if err := journal.Unmarshal(body, &r); err != nil {
		return err
	}
	return st.step(r)
}

// orphan notes that nobody of this process began what is in flight, and that nothing was compared yet.
func (st *state) orphan() {
	for _, fl := range st.flights {
		fl.orphan = true
	}
	for _, f := range st.files {
		f.unsettled = true
	}
	clear(st.shown)
	clear(st.talked)
}

// makeRoom gives up the oldest turns where the state no longer fits into a
// journal. It is not called in the middle of anything.
func (b *Book) makeRoom() {
	limit := MaxJournal
	if b.limit != 0 {
		limit = b.limit
	}
	if b.journal.Size() <= int64(limit) || b.st.weight() <= limit {
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
	b.journal.Diverged()
}
