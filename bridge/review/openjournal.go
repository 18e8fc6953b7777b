package review

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/copilot-bridge/copilot-bridge/internal/durable"
)

const (
	journalFormat  = "copilot-bridge review journal"
	journalVersion = 1
)

// errNewer says that a journal was written by a later version, which alone can read it.
var errNewer = errors.New("written by a newer version")

// newPrefix makes the start of all hunk ids of a journal.
func newPrefix() string { return strings.ToLower(rand.Text()[:5]) + "-" }

// openJournal takes the first free journal of the workspace, reads it, and takes
// over what other bridges that are gone have left in theirs.
func (b *Book) openJournal() error {
	sum := sha256.Sum256([]byte(b.cfg.Workspace))
	dir := filepath.Join(b.cfg.Dir, hex.EncodeToString(sum[:8]))
	for _, d := range []string{b.cfg.Dir, dir} {
		if err := b.disk.MakeDir(d); err != nil {
			return fmt.Errorf("make the folder of the review journal: %w", err)
		}
	}
	for n := range MaxJournals {
		err := b.takeJournal(dir, n)
		if errors.Is(err, durable.ErrHeld) {
			continue
		}
		if errors.Is(err, errNewer) {
			b.notice("The review journal %s was written by a newer version of copilot-bridge; it is left as it is, and what is pending in it is not shown.", journalName(n))
			continue
		}
		if err != nil {
			return fmt.Errorf("open the review journal in %s: %w", dir, err)
		}
		names, err := b.disk.List(dir)
		if err != nil {
			return fmt.Errorf("open the review journal: %w", err)
		}
		ls, err := b.beside(b.journal, names)
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

func journalName(n int) string { return fmt.Sprintf("%d.log", n) }

// takeJournal locks and reads one journal.
func (b *Book) takeJournal(dir string, n int) (err error) {
	lock, err := b.disk.Lock(filepath.Join(dir, lockName(n)))
	if err != nil {
		return err
	}
	j := &journal{disk: b.disk, dir: dir, name: journalName(n), lock: lock}
	defer func() {
		if err != nil {
			lock.Close()
			b.journal = nil
		}
	}()
	st, at, err := b.read(j)
	if err != nil {
		return err
	}
	b.journal = j
	j.head, j.seq, j.size, j.synced = at.head, at.seq, at.good, 0
	st.orphan()
	b.st = st
	if at.seq > 0 {
		if j.log, err = b.disk.Append(j.path()); err != nil {
			return err
		}
		j.snap = at.good
		if j.salvaged {
			return b.compact() // what was salvaged is in no journal any more
		}
		return nil
	}
	j.head = header{journalFormat, journalVersion, b.cfg.Workspace, newPrefix(), b.cfg.Now().UTC().Format(time.RFC3339)}
	b.st.prefix = j.head.Prefix
	return b.compact()
}

// read replays a journal, and returns where its good records end. A damaged end is set aside and cut off.
func (b *Book) read(j *journal) (*state, end, error) {
	log, err := b.disk.Open(j.path())
	if errors.Is(err, fs.ErrNotExist) {
		return newState(), end{}, nil
	}
	if err != nil {
		return nil, end{}, err
	}
	defer log.Close()
	size, err := log.Size()
	if err != nil {
		return nil, end{}, err
	}
	st, at, err := b.replay(log, size, -1)
	if err == nil {
		return st, at, nil
	}
	if !errors.Is(err, durable.ErrDamaged) {
		return nil, at, err
	}
	// A record that does not fit may have been applied in part: once more, without it.
	if st, at, err = b.replay(log, size, int64(at.seq)); err != nil {
		return nil, at, err
	}
	n, err := salvage(durable.NewScanner(log, size, at.good, at.seq, maxRecord), st)
	if err != nil {
		return nil, at, err
	}
	j.salvaged = n > 0
	return st, at, b.setAside(j, log, at.good, size, n)
}

// end is where the good records of a journal end.
type end struct {
	head header
	seq  uint64
	good int64 // offset in bytes
}

// replay applies the records of a journal, at most so many of them.
func (b *Book) replay(log io.ReaderAt, size, most int64) (*state, end, error) {
	st, at := newState(), end{}
	sc := durable.NewScanner(log, size, 0, 0, maxRecord)
	for most < 0 || int64(at.seq) < most {
		found, err := sc.Next()
		if err == io.EOF {
			break
		}
		if err != nil {
			return st, at, err
		}
		var r record
		if json.Unmarshal(found.Body, &r) != nil {
			return st, at, durable.ErrDamaged
		}
		if found.Seq == 1 {
			if r.Header == nil || r.Header.Format != journalFormat {
				return st, at, durable.ErrDamaged
			}
			if at.head = *r.Header; at.head.Version > journalVersion {
				return st, at, errNewer
			}
		}
		if err := st.step(r); err != nil {
			b.cfg.Log.Warn().Err(err).Msg("review journal: a record does not fit")
			return st, at, durable.ErrDamaged
		}
		at.seq, at.good = found.Seq, found.End()
	}
	return st, at, nil
}

// setAside copies what follows the good records to a file beside the journal, cuts it off, and says so.
func (b *Book) setAside(j *journal, log io.ReaderAt, good, size int64, salvaged int) error {
	names, err := b.disk.List(j.dir)
	if err != nil {
		return err
	}
	bad := ""
	for k := 1; bad == "" || slices.Contains(names, bad); k++ {
		bad = fmt.Sprintf("%s.bad-%d", j.name, k)
	}
	out, err := b.disk.Append(filepath.Join(j.dir, bad))
	if err != nil {
		return err
	}
	n, err := io.Copy(out, io.NewSectionReader(log, good, size-good))
	if err == nil {
		err = out.Sync()
	}
	if e := out.Close(); err == nil {
		err = e
	}
	if err != nil {
		return fmt.Errorf("set the damaged end aside: %w", err)
	}
	if salvaged == 0 {
		err = b.cut(j, good)
	} // else a snapshot takes its place, in one step
	switch {
	case err != nil:
		return err
	case salvaged > 0:
		b.notice("The review journal was damaged: everything before the damage is there, and of what came after it the changes of %d files were salvaged, as far as they are still in the files; the damaged part is set aside in %s.", salvaged, filepath.Join(j.dir, bad))
	default:
		b.notice("The end of the review journal was damaged: its last %d bytes are set aside in %s; everything before them is there.", n, filepath.Join(j.dir, bad))
	}
	return nil
}

// cut ends a journal after its good records.
func (b *Book) cut(j *journal, good int64) error {
	log, err := b.disk.Append(j.path())
	if err != nil {
		return err
	}
	err = log.Truncate(good)
	if err == nil {
		err = log.Sync()
	}
	if e := log.Close(); err == nil {
		err = e
	}
	return err
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
}
