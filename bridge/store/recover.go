package store

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"

	"github.com/go-json-experiment/json"

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
	bad, err := durable.SetAside(d, ses.dir, badName, log, good.size, size)
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

// salvage writes a log of the good records before and after the damage and puts it in the place of the damaged one. It
// returns the number of those after it, and has closed the log. Where there are none the log is cut.
func (ses *Session) salvage(log durable.LogReader, good mark, sc *durable.Scanner) (n int, err error) {
	d := ses.s.cfg.disk
	if err := sc.Resync(); err == io.EOF {
		return 0, durable.Change(d, ses.path(logName), func(out durable.LogWriter) error { return out.Truncate(good.size) })
	} else if err != nil {
		return 0, err
	}
	w := &repairedLog{at: good, replay: &ses.replay}
	err = durable.Rewrite(d, ses.path(logName), func(out durable.LogWriter) error {
		w.out = out
		_, err := io.Copy(out, io.NewSectionReader(log, 0, good.size))
		if err == nil {
			err = w.put(gapRecord)
		}
		for err == nil {
			r, e := sc.Next()
			switch {
			case e == nil:
				err = w.put(r.Body)
				n++
			case errors.Is(e, durable.ErrDamaged):
				if err = sc.Resync(); err == nil {
					err = w.put(gapRecord)
				}
			default:
				err = e
			}
		}
		if err := noEOF(err); err != nil {
			return err
		}
		return log.Close() // Windows replaces no file that is open
	})
	if err != nil {
		return 0, err
	}
	ses.size, ses.seq, ses.safe = w.at.size, w.at.seq, w.at
	return n, nil
}

// gapRecord says that entries are missing.
var gapRecord = []byte(`{"k":"gap"}`)

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
	w.replay.add(mark{w.at.size, w.at.seq + 1}, end)
	w.at = mark{end, w.at.seq + 1}
	return nil
}

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
	return w.skips, eachOf(durable.NewScanner(log, w.until, w.from.size, w.from.seq-1, maxRecord), func(e Entry) {
		if e.Kind != kindMeta {
			visit(e)
		}
	})
}
