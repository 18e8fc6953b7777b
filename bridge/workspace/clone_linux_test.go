package workspace

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Where files can share blocks (Btrfs, XFS) a large file's image is a clone and costs no memory; elsewhere the first
// try says so and none is made again. Either way the text before is known.
func TestALargeFileIsClonedOrRead(t *testing.T) {
	x, dir := folder(t)
	x.CloneInto(t.TempDir())
	text := strings.Repeat("large\n", 2*cloneSize/6)
	path := filepath.Join(dir, "a")
	write(t, path, text)
	before(t, x, Hints{Open: []string{path}})
	e := x.files[path]
	switch cloned := e.clone != nil; {
	case !e.known:
		t.Fatal("its content is not known")
	case cloned && (x.bytes != 0 || x.clones.n != 1):
		t.Errorf("a clone costs %d bytes", x.bytes)
	case !cloned && (x.clones.dir != "" || x.bytes != int64(len(text))):
		t.Errorf("it was read (%d bytes), and cloning is tried again", x.bytes)
	}
	t.Logf("cloned: %v", e.clone != nil)
	write(t, path, "small\n")
	list, _, err := x.After(t.Context())
	if err != nil || len(list) != 1 || string(list[0].Before) != text {
		t.Errorf("%v, %d changes", err, len(list))
	}
	if x.clones.n != 0 {
		t.Errorf("%d clones are open", x.clones.n)
	}
}

// A clone is an image like another one: it is let go when the file changes, and with the index.
func TestAClonesLife(t *testing.T) {
	x, dir := folder(t)
	path := filepath.Join(dir, "a")
	write(t, path, "before\n")
	before(t, x, Hints{})
	e := x.files[path]
	x.drop(e)
	f, err := os.Open(path) // stands in for a file that shares the blocks
	if err != nil {
		t.Fatal(err)
	}
	e.clone, e.known, x.clones.n = f, true, 1
	if b, ok := e.content(); !ok || string(b) != "before\n" {
		t.Errorf("%q, %v", b, ok)
	}
	x.Close()
	if x.clones.n != 0 || f.Close() == nil {
		t.Error("it is still open")
	}
}
