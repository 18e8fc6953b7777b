package workspace

import (
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"time"
)

// Listing is what is in one folder, as far as it can lead to other names of files.
type Listing struct {
	Folders []string // names, in order
	Links   []string // symbolic links, and junctions of Windows
	Files   []string // the regular files that were asked for
	Odd     []string // pipes, sockets and devices that were asked for
}

// Listings reads folders, and keeps what it has read until they change. It is safe for concurrent use.
type Listings struct {
	// Want says of which files that are no links the names are kept. It is always asked with the same answer.
	Want func(path string) bool

	mu     sync.Mutex
	cached map[string]cachedListing
}

type cachedListing struct {
	Listing
	stamp stamp
}

// Read lists a folder. ok is false if it was not read to its end in time. A folder that is gone, or may not be read, has
// nothing in it.
func (l *Listings) Read(dir string, until time.Time) (_ Listing, ok bool) {
	fi, err := os.Lstat(dir)
	if err != nil || !fi.IsDir() {
		return Listing{}, true
	}
	at := stampOf(dir, fi)
	l.mu.Lock()
	known, found := l.cached[dir]
	l.mu.Unlock()
	if found && known.stamp == at {
		return known.Listing, true
	}
	began := time.Now()
	out, ok := l.read(dir, until)
	if !ok {
		return Listing{}, false
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	switch {
	case began.Sub(time.Unix(0, at.changed)) < listingAge:
		delete(l.cached, dir) // a change right after the look might leave the same stamp
	default:
		if l.cached == nil || len(l.cached) >= maxListings {
			l.cached = map[string]cachedListing{}
		}
		l.cached[dir] = cachedListing{out, at}
	}
	return out, true
}

func (l *Listings) read(dir string, until time.Time) (out Listing, ok bool) {
	d, err := os.Open(dir)
	if err != nil {
		return Listing{}, true
	}
	defer d.Close()
	for {
		entries, err := d.ReadDir(folderBatch)
		for _, e := range entries {
			switch t := e.Type(); {
			case t.IsDir():
				out.Folders = append(out.Folders, e.Name())
			case t&(fs.ModeSymlink|fs.ModeIrregular) != 0:
				out.Links = append(out.Links, e.Name())
			case t.IsRegular() && l.Want(filepath.Join(dir, e.Name())):
				out.Files = append(out.Files, e.Name())
			case !t.IsRegular() && l.Want(filepath.Join(dir, e.Name())):
				out.Odd = append(out.Odd, e.Name())
			}
		}
		if err != nil || len(entries) == 0 {
			break
		}
		if time.Now().After(until) {
			return Listing{}, false
		}
	}
	slices.Sort(out.Folders)
	slices.Sort(out.Links)
	slices.Sort(out.Files)
	slices.Sort(out.Odd)
	return out, true
}
