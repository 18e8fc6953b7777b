package store

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/copilot-bridge/copilot-bridge/internal/durable"
)

// window is the part of a log that is read back: its last records, maxReplay bytes of them.
type window struct {
	from  mark
	until int64
	skips bool // there is more before it
	marks []mark
}

// add notes a record that begins at m and ends at end.
func (w *window) add(m mark, end int64) {
	w.marks = append(w.marks, m)
	w.until = end
	n := 0
	for n < len(w.marks)-1 && end-w.marks[n].size > maxReplay {
		n++
	}
	w.marks = w.marks[n:]
	w.skips = w.skips || n > 0
	w.from = w.marks[0]
}

// recover reads the log to its end, sets aside what is damaged, and salvages what comes after it.
func (ses *Session) recover() error {
	d := ses.s.cfg.disk
	log, err := d.Open(ses.path(logName))
	if errors.Is(err, fs.ErrNotExist) {
		ses.s.cfg.Notice(Notice{Session: ses.id, Text: "the log of this session is gone; what was said before cannot be shown"})
		return nil
	}
	if err != nil {
		return err
	}
	defer log.Close()
	size, err := log.Size()
	if err != nil {
		return err
	}
	sc := durable.NewScanner(log, size, 0, 0, maxRecord)
	good, err := ses.read(sc)
	ses.size, ses.seq = good.size, good.seq
	ses.safe = good
	if err == nil || ses.readOnly != nil {
		return nil
	}
	if !errors.Is(err, durable.ErrDamaged) {
		return err
	}
	bad, err := ses.setAside(log, good.size, size)
	if err != nil {
		return fmt.Errorf("set aside the damaged end of %s: %w", ses.path(logName), err)
	}
	n, err := ses.salvage(log, good, sc)
	if err != nil {
		return fmt.Errorf("repair %s: %w", ses.path(logName), err)
	}
	text := fmt.Sprintf("the saved session was damaged: %d bytes that cannot be read were set aside in %s", size-good.size, bad)
	if n > 0 {
		text = fmt.Sprintf("the saved session was damaged in the middle: %d entries after the damage were salvaged, the damaged part was set aside in %s", n, bad)
	}
	ses.s.cfg.Notice(Notice{Session: ses.id, Text: text})
	return nil
}

// read scans the good records; nil means a clean end.
func (ses *Session) read(sc *durable.Scanner) (mark, error) {
	for {
		r, err := sc.Next()
		if err != nil {
			return mark{sc.At, sc.Seq}, noEOF(err)
		}
		if bytes.HasPrefix(r.Body, metaPrefix) {
			var e struct {
				V struct {
					Format int `json:"format"`
				} `json:"v"`
			}
			if json.Unmarshal(r.Body, &e, lenient) == nil && e.V.Format > Format {
				ses.readOnly = ErrNewer
			}
		}
		ses.replay.add(mark{r.At, r.Seq}, r.End())
	}
}

var metaPrefix = []byte(`{"k":"meta"`)

func noEOF(err error) error {
	if err == io.EOF {
		return nil
	}
	return err
}

// setAside copies a part of the log into a file of its own, once: a crash before the log was repaired does not make two.
func (ses *Session) setAside(log io.ReaderAt, from, to int64) (string, error) {
	d := ses.s.cfg.disk
	names, err := d.List(ses.dir)
	if err != nil {
		return "", err
	}
	last := 0
	for _, n := range names {
		if i, err := strconv.Atoi(strings.TrimPrefix(n, badName)); err == nil && strings.HasPrefix(n, badName) {
			last = max(last, i)
		}
	}
	if name := badName + strconv.Itoa(last); last > 0 && ses.same(name, log, from, to) {
		return ses.path(name), nil
	}
	name := ses.path(badName + strconv.Itoa(last+1))
	fresh := ses.path("." + badName + "new")
	if err := d.Remove(fresh); err != nil {
		return "", err
	}
	out, err := d.Append(fresh)
	if err != nil {
		return "", err
	}
	_, err = io.Copy(out, io.NewSectionReader(log, from, to-from))
	if err == nil {
		err = out.Sync()
	}
	if e := out.Close(); err == nil {
		err = e
	}
	if err == nil {
		err = d.Rename(fresh, name)
	}
	if err == nil {
		err = d.SyncDir(ses.dir)
	}
	return name, err
}

// same says whether a file holds just this part of the log.
func (ses *Session) same(name string, log io.ReaderAt, from, to int64) bool {
	f, err := ses.s.cfg.disk.Open(ses.path(name))
	if err != nil {
		return false
	}
	defer f.Close()
	if n, err := f.Size(); err != nil || n != to-from {
		return false
	}
	a, b := make([]byte, scanBuffer), make([]byte, scanBuffer)
	for at := int64(0); at < to-from; {
		n, e1 := f.ReadAt(a[:min(scanBuffer, to-from-at)], at)
		m, e2 := log.ReadAt(b[:n], from+at)
		if n == 0 || n != m || e1 != nil && e1 != io.EOF || e2 != nil && e2 != io.EOF || !bytes.Equal(a[:n], b[:n]) {
			return false
		}
		at += int64(n)
	}
	return true
}

// salvage writes a log of the good records before and after the damage and puts it in the place of the damaged one. It
// returns the number of those after it. Where there are none the log is cut.
func (ses *Session) salvage(log io.ReaderAt, good mark, sc *durable.Scanner) (n int, err error) {
	d := ses.s.cfg.disk
	if err := sc.Resync(); err == io.EOF {
		cut, err := d.Append(ses.path(logName))
		if err != nil {
			return 0, err
		}
		defer cut.Close()
		if err := cut.Truncate(good.size); err != nil {
			return 0, err
		}
		return 0, cut.Sync()
	} else if err != nil {
		return 0, err
	}
	fresh := ses.path("." + logName + ".new")
	if err := d.Remove(fresh); err != nil {
		return 0, err
	}
	out, err := d.Append(fresh)
	if err != nil {
		return 0, err
	}
	w := &repairedLog{out: out, at: good, replay: &ses.replay}
	_, err = io.Copy(out, io.NewSectionReader(log, 0, good.size))
	if err == nil {
		err = w.put(jsontext.Value(`{"k":"gap"}`))
	}
	for err == nil {
		r, e := sc.Next()
		if errors.Is(e, durable.ErrDamaged) {
			if e = sc.Resync(); e == nil {
				err = w.put(jsontext.Value(`{"k":"gap"}`))
				continue
			}
		}
		if e == io.EOF {
			break
		}
		if err = e; err == nil {
			err = w.put(r.Body)
			n++
		}
	}
	if err == nil {
		err = out.Sync()
	}
	if e := out.Close(); err == nil {
		err = e
	}
	if err == nil {
		err = d.Rename(fresh, ses.path(logName))
	}
	if err == nil {
		err = d.SyncDir(ses.dir)
	}
	if err != nil {
		return 0, err
	}
	ses.size, ses.seq, ses.safe = w.at.size, w.at.seq, w.at
	return n, nil
}

// repairedLog is a log that is written anew.
type repairedLog struct {
	out    durable.LogWriter
	at     mark
	replay *window
}

func (w *repairedLog) put(js []byte) error {
	buf := durable.AppendRecord(nil, w.at.seq+1, js)
	if _, err := w.out.Write(buf); err != nil {
		return err
	}
	end := w.at.size + int64(len(buf))
	w.replay.add(w.at.next(), end)
	w.at = mark{end, w.at.seq + 1}
	return nil
}

func (m mark) next() mark { return mark{m.size, m.seq + 1} }

// Entries gives what was in the session when it was opened, oldest first; skipped says that it had more than is worth
// keeping in memory, which [Store.Read] still reads.
func (ses *Session) Entries(visit func(Entry)) (skipped bool, err error) {
	w := ses.replay
	if len(w.marks) == 0 {
		return false, nil
	}
	log, err := ses.s.cfg.disk.Open(ses.path(logName))
	if err != nil {
		return false, err
	}
	defer log.Close()
	sc := durable.NewScanner(log, w.until, w.from.size, w.from.seq-1, maxRecord)
	for {
		r, err := sc.Next()
		if err != nil {
			return w.skips, noEOF(err)
		}
		var e Entry
		if json.Unmarshal(r.Body, &e, lenient) == nil && e.Kind != kindMeta {
			visit(e)
		}
	}
}
