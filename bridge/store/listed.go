package store

import (
	"path/filepath"
	"time"
)

// stamp tells a file from the one that takes its place. The zero stamp says nothing.
type stamp struct {
	inode uint64
	mod   int64 // Unix nanoseconds
	size  int64
}

// listed is a session as a listing found it, and the small file that it was read from. That file is never written to, only
// replaced, so the same file has the same in it.
type listed struct {
	meta Meta
	file stamp // zero: to be read again
}

// look reads a session's small file, if it is another one than before. What is no session has no id.
func (s *Store) look(id string, before map[string]listed, buf []byte) listed {
	dir, err := s.dir(id)
	if err != nil {
		return listed{}
	}
	if was, ok := before[id]; ok && was.file != (stamp{}) {
		if now, err := s.cfg.disk.Stamp(filepath.Join(dir, metaName)); err == nil && now == was.file {
			return was
		}
	}
	m, file, err := s.meta(id, buf)
	if err != nil {
		return listed{}
	}
	if s.cfg.Now().Sub(time.Unix(0, file.mod)) < stampAge {
		file = stamp{} // it may be replaced within the same tick of the clock
	}
	return listed{m, file}
}
