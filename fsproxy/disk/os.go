package disk

import (
	"io/fs"
	"os"

	"github.com/copilot-bridge/copilot-bridge/internal/durable"
)

// osFolder is the real folder. os.Root keeps every name given to it below the
// handle, whatever links there are.
type osFolder struct{ root *os.Root }

func (f osFolder) Self() (fs.FileInfo, error)             { return f.root.Stat(".") }
func (f osFolder) Lstat(name string) (fs.FileInfo, error) { return f.root.Lstat(name) }
func (f osFolder) Mkdir(name string, perm fs.FileMode) error {
	return f.root.Mkdir(name, perm)
}
func (f osFolder) Rename(from, to string) error {
	return durable.Patiently(func() error { return f.root.Rename(from, to) })
}

func (f osFolder) Remove(name string) error {
	return durable.Patiently(func() error { return f.root.Remove(name) })
}
func (f osFolder) Close() error { return f.root.Close() }

func (f osFolder) Open(name string, flag int, perm fs.FileMode) (file, error) {
	h, err := f.root.OpenFile(name, flag|openFlags, perm)
	if err != nil {
		return nil, err
	}
	return osFile{h}, nil
}

func (f osFolder) OpenFolder(name string) (folder, error) {
	// With "/." the name is opened as a folder on the way, which a pipe refuses at
	// once; OpenRoot of a plain name would wait for the pipe's other end.
	root, err := f.root.OpenRoot(name + string(os.PathSeparator) + ".")
	if err != nil {
		return nil, err
	}
	return osFolder{root}, nil
}

func (f osFolder) Move(from string, into folder, to string) error {
	return moveNew(f.root, from, into.(osFolder).root, to)
}

func (f osFolder) Sync() error { return syncFolder(f.root) }

// osFile is the real file.
type osFile struct{ *os.File }

func (f osFile) KeepOwner(old file) (bool, []string) {
	return keepOwner(f.File, old.(osFile).File)
}
func (f osFile) Kernel() string { return kernelFile(f.File) }
