package review

import (
	"maps"
	"os"
	"slices"
)

// Removed says that the user deleted a file, or a folder and all that is in it: there is nothing left to decide. What the agent
// had deleted there before can still be brought back.
func (b *Book) Removed(path string) {
	defer b.changing()()
	for _, p := range b.paths() {
		if f := b.st.files[p]; f.Exists && within(p, path) {
			b.do(record{Away: &awayOp{Path: p, Drop: true}})
		}
	}
}

// Renamed says that the user renamed a file, or a folder and all that is in it: what is pending goes along, also a change that
// is being made. What was pending under the new name is gone with the file that had it. The text may have become another one on
// the way: Appeared says of which files.
func (b *Book) Renamed(from, to string) {
	defer b.changing()()
	if from == to {
		return
	}
	if b.st.files[to] != nil {
		b.do(record{Away: &awayOp{Path: to, Drop: true}})
	}
	if slices.ContainsFunc(b.paths(), func(p string) bool { return within(p, from) }) || slices.ContainsFunc(b.st.Comments, func(c Comment) bool { return within(c.Path, from) }) {
		b.do(record{Rename: &renameOp{From: from, To: to}})
	}
	for p := range b.plans {
		if within(p, from) || within(p, to) {
			delete(b.plans, p) // made for what was there before
		}
	}
}

// Appeared says that there is a file, or a folder with files in it, that was not there before: those of which something is known
// are Unsettled.
func (b *Book) Appeared(path string) (known []string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, p := range b.paths() {
		if within(p, path) {
			b.st.files[p].unsettled = true
			known = append(known, p)
		}
	}
	return known
}

// rename gives everything at and below a path another one.
func (st *state) rename(op *renameOp) {
	var moved []*file
	for _, path := range slices.Sorted(maps.Keys(st.files)) {
		if within(path, op.From) {
			moved = append(moved, st.files[path])
			st.shown[path] = true
			delete(st.files, path)
		}
	}
	for _, fl := range st.all() {
		if !within(fl.path(), op.From) {
			continue
		}
		if fl.c.Kind == KindMove && !fl.landed {
			fl.c.From = renamed(fl.c.From, op.From, op.To)
		} else {
			fl.c.Path = renamed(fl.c.Path, op.From, op.To)
		}
		fl.saved, fl.at, fl.renamed = nil, nil, true
	}
	for _, f := range moved {
		f.Path = renamed(f.Path, op.From, op.To)
		st.shown[f.Path] = true
		st.files[f.Path] = f
	}
	for i, c := range st.Comments {
		if within(c.Path, op.From) {
			st.talked[c.Path] = true
			st.Comments[i].Path = renamed(c.Path, op.From, op.To)
			st.talked[st.Comments[i].Path] = true
		}
	}
	for _, f := range st.files {
		f.follow(op)
	}
	for _, f := range moved {
		st.tidy(f.Path)
	}
}

// follow renames the folders that a file was in, and would come back to, or that were made for it.
func (f *file) follow(op *renameOp) {
	inside := func(path string) string {
		if path == op.From { // a file that has the name of one that was moved away is another one
			return path
		}
		return renamed(path, op.From, op.To)
	}
	one := func(o *fileOp) *fileOp {
		if o == nil {
			return nil
		}
		c := *o
		c.From, c.To, c.Dirs = inside(c.From), inside(c.To), slices.Clone(c.Dirs)
		for i, dir := range c.Dirs {
			c.Dirs[i] = renamed(dir, op.From, op.To)
		}
		return &c
	}
	f.From, f.Op = inside(f.From), one(f.Op)
	f.Marks = slices.Clone(f.Marks)
	for i := range f.Marks {
		f.Marks[i].File = one(f.Marks[i].File)
	}
	f.eachPast(func(p *past) {
		p.Marks = slices.Clone(p.Marks)
		for i := range p.Marks {
			p.Marks[i].File = one(p.Marks[i].File)
		}
	})
}

// within says that a path is another one or below it.
func within(path, top string) bool {
	return path == top || len(path) > len(top) && path[:len(top)] == top && os.IsPathSeparator(path[len(top)])
}

// renamed gives a path after a rename of something that it is or is below.
func renamed(path, from, to string) string {
	if !within(path, from) {
		return path
	}
	return to + path[len(from):]
}
