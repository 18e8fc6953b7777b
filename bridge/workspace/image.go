package workspace

import (
	"bytes"
	"errors"
	"io"
	"os"
	"slices"
)

// imageOf takes a file's content if the budget allows: a clone of a larger file, the bytes of another. A file that
// changes while it is read is not known. Caller holds mu.
func (x *Index) imageOf(path string, e *entry) {
	if e == nil || e.known || e.stamp.size > MaxImage {
		return
	}
	if e.stamp.size >= cloneSize {
		if f := x.clones.take(path, e.stamp); f != nil {
			e.clone, e.known = f, true
			return
		}
	}
	if x.bytes+e.stamp.size > x.maxBytes {
		return
	}
	if b, s, err := readFile(path); err == nil && s == e.stamp {
		x.setImage(e, b)
	}
}

// setImage makes b the content of e if there is room. Caller holds mu.
func (x *Index) setImage(e *entry, b []byte) {
	if e == nil || e.known || x.bytes+int64(len(b)) > x.maxBytes {
		return
	}
	e.image, e.known = b, true
	x.bytes += int64(len(b))
}

// room says whether another image may still be taken. Caller holds mu.
func (x *Index) room() bool { return x.bytes < x.maxBytes || x.clones.open() }

// content is what is known of a file's content.
func (e *entry) content() ([]byte, bool) {
	if e.clone == nil {
		return e.image, e.known
	}
	b := make([]byte, e.stamp.size)
	if _, err := io.ReadFull(io.NewSectionReader(e.clone, 0, e.stamp.size), b); err != nil {
		return nil, false
	}
	return b, true
}

func (x *Index) drop(e *entry) {
	x.bytes -= int64(len(e.image))
	if e.clone != nil {
		x.clones.give(e.clone)
	}
	e.image, e.clone, e.known = nil, nil, false
}

// clones makes files that share their blocks with others. They have no name, so that nothing is left of them however
// the bridge ends.
type clones struct {
	dir string // "" for none, also after the file system said that it cannot
	n   int
}

func (c *clones) open() bool { return c.dir != "" && c.n < maxClones }

// take clones a file that has the stamp before and after, nil if that cannot be.
func (c *clones) take(path string, s stamp) *os.File {
	if !c.open() {
		return nil
	}
	src, err := openPlain(path)
	if err != nil {
		return nil
	}
	defer src.Close()
	f, err := cloneFile(src, c.dir)
	if err != nil {
		if errors.Is(err, errors.ErrUnsupported) {
			c.dir = ""
		}
		return nil
	}
	if fi, err := src.Stat(); err != nil || stampOf(src.Name(), fi) != s {
		f.Close()
		return nil
	}
	c.n++
	return f
}

func (c *clones) give(f *os.File) {
	f.Close()
	c.n--
}

// readFile reads a regular file of at most MaxImage bytes, and its stamp when it was read. It never waits: a file that
// has become a pipe meanwhile is an error.
func readFile(path string) ([]byte, stamp, error) {
	f, err := openPlain(path)
	if err != nil {
		return nil, stamp{}, err
	}
	defer f.Close()
	fi, err := f.Stat()
	if err != nil {
		return nil, stamp{}, err
	}
	if !fi.Mode().IsRegular() || fi.Size() > MaxImage {
		return nil, stamp{}, errors.New("not a file to keep")
	}
	var buf bytes.Buffer
	buf.Grow(int(fi.Size()) + bytes.MinRead)
	if _, err := buf.ReadFrom(io.LimitReader(f, MaxImage+1)); err != nil {
		return nil, stamp{}, err
	}
	if int64(buf.Len()) != fi.Size() {
		return nil, stamp{}, errors.New("the file changed while it was read")
	}
	return slices.Clip(buf.Bytes()), stampOf(path, fi), nil
}
