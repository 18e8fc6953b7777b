package store

import (
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"sync"
	"time"

	"github.com/go-json-experiment/json"

	"github.com/copilot-bridge/copilot-bridge/internal/durable"
)

// Session is a session opened for writing. Its lock is held until Close. Methods may be called from any goroutine;
// Append and SetMeta never wait for the disk.
type Session struct {
	s    *Store
	id   string
	dir  string
	lock io.Closer
	// readOnly is why nothing is written, nil if it is.
	readOnly error

	mu      sync.Mutex // never held while the disk is waited for
	pending []item     // not yet certainly on disk, oldest first
	bytes   int        // of pending
	lost    int        // entries dropped because the disk did not take them for too long
	meta    Meta
	dirty   bool // meta is newer than its file
	timer   *time.Timer
	closed  bool

	io      sync.Mutex // held while the files are written
	log     durable.LogWriter
	written int    // of pending, how many are in the log, perhaps not yet on disk
	size    int64  // of the log with them
	seq     uint64 // number of the last record with them
	safe    mark   // the log as it is on disk for certain
	failing bool   // the user knows that it does not save
	narrow  string // level and mode that the small file has, certainly

	replay window // what Entries reads
}

// mark is a place in a log between two records.
type mark struct {
	size int64
	seq  uint64
}

// item is an entry that waits for the disk.
type item struct {
	js   []byte
	meta bool
}

// Create makes a session. It is not listed before the first [Session.Sync] that returned nil.
func (s *Store) Create(m Meta) (*Session, error) {
	dir, err := s.dir(m.ID)
	if err != nil {
		return nil, err
	}
	if s.Has(m.ID) {
		return nil, fmt.Errorf("session %s is in the store already", m.ID)
	}
	if err := s.private(dir); err != nil {
		return nil, err
	}
	return s.open(m.ID, dir, &m)
}

// Load opens a session to continue it: [ErrNotFound], *[HeldError]. What is damaged is set aside and reported. Where
// nothing can be written (a read-only disk, no locks, a folder of another user's) the session goes on without being
// saved, and the user is told.
func (s *Store) Load(id string) (*Session, error) {
	m, err := s.Meta(id)
	if err != nil {
		return nil, err
	}
	dir, _ := s.dir(id)
	err = s.private(dir)
	var ses *Session
	if err == nil {
		ses, err = s.open(id, dir, nil)
	}
	if err != nil && !errors.As(err, new(*HeldError)) {
		ses, err = s.openUnsaved(id, dir, err)
	}
	if err == nil {
		ses.meta = m
		if m.Format > Format {
			ses.readOnly = ErrNewer
		}
	}
	return ses, err
}

// openUnsaved opens a session that cannot be written to, because of cause.
func (s *Store) openUnsaved(id, dir string, cause error) (*Session, error) {
	ses := &Session{s: s, id: id, dir: dir, readOnly: fmt.Errorf("%w: %w", ErrUnsaved, cause)}
	if err := ses.recover(); err != nil {
		return nil, fmt.Errorf("open session %s: %w", id, errors.Join(cause, err))
	}
	s.cfg.Notice(Notice{Session: id, Unsaved: true, Text: fmt.Sprintf("not saved: %v; the session goes on, and what is said now would be lost with this process", cause)})
	return ses, nil
}

func (s *Store) open(id, dir string, fresh *Meta) (ses *Session, err error) {
	lock, err := s.lock(id, dir)
	if err != nil {
		return nil, err
	}
	ses = &Session{s: s, id: id, dir: dir, lock: lock}
	defer func() {
		if err != nil {
			lock.Close()
		}
	}()
	if fresh == nil {
		if err := ses.recover(); err != nil {
			return nil, fmt.Errorf("open session %s: %w", id, err)
		}
	}
	if ses.readOnly != nil {
		return ses, nil
	}
	if ses.log, err = s.cfg.disk.Append(ses.path(logName)); err != nil {
		return nil, fmt.Errorf("open session %s: %w", id, err)
	}
	if fresh != nil {
		// What a session that was never announced has left is not this one's.
		if err := errors.Join(ses.log.Truncate(0), s.cfg.disk.Remove(ses.path(agentName))); err != nil {
			ses.log.Close()
			return nil, fmt.Errorf("open session %s: %w", id, err)
		}
		fresh.Format = Format
		ses.SetMeta(func(m *Meta) { *m = *fresh })
	}
	return ses, nil
}

func (ses *Session) path(name string) string { return filepath.Join(ses.dir, name) }

// ReadOnly is why nothing is written to the session, nil if it is.
func (ses *Session) ReadOnly() error { return ses.readOnly }

// Meta is what the session is.
func (ses *Session) Meta() Meta {
	ses.mu.Lock()
	defer ses.mu.Unlock()
	return ses.meta
}

// SetMeta changes what the session is; the next Sync saves it.
func (ses *Session) SetMeta(change func(*Meta)) {
	ses.mu.Lock()
	defer ses.mu.Unlock()
	change(&ses.meta)
	ses.dirty = true
}

// Append adds an entry. It is written soon, and certain after the next Sync.
func (ses *Session) Append(e Entry) {
	if e.Time.IsZero() {
		e.Time = ses.s.cfg.Now().UTC()
	}
	js, err := json.Marshal(e, lenient)
	if err != nil || len(js) > maxRecord {
		ses.s.cfg.Notice(Notice{Session: ses.id, Unsaved: true, Text: fmt.Sprintf("not saved: an entry of %d bytes of this session (%v)", len(e.Body), errors.Join(err, errTooLong(len(js))))})
		return
	}
	ses.mu.Lock()
	defer ses.mu.Unlock()
	if ses.closed || ses.readOnly != nil {
		return
	}
	ses.pending = append(ses.pending, item{js: js})
	ses.bytes += len(js)
	if ses.timer == nil {
		ses.timer = time.AfterFunc(saveDelay, func() { _ = ses.save(false) }) // told of by itself, and tried again
	}
}

func errTooLong(n int) error {
	if n > maxRecord {
		return fmt.Errorf("more than %d bytes", maxRecord)
	}
	return nil
}

// Sync returns nil when everything given to Append and SetMeta is on disk. Another error says that it is kept in
// memory, and the next Sync tries again; the user has been told.
func (ses *Session) Sync() error { return ses.save(true) }

// Close syncs and lets go of the session.
func (ses *Session) Close() error {
	err := ses.save(true)
	ses.mu.Lock()
	if ses.closed {
		ses.mu.Unlock()
		return nil
	}
	ses.closed = true
	if ses.timer != nil {
		ses.timer.Stop()
	}
	ses.mu.Unlock()
	ses.io.Lock()
	defer ses.io.Unlock()
	if ses.log != nil {
		ses.log.Close()
	}
	if ses.lock == nil {
		return nil // it never was saved
	}
	return errors.Join(err, ses.lock.Close())
}
