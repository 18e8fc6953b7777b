package review

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/copilot-bridge/copilot-bridge/internal/durable"
)

// adoptAll takes over the journals of this workspace that no process holds.
func (b *Book) adoptAll(dir string, ours int) error {
	names, err := b.disk.List(dir)
	if err != nil {
		return err
	}
	for n := range MaxJournals {
		if n == ours || !slices.Contains(names, journalName(n)) {
			continue
		}
		if err := b.adopt(dir, n); err != nil && !errors.Is(err, durable.ErrHeld) && !errors.Is(err, errNewer) {
			b.notice("The review journal %s of an earlier bridge could not be taken over: %v", journalName(n), err)
		}
	}
	return nil
}

// adopt takes over one journal: its files become ours, then it goes. What it
// holds of files that ours knows too is set aside, for both cannot be true.
func (b *Book) adopt(dir string, n int) error {
	lock, err := b.disk.Lock(filepath.Join(dir, fmt.Sprintf("%d.lock", n)))
	if err != nil {
		return err
	}
	defer lock.Close()
	j := &journal{disk: b.disk, dir: dir, name: journalName(n)}
	st, _, _, err := b.read(j)
	if err != nil {
		return err
	}
	st.orphan()
	twice := b.st.merge(st)
	if err := b.compact(); err != nil {
		return err
	}
	if len(twice) == 0 {
		return b.disk.Remove(j.path())
	}
	aside := fmt.Sprintf("%s.aside-%s", j.path(), b.cfg.Now().UTC().Format("20060102T150405"))
	if err := b.disk.Rename(j.path(), aside); err != nil {
		return err
	}
	b.notice("Two bridges had changes pending in the same files (%s): those of the earlier one can no longer be resolved here; they are set aside in %s.", strings.Join(twice, ", "), aside)
	return nil
}

// merge takes over another state. twice are the files that both know, and of which other's is left out.
func (st *state) merge(other *state) (twice []string) {
	taken := map[string]bool{}
	for path, f := range other.files {
		mine := st.files[path]
		if mine == nil {
			st.files[path], taken[path] = f, true
		} else if f.pending() && !slices.ContainsFunc(f.hunks, func(h hunk) bool { return mine.hunk(h.id) >= 0 }) {
			twice = append(twice, path)
		}
	}
	for _, fl := range other.flights {
		if taken[fl.path()] {
			fl.id = st.nextFlight
			st.nextFlight++
			st.flights[fl.id] = fl
		}
	}
	for _, nt := range other.notes {
		if taken[nt.Path] {
			st.notes = append(st.notes, nt)
		}
	}
	st.turns = append(slices.DeleteFunc(other.turns, func(t string) bool { return slices.Contains(st.turns, t) }), st.turns...)
	st.nextChange = max(st.nextChange, other.nextChange)
	st.nextGroup = max(st.nextGroup, other.nextGroup)
	slices.Sort(twice)
	return twice
}
