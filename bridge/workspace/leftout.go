package workspace

import (
	"context"
	"io/fs"
	"os"
	"path/filepath"
)

// Rest is what a look after a command does not tell one by one of the files that [Index.Also] names.
type Rest struct {
	More map[string]int // how many more have changed, by the folder that git ignores
	Cut  bool           // not all such folders could be searched
}

// leftOut is a folder that walks leave out, or one below it.
type leftOut struct {
	path  string
	top   string // the outermost
	git   string // the repository that it is part of, or the outermost; see folderCounts
	moved bool   // it has come from elsewhere since the command began, with all that is in it
}

// searchLeftOut looks for what counts in the folders that walks leave out, those near the top first. What was there before is
// not known, so it goes by times: a file's own, which no program can set back, and that of a folder whose entries are
// the same and which yet has changed: it was moved.
func (a *after) searchLeftOut(ctx context.Context, tops []string) {
	var pending []leftOut
	for _, top := range tops {
		pending = append(pending, leftOut{path: top, top: top, git: top})
	}
	a.found = map[string]stamp{}
	defer func() { a.x.leftOut = a.found }()
	until, _ := ctx.Deadline()
	for i := 0; i < len(pending); i++ {
		f := pending[i]
		fi, err := os.Lstat(f.path)
		if err != nil || !fi.IsDir() {
			continue // gone meanwhile
		}
		list, ok := a.x.listings.Read(f.path, until)
		if !ok || i >= a.x.maxLeftOut || ctx.Err() != nil {
			a.rest.Cut = true
			return
		}
		since, at := a.x.since.UnixNano(), stampOf(f.path, fi)
		f.moved = f.moved || at.changed >= since && at.mod < since
		for _, names := range [][]string{list.Links, list.Files, list.Odd} {
			for _, name := range names {
				a.visitLeftOut(f, filepath.Join(f.path, name))
			}
		}
		for _, name := range list.Folders {
			sub := f
			sub.path = filepath.Join(f.path, name)
			if filepath.Base(f.git) != ".git" {
				sub.git = sub.path
			}
			if folderCounts(sub.git, sub.path) {
				pending = append(pending, sub)
			}
		}
	}
}

// visitLeftOut looks at a file in such a folder, or at what is there instead.
func (a *after) visitLeftOut(f leftOut, path string) {
	x := a.x
	fi, err := os.Lstat(path)
	if err != nil || fi.IsDir() || !fileCounts(f.git, path, fi.Mode()) || fi.Mode()&fs.ModeSymlink != 0 && !x.also(relative(x.dir, path)) {
		return
	}
	at := stampOf(path, fi)
	if !f.moved && at.changed < x.since.UnixNano() {
		return
	}
	told := x.leftOut[path] == at // the last look was right after it
	if len(a.found) < maxOdd {
		a.found[path] = at
	}
	if e := x.files[path]; told || e != nil && e.look >= x.base || x.odd[path].look == x.look {
		return // or it was seen before, and is compared with that
	}
	if a.told >= maxLeftOutTold {
		if a.rest.More == nil {
			a.rest.More = map[string]int{}
		}
		a.rest.More[f.top]++
		return
	}
	whole, before := a.whole, len(a.out)
	a.whole, a.moved = false, f.moved
	if fi.Mode().IsRegular() {
		a.visit(path, fi)
	} else {
		a.visitOdd(path, fi)
	}
	a.whole, a.moved = whole, false
	a.told += len(a.out) - before
}
