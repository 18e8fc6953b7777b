//go:build unix

package disk

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// tree makes what a list says below dir: "a/b" a file, "a/" a folder, "a -> b" a link.
// ROOT in a link's target is dir.
func tree(t testing.TB, dir string, list ...string) {
	t.Helper()
	for _, item := range list {
		if name, target, ok := strings.Cut(item, " -> "); ok {
			path := filepath.Join(dir, name)
			if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
				t.Fatal(err)
			}
			if err := os.Symlink(strings.ReplaceAll(target, "ROOT", dir), path); err != nil {
				t.Fatal(err)
			}
		} else if strings.HasSuffix(item, "/") {
			if err := os.MkdirAll(filepath.Join(dir, item), 0o755); err != nil {
				t.Fatal(err)
			}
		} else {
			put(t, filepath.Join(dir, item), item)
		}
	}
}

func TestResolve(t *testing.T) {
	d, root := diskOn(t)
	dir := filepath.Dir(root)
	tree(t, dir, "root/sub/f", "root-evil/x", "out/f", "root/deep/a/b/f",
		"root/in -> sub/f", "root/in-abs -> ROOT/root/sub/f", "root/folder -> sub", "root/folder-abs -> ROOT/root/sub",
		"root/up -> ../out/f", "root/out-abs -> ROOT/out", "root/dangling -> nothing", "root/dangling-out -> ROOT/out/new",
		"root/dangling-folder -> no/such", "root/twice -> in", "root/back -> ../root/sub/../sub", "root/dot -> .",
		"alias -> root")
	for _, c := range []struct {
		path, real, rel  string // relative to root; real relative to dir if it begins with a slash
		exists, outside  bool
		isLink, dangling bool
	}{
		{path: "sub/f", real: "sub/f", exists: true},
		{path: "./sub//../sub/./f", real: "sub/f", exists: true},
		{path: "sub/", real: "sub", exists: true},
		{path: ".", real: ".", exists: true},
		{path: "sub/new", real: "sub/new"},
		{path: "x/y/z", real: "x/y/z"},
		{path: "in", real: "sub/f", exists: true, isLink: true},
		{path: "in-abs", real: "sub/f", exists: true, isLink: true},
		{path: "twice", real: "sub/f", exists: true, isLink: true},
		{path: "folder/f", real: "sub/f", exists: true},
		{path: "folder/new/er", real: "sub/new/er"},
		{path: "folder-abs/f", real: "sub/f", exists: true},
		{path: "folder-abs/new", real: "sub/new"},
		{path: "folder-abs/../sub/f", real: "sub/f", exists: true},
		{path: "back/f", real: "sub/f", exists: true},
		{path: "dot/dot/dot/sub/f", real: "sub/f", exists: true},
		{path: "up", real: "/out/f", exists: true, outside: true, isLink: true},
		{path: "out-abs/f", real: "/out/f", exists: true, outside: true},
		{path: "out-abs/new", real: "/out/new", outside: true},
		{path: "dangling", real: "nothing", isLink: true, dangling: true},
		{path: "dangling-out", real: "/out/new", outside: true, isLink: true, dangling: true},
		{path: "dangling-folder/x", real: "no/such/x", dangling: true},
		{path: "../root-evil/x", real: "/root-evil/x", exists: true, outside: true},
		{path: "../root/sub/f", real: "sub/f", exists: true},
		{path: "../alias/sub/f", real: "sub/f", exists: true},
		{path: "../alias/folder/new", real: "sub/new"},
		{path: "..", real: "/", exists: true, outside: true},
		{path: "../../../../../../../../../..", real: "//", exists: true, outside: true},
	} {
		r, err := d.Resolve(root + "/" + c.path)
		if err != nil {
			t.Errorf("%s: %v", c.path, err)
			continue
		}
		want := filepath.Join(root, c.real)
		switch {
		case c.real == "//":
			want = "/"
		case strings.HasPrefix(c.real, "/"):
			want = filepath.Join(dir, c.real)
		}
		if r.Real != want || r.Exists != c.exists || r.Outside != c.outside || r.IsLink != c.isLink || (r.Dangling != "") != c.dangling {
			t.Errorf("%s: %+v; want %s, %+v", c.path, r, want, c)
		}
		if !c.outside && (r.Root != root || filepath.Join(root, r.Rel) != r.Real) || c.outside && r.Root != "" {
			t.Errorf("%s: %q below %q", c.path, r.Rel, r.Root)
		}
		if r.Exists != (r.Info != nil) || r.LockKey == "" {
			t.Errorf("%s: %+v", c.path, r)
		}
		if r.Path != filepath.Clean(root+"/"+c.path) {
			t.Errorf("%s: cleaned to %s", c.path, r.Path)
		}
	}
}

func TestResolveGivesUpOnManyLinks(t *testing.T) {
	d, root := diskOn(t)
	tree(t, root, "f", "loop-a -> loop-b", "loop-b -> ROOT/loop-a", "self -> self", "below -> below/x", "link0 -> f")
	for i := range 40 {
		tree(t, root, fmt.Sprintf("link%d -> link%d", i+1, i))
	}
	for _, name := range []string{"loop-a", "loop-b/x", "self", "below", "link8", "link40"} {
		_, err := d.Resolve(root + "/" + name)
		if !errors.Is(err, ErrBadPath) || !strings.Contains(err.Error(), "more than 8 symbolic links") {
			t.Errorf("%s: %v", name, err)
		}
	}
	r, err := d.Resolve(root + "/link7") // goes through link7 … link0
	if err != nil || r.Real != root+"/f" || len(r.Via) != 8 {
		t.Error(r, err)
	}
}

// One file has one identity, whatever it is called, and one lock.
func TestIdentity(t *testing.T) {
	d, root := diskOn(t)
	tree(t, root, "sub/f", "other", "link -> sub/f", "folder -> sub")
	if err := os.Link(root+"/sub/f", root+"/sub/hard"); err != nil {
		t.Fatal(err)
	}
	at := func(name string) Resolved {
		t.Helper()
		r, err := d.Resolve(root + "/" + name)
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
	f := at("sub/f")
	for _, name := range []string{"link", "folder/f", "sub/../sub/f"} {
		if r := at(name); r.LockKey != f.LockKey || !r.SameFile(f) {
			t.Errorf("%s is not the same file", name)
		}
	}
	if hard := at("sub/hard"); !hard.SameFile(f) || hard.Links != 2 {
		t.Errorf("%+v", hard)
	}
	if o := at("other"); o.LockKey == f.LockKey || o.SameFile(f) {
		t.Error("two files are one")
	}
	if at("folder/new").LockKey != at("sub/new").LockKey || at("sub/new").LockKey == at("sub/newer").LockKey {
		t.Error("the lock of what does not exist yet is wrong")
	}
	// Where the file system may take two names for one, they share the lock.
	for _, pair := range [][2]string{{"sub/F", "sub/f"}, {"sub/NEW", "sub/new"}, {"e\u0301", "\u00e9"}} {
		if at(pair[0]).LockKey != at(pair[1]).LockKey {
			t.Errorf("%q and %q have two locks", pair[0], pair[1])
		}
	}
	key := f.LockKey
	if _, err := d.Save(t.Context(), root+"/sub/f", SaveRequest{Text: "new"}); err != nil {
		t.Fatal(err)
	}
	if again := at("sub/f"); again.LockKey != key || again.SameFile(f) {
		t.Error("a save keeps the lock and makes another file")
	}
}

// The holes os.Root has had, as long as it has been there, must not be ours.
// Each of these was an escape in some release of Go.
func TestRootHoles(t *testing.T) {
	d, root := diskOn(t)
	dir := filepath.Dir(root)
	canary := put(t, dir+"/out/canary", "canary")
	tree(t, root, "sub/f", "e -> ROOT/../out", "sub/e -> ../../out", "sub/up -> ..", "sub/up-slash -> ../../out/",
		"sub/f-slash -> ../../out/canary/", "dots -> sub/../../out")
	for _, path := range []string{
		"../out/canary", "sub/../../out/canary", "./../out/canary", // CVE-2025-22873
		"e/canary", "sub/e/canary", "sub/e/", "e/", "e/.", "sub/up-slash/canary", "sub/f-slash", "sub/f-slash/", // CVE-2026-39822
		"sub/up/e/canary", "dots/canary", "//e//canary",
	} {
		for op, err := range everything(t, d, root+"/"+path) {
			if err == nil {
				t.Errorf("%s: %s succeeded", path, op)
			}
		}
	}
	wantOnDisk(t, canary, "canary") // and its mode: CVE-2026-32282
	if info, err := os.Stat(canary); err != nil || info.Mode().Perm() != 0o644 {
		t.Error(info.Mode(), err)
	}
	var names []string // CVE-2026-56857: no folder made through a link
	entries, err := os.ReadDir(dir + "/out")
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		names = append(names, e.Name())
	}
	if !slices.Equal(names, []string{"canary"}) {
		t.Errorf("outside there are %v", names)
	}
}

// everything tries each operation of d on path.
func everything(t testing.TB, d *Disk, path string) map[string]error {
	tries := map[string]error{}
	_, tries["read"] = d.Read(t.Context(), path)
	_, tries["save"] = d.Save(t.Context(), path, SaveRequest{Text: "mine"})
	_, tries["create below"] = d.Save(t.Context(), path+"/new/f", SaveRequest{Text: "mine", New: true})
	tries["rename"] = d.Rename(t.Context(), path, d.Roots()[0]+"/stolen", nil)
	tries["rename to"] = d.Rename(t.Context(), d.Roots()[0]+"/sub/f", path, nil)
	tries["remove"] = d.Remove(t.Context(), path, nil)
	return tries
}

// FuzzResolve asks for odd names in a tree of odd links, and looks at the answer
// with the standard library's eyes.
func FuzzResolve(f *testing.F) {
	for _, s := range []string{"a/b", "../x", "l/../a", "in/new/x", "./", "a//b/", "out/f", "loop/x", "\x00", "a/\xff", "é/E\u0301", "dang/x", "abs/b/../b"} {
		f.Add(s)
	}
	d, root := diskOn(f)
	tree(f, filepath.Dir(root), "root/a/b", "root/é/f", "out/f", "root/l -> a", "root/in -> ROOT/root/a", "root/out -> ../out",
		"root/loop -> loop", "root/dang -> nothing/there", "root/abs -> ROOT/root", "root/a/up -> ..")
	f.Fuzz(func(t *testing.T, name string) {
		path := root + "/" + name
		r, err := d.Resolve(path)
		if err != nil {
			return
		}
		if filepath.Clean(r.Real) != r.Real || !filepath.IsAbs(r.Real) || r.Path != filepath.Clean(path) {
			t.Fatalf("%q: not clean: %+v", name, r)
		}
		rel, err := filepath.Rel(root, r.Real)
		inside := err == nil && (rel == "." || filepath.IsLocal(rel))
		if r.Outside == inside || inside && r.Rel != rel {
			t.Fatalf("%q: %+v, but it is %q from the root", name, r, rel)
		}
		if real, err := filepath.EvalSymlinks(r.Path); (err == nil) != r.Exists || err == nil && real != r.Real {
			t.Fatalf("%q: %+v, but package filepath says %q, %v", name, r, real, err)
		}
		again, err := d.Resolve(r.Real)
		if err != nil || again.Real != r.Real || again.LockKey != r.LockKey && r.Dangling == "" || len(again.Via) != 0 && r.Dangling == "" {
			t.Fatalf("%q: %+v resolves to %+v, %v", name, r, again, err)
		}
	})
}

// TestResolveSaysWhereAPathWouldLead: who may not look at the folder is to be refused for it, and not told what is in the way.
func TestResolveSaysWhereAPathWouldLead(t *testing.T) {
	d, root := diskOn(t)
	dir := filepath.Dir(root)
	tree(t, dir, "root/f", "out/f", "out/loop -> loop", "root/away -> ROOT/out", "root/loop -> loop")
	for name, want := range map[string]struct {
		real    string // relative to dir
		outside bool
	}{
		"f/x/y": {"root/f/x/y", false}, "away/f/x": {"out/f/x", true}, "away/loop/x": {"out/loop/x", true},
		"loop/x": {"root/loop/x", false}, "away/" + strings.Repeat("n", 300) + "/x": {"out/" + strings.Repeat("n", 300) + "/x", true},
	} {
		r, err := d.Resolve(root + "/" + name)
		if err == nil || r.Path != root+"/"+name || r.Real != dir+"/"+want.real || r.Outside != want.outside || r.Exists {
			t.Errorf("%.20s: %+v, %v; want %+v", name, r, err, want)
		}
	}
	if r, err := d.Resolve("relative"); err == nil || r.Path != "" || r.Real != "" {
		t.Errorf("a path that says nothing leads to %+v, %v", r, err)
	}
}
