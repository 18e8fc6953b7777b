package journal

import (
	"errors"
	"fmt"
	"io"
	"io/fs"

	"github.com/copilot-bridge/copilot-bridge/internal/durable"
)

// State is what records lead to.
type State interface {
	// Apply applies one record, the header too. An error means that it does not fit, which only damage can bring about;
	// it may have been applied in part.
	Apply(body []byte) error
	// Salvage takes in what can be used of the records behind a damaged place, and returns how many files it is about.
	Salvage(sc *durable.Scanner) (files int, err error)
}

// End is where the good records of a journal end.
type End struct {
	Head     Header
	Salvaged bool // the state has more than the good records lead to

	seq  uint64
	good int64 // offset in bytes
}

// Read replays a journal, which the caller has locked; one that is not there gives a fresh state. A damaged end is set
// aside and cut off.
func Read[S State](f *Folder, name string, fresh func() S) (S, End, error) {
	var none S
	log, err := f.Disk.Open(f.join(name))
	if errors.Is(err, fs.ErrNotExist) {
		return fresh(), End{}, nil
	}
	if err != nil {
		return none, End{}, err
	}
	defer log.Close()
	size, err := log.Size()
	if err != nil {
		return none, End{}, err
	}
	st := fresh()
	at, err := f.replay(log, size, -1, st)
	if err == nil {
		return st, at, nil
	}
	if !errors.Is(err, durable.ErrDamaged) {
		return none, at, err
	}
	// A record that does not fit may have been applied in part: once more, without it.
	st = fresh()
	if at, err = f.replay(log, size, int64(at.seq), st); err != nil {
		return none, at, err
	}
	n, err := st.Salvage(durable.NewScanner(log, size, at.good, at.seq, f.MaxRecord))
	if err != nil {
		return none, at, err
	}
	at.Salvaged = n > 0
	return st, at, f.cutOff(name, log, at.good, size, n)
}

// replay applies the records of a journal, at most so many of them.
func (f *Folder) replay(log io.ReaderAt, size, most int64, st State) (End, error) {
	at := End{}
	sc := durable.NewScanner(log, size, 0, 0, f.MaxRecord)
	for most < 0 || int64(at.seq) < most {
		found, err := sc.Next()
		if err == io.EOF {
			break
		}
		if err != nil {
			return at, err
		}
		if found.Seq == 1 {
			var r first
			if Unmarshal(found.Body, &r) != nil || r.Header == nil || r.Header.Format != format {
				return at, durable.ErrDamaged
			}
			if at.Head = *r.Header; at.Head.Version > version {
				return at, ErrNewer
			}
		}
		if err := st.Apply(found.Body); err != nil {
			f.Log.Warn().Err(err).Msg("review journal: a record does not fit")
			return at, durable.ErrDamaged
		}
		at.seq, at.good = found.Seq, found.End()
	}
	return at, nil
}

// cutOff copies what follows the good records to a file beside the journal, cuts it off, and says so.
func (f *Folder) cutOff(name string, log io.ReaderAt, good, size int64, salvaged int) error {
	bad, err := durable.SetAside(f.Disk, f.Path, name+".bad-", log, good, size)
	if err != nil {
		return fmt.Errorf("set the damaged end aside: %w", err)
	}
	if salvaged > 0 { // a snapshot takes its place, in one step
		f.Notice("The review journal was damaged: everything before the damage is there, and of what came after it the changes of %d files were salvaged, as far as they are still in the files; the damaged part is set aside in %s.", salvaged, bad)
		return nil
	}
	if err := durable.Change(f.Disk, f.join(name), func(out durable.LogWriter) error { return out.Truncate(good) }); err != nil {
		return err
	}
	f.Notice("The end of the review journal was damaged: its last %d bytes are set aside in %s; everything before them is there.", size-good, bad)
	return nil
}
