// Package disk is the file system, confined to the folders of a session: paths are resolved, texts read, and files
// saved, renamed and removed, each whole or not at all. It knows no editor; package fsproxy puts the editor's buffers
// over it.
//
// Rules that hold:
//
//  1. A path is a handle. Symbolic links are resolved here, decisions are made on where they lead, and what is swapped
//     afterwards is noticed. A path outside the roots is served only to somebody who was allowed that very path.
//  2. A file is whole at every moment: the old one or the new one.
//  3. Text is kept byte for byte: line ends, byte order mark, missing final newline and mode. What is not UTF-8 is an
//     error, never a guess.
package disk

import (
	"errors"
	"path/filepath"
	"slices"
)

// Disk is the file system, confined to the roots. It is a Source of package fsproxy. All methods may
// be called from any goroutine, and each opens what it works on afresh, by handles
// from the root down, so that what is swapped for a link meanwhile is noticed and
// never followed.
//
// What goes in by name is checked in this order: the name itself, where it leads,
// whether that is inside, and whether what was opened is what was found there.
type Disk struct {
	*shared
	outside []string // real paths outside the roots that may be used
	exact   bool
}

// shared is what a Disk and its views have in common.
type shared struct {
	roots roots
	locks Locks
	limit int64 // MaxFileSize, less in tests

	// Seams for tests, nil in earnest: wrap stands between us and each folder, step
	// is called between the steps of an operation.
	testOnlyWrap func(folder) folder
	testOnlyStep func(step string)
}

// Open opens the folders dirs as roots. Each must exist; a symbolic link to a
// folder is as good as the folder.
func Open(dirs []string) (*Disk, error) {
	d := &Disk{shared: &shared{limit: MaxFileSize}}
	for _, dir := range dirs {
		if err := d.AddRoot(dir); err != nil {
			return nil, errors.Join(err, d.Close())
		}
	}
	return d, nil
}

// AddRoot opens one more root. A root that is there already is fine; one that was
// replaced by another folder of the same name is opened again.
func (d *Disk) AddRoot(dir string) error { return d.roots.add(dir) }

// Close closes the roots, for every view too. Operations under way may fail.
func (d *Disk) Close() error { return d.roots.close() }

// WithOutside returns a view of d that also serves real, for which somebody above
// has been given permission. real is a Resolved.Real: no other path outside the
// roots is served, nor real itself once a link leads away from it.
func (d *Disk) WithOutside(real string) *Disk {
	v := *d
	v.outside = append(slices.Clip(v.outside), filepath.Clean(real))
	return &v
}

// Exact returns a view of d that goes through no symbolic link: a caller that has decided
// on a Resolved.Real and operates on that path through an exact view gets that file
// or, if a link was put in its way meanwhile, ErrChanged.
func (d *Disk) Exact() *Disk {
	v := *d
	v.exact = true
	return &v
}

// step tells a test that an operation has come to a step.
func (d *Disk) step(name string) {
	if d.testOnlyStep != nil {
		d.testOnlyStep(name)
	}
}
