package store

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/go-json-experiment/json"

	"github.com/copilot-bridge/copilot-bridge/internal/durable"
)

// The names in a session's folder.
const (
	logName    = "log"
	badName    = "log.bad-" // and a number: what of the log could not be read
	metaName   = "session.json"
	agentName  = "agent.json" // what the agent keeps of the session
	lockName   = "lock"
	hiddenName = "hidden" // folder of the store: agents' sessions that were deleted here
)

// Notice is something that the user must be told of a session.
type Notice struct {
	Session, Text string
	Unsaved       bool // something of it is in memory only
}

// Config is how a [Store] is opened.
type Config struct {
	Dir    string // private folder of the sessions; made when the first one is
	Now    func() time.Time
	Notice func(Notice) // tells the user about damage and about what is not saved; any goroutine
	disk   storage
}

// Store is the sessions in a folder. Its methods may be called from any goroutine, and other processes may use the
// same folder.
type Store struct {
	cfg Config

	mu     sync.Mutex
	listed map[string]listed // as the last listing found them, by id
}

// Open makes a store of a folder. It touches nothing.
func Open(cfg Config) *Store {
	if cfg.Now == nil {
		cfg.Now = time.Now
	}
	if cfg.Notice == nil {
		cfg.Notice = func(Notice) {}
	}
	if cfg.disk == nil {
		cfg.disk = disk{}
	}
	return &Store{cfg: cfg}
}

// goodID says whether an id can be the name of a folder. A regular expression with a bound costs the start of the
// program most of a millisecond.
func goodID(id string) bool {
	if id == "" || len(id) > maxID || strings.ContainsRune("._-", rune(id[0])) {
		return false
	}
	return !strings.ContainsFunc(id, func(r rune) bool {
		return !(r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("._-", r))
	})
}

// dir is the folder of a session.
func (s *Store) dir(id string) (string, error) {
	if !goodID(id) || id == hiddenName {
		return "", fmt.Errorf("%q: %w", id, ErrNotFound)
	}
	return filepath.Join(s.cfg.Dir, id), nil
}

// private makes the folder of a session, and sees to it that nobody else can write to it or to the one that it is in.
func (s *Store) private(dir string) error {
	for _, d := range []string{s.cfg.Dir, dir} {
		if err := s.cfg.disk.MakeDir(d); err != nil {
			return fmt.Errorf("make the folder of the sessions private: %w", err)
		}
	}
	return nil
}

// List gives all sessions, newest first. It reads no conversation.
func (s *Store) List() ([]Meta, error) {
	names, err := s.cfg.disk.List(s.cfg.Dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("list the sessions in %s: %w", s.cfg.Dir, err)
	}
	found := make([]listed, len(names))
	s.mu.Lock()
	before := s.listed
	s.mu.Unlock()
	var next atomic.Int64
	var work sync.WaitGroup
	for range listers {
		work.Go(func() {
			buf := make([]byte, smallFile)
			for i := next.Add(1) - 1; i < int64(len(names)); i = next.Add(1) - 1 {
				found[i] = s.look(names[i], before, buf)
			}
		})
	}
	work.Wait()
	list, now := make([]Meta, 0, len(found)), make(map[string]listed, len(found))
	for _, l := range found {
		if l.meta.ID != "" { // else it is no session
			list = append(list, l.meta)
			now[l.meta.ID] = l
		}
	}
	s.mu.Lock()
	s.listed = now
	s.mu.Unlock()
	slices.SortFunc(list, func(a, b Meta) int {
		if c := b.Updated.Compare(a.Updated); c != 0 {
			return c
		}
		return strings.Compare(a.ID, b.ID)
	})
	return list, nil
}

// Meta is what a session is: [ErrNotFound].
func (s *Store) Meta(id string) (Meta, error) {
	m, _, err := s.meta(id, make([]byte, smallFile))
	return m, err
}

// meta is Meta, and the stamp of the small file if that was good. buf is for reading it.
func (s *Store) meta(id string, buf []byte) (Meta, stamp, error) {
	dir, err := s.dir(id)
	if err != nil {
		return Meta{}, stamp{}, err
	}
	data, file, err := s.cfg.disk.ReadStamped(filepath.Join(dir, metaName), buf)
	if errors.Is(err, fs.ErrNotExist) {
		return Meta{}, stamp{}, fmt.Errorf("%q: %w", id, ErrNotFound) // never announced
	}
	var m Meta
	if err == nil && json.Unmarshal(data, &m, lenient) == nil && m.ID == id {
		return m, file, nil
	}
	// The small file is damaged; the log has it all.
	m = Meta{}
	err = s.each(id, func(e Entry) {
		var got Meta
		if e.Kind == kindMeta && json.Unmarshal(e.Body, &got, lenient) == nil && got.ID == id {
			m = got
		}
	})
	if m.ID == "" {
		return Meta{}, stamp{}, errors.Join(fmt.Errorf("%q: %w", id, ErrNotFound), err)
	}
	return m, stamp{}, nil
}

// Has says whether there is such a session.
func (s *Store) Has(id string) bool {
	_, err := s.Meta(id)
	return err == nil
}

// Read gives what is in a session, oldest first, without taking or needing its lock. It stops when visit returns false.
func (s *Store) Read(id string, visit func(Entry) bool) error {
	if _, err := s.Meta(id); err != nil {
		return err
	}
	on := true
	return s.each(id, func(e Entry) {
		if on && e.Kind != kindMeta {
			on = visit(e)
		}
	})
}

// each visits all entries that can be read, past damage too.
func (s *Store) each(id string, visit func(Entry)) error {
	dir, err := s.dir(id)
	if err != nil {
		return err
	}
	log, err := s.cfg.disk.Open(filepath.Join(dir, logName))
	if err != nil {
		return err
	}
	defer log.Close()
	size, err := log.Size()
	if err != nil {
		return err
	}
	return eachOf(durable.NewScanner(log, size, 0, 0, maxRecord), visit)
}

// eachOf visits the entries that a scanner comes by, with a gap for what is damaged.
func eachOf(sc *durable.Scanner, visit func(Entry)) error {
	for {
		r, err := sc.Next()
		if errors.Is(err, durable.ErrDamaged) {
			if err = sc.Resync(); err == nil {
				visit(Entry{Kind: KindGap})
				continue
			}
		}
		if err != nil {
			return noEOF(err)
		}
		var e Entry
		if json.Unmarshal(r.Body, &e, lenient) == nil { // else of a newer format
			visit(e)
		}
	}
}

// Delete removes a session for good: *[HeldError] if another process has it open.
func (s *Store) Delete(id string) error {
	dir, err := s.dir(id)
	if err != nil {
		return err
	}
	if _, err := s.Meta(id); err != nil {
		return err
	}
	lock, err := s.lock(id, dir)
	if err != nil {
		return err
	}
	// Without its small file it is no session any more, so that half a deletion is a whole one. Then nobody opens it, and
	// Windows does not remove the lock while it is open.
	err = s.cfg.disk.Remove(filepath.Join(dir, metaName))
	lock.Close()
	if err == nil {
		err = s.cfg.disk.Remove(dir)
	}
	if err != nil {
		return fmt.Errorf("delete session %s: %w", id, err)
	}
	return s.cfg.disk.SyncDir(s.cfg.Dir)
}

// lock takes a session's lock: *HeldError.
func (s *Store) lock(id, dir string) (interface{ Close() error }, error) {
	name := filepath.Join(dir, lockName)
	holder := fmt.Sprintf("process %d since %s", os.Getpid(), s.cfg.Now().UTC().Format(time.DateTime+" MST"))
	lock, err := s.cfg.disk.Lock(name, holder)
	if errors.Is(err, durable.ErrHeld) {
		who, _ := s.cfg.disk.Read(name)
		return nil, &HeldError{ID: id, Holder: strings.TrimSpace(string(who))}
	}
	if err != nil {
		return nil, fmt.Errorf("lock session %s: %w", id, err)
	}
	return lock, nil
}

// Hide notes that an agent's session was deleted here: the agent itself may keep listing it.
func (s *Store) Hide(agentID string) error {
	if !goodID(agentID) {
		return fmt.Errorf("%q: %w", agentID, ErrNotFound)
	}
	dir := filepath.Join(s.cfg.Dir, hiddenName)
	if err := s.cfg.disk.MakeDir(dir); err != nil {
		return err
	}
	return s.cfg.disk.Save(filepath.Join(dir, agentID), nil)
}

// Hidden are the agents' sessions that were deleted here.
func (s *Store) Hidden() map[string]bool {
	names, _ := s.cfg.disk.List(filepath.Join(s.cfg.Dir, hiddenName)) // none, or nothing can be said
	out := map[string]bool{}
	for _, n := range names {
		out[n] = true
	}
	return out
}

// FindEditor finds a session by the id that an editor knows it by, or the agent does.
func (s *Store) FindEditor(id string) (Meta, bool) {
	list, err := s.List()
	if err != nil {
		return Meta{}, false
	}
	for _, m := range list {
		if m.Editor == id || m.Editor == "" && m.Agent == id {
			return m, true
		}
	}
	return Meta{}, false
}
