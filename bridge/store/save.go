package store

import (
	"errors"
	"fmt"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/copilot-bridge/copilot-bridge/internal/durable"
)

// save writes what waits, and with certain makes it last.
func (ses *Session) save(certain bool) error {
	ses.io.Lock()
	defer ses.io.Unlock()
	ses.mu.Lock()
	if ses.timer != nil {
		ses.timer.Stop()
		ses.timer = nil
	}
	ro, closed := ses.readOnly, ses.closed
	ses.mu.Unlock()
	if ro != nil || closed {
		return ro
	}
	err := ses.write(certain)
	switch {
	case err == nil && certain && ses.failing:
		ses.failing = false
		ses.s.cfg.Notice(Notice{Session: ses.id, Text: "this session is being saved again"})
	case err != nil && !ses.failing:
		ses.failing = true
		ses.s.cfg.Notice(Notice{Session: ses.id, Unsaved: true, Text: fmt.Sprintf("not saved: %v; the session goes on, and what is said now would be lost with this process", err)})
	}
	return err
}

// write appends to the log and replaces the small file. The caller holds ses.io.
func (ses *Session) write(certain bool) error {
	ses.mu.Lock()
	meta, dirty := ses.meta, ses.dirty && certain
	if dirty {
		// The log has it too, so that the small file can be made again.
		js, err := metaRecord(meta)
		if err != nil {
			ses.mu.Unlock()
			return err
		}
		ses.pending = append(ses.pending, item{js: js, meta: true})
		ses.bytes += len(js)
		ses.dirty = false
	}
	ses.makeRoom()
	fresh := ses.pending[ses.written:len(ses.pending):len(ses.pending)]
	ses.mu.Unlock()

	err := ses.append(fresh)
	if err == nil && (certain || ses.size-ses.safe.size > maxUncertain) {
		if err = ses.log.Sync(); err != nil {
			// After a failed sync nobody knows what is on disk, and a second one would not tell: it is all written once more.
			ses.rewind(ses.safe)
			ses.written = 0
			err = fmt.Errorf("sync %s: %w", ses.path(logName), err)
		} else {
			ses.saved()
		}
	}
	if err == nil && dirty {
		err = ses.saveMeta(meta)
	}
	if err != nil && dirty {
		ses.mu.Lock()
		ses.dirty = true
		ses.mu.Unlock()
	}
	return err
}

// append writes records at the end of the log, all or none.
func (ses *Session) append(list []item) error {
	if len(list) == 0 {
		return nil
	}
	size := 0
	for _, it := range list {
		size += durable.RecordSize(it.js)
	}
	buf := make([]byte, 0, size)
	seq := ses.seq
	for _, it := range list {
		seq++
		buf = durable.AppendRecord(buf, seq, it.js)
	}
	if _, err := ses.log.Write(buf); err != nil {
		ses.rewind(mark{ses.size, ses.seq})
		return err
	}
	ses.size += int64(len(buf))
	ses.seq = seq
	ses.written += len(list)
	return nil
}

// rewind takes away what came after m. If that fails too, records with the same numbers follow the damage, and the
// next opening takes the whole ones.
func (ses *Session) rewind(m mark) {
	if ses.log.Truncate(m.size) == nil {
		ses.size, ses.seq = m.size, m.seq
		return
	}
	ses.seq = m.seq
	if fresh, err := ses.s.cfg.disk.Open(ses.path(logName)); err == nil {
		if n, err := fresh.Size(); err == nil {
			ses.size = n
		}
		fresh.Close()
	}
}

// saved forgets what is certainly on disk.
func (ses *Session) saved() {
	ses.safe = mark{ses.size, ses.seq}
	ses.mu.Lock()
	defer ses.mu.Unlock()
	for _, it := range ses.pending[:ses.written] {
		ses.bytes -= len(it.js)
	}
	ses.pending = append([]item(nil), ses.pending[ses.written:]...)
	ses.written = 0
}

// makeRoom gives up the oldest entries that the disk has not taken for too long. The caller holds ses.mu and ses.io.
func (ses *Session) makeRoom() {
	if ses.bytes <= maxPending || ses.written > 0 {
		return
	}
	n := 0
	for ; n < len(ses.pending)-1 && ses.bytes > maxPending/2; n++ {
		ses.bytes -= len(ses.pending[n].js)
		if !ses.pending[n].meta {
			ses.lost++
		}
	}
	gap, err := json.Marshal(Entry{Kind: KindGap, Time: ses.s.cfg.Now().UTC(), Body: fmt.Appendf(nil, `{"lost":%d}`, ses.lost)}, lenient)
	if err != nil {
		panic(err) // of constants and a number
	}
	ses.pending = append([]item{{js: gap, meta: true}}, ses.pending[n:]...)
	ses.bytes += len(gap)
}

func (ses *Session) saveMeta(m Meta) error {
	data, err := json.Marshal(m, lenient)
	if err != nil {
		return err
	}
	d := ses.s.cfg.disk
	first := m.Turns == 0 || m.Level+m.Mode != ses.narrow
	if err := d.Save(ses.path(metaName), data); err != nil {
		return err
	}
	if !first {
		return nil // an older one would do
	}
	if err := errors.Join(d.SyncDir(ses.dir), d.SyncDir(ses.s.cfg.Dir)); err != nil {
		return err
	}
	ses.narrow = m.Level + m.Mode
	return nil
}

func metaRecord(m Meta) ([]byte, error) {
	body, err := json.Marshal(m, lenient)
	if err != nil {
		return nil, err
	}
	return json.Marshal(Entry{Kind: kindMeta, Body: jsontext.Value(body)}, lenient)
}
