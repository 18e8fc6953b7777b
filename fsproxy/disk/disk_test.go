package disk

import (
	"context"
	"crypto/sha256"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/copilot-bridge/copilot-bridge/fsproxy/text"
	"github.com/copilot-bridge/copilot-bridge/internal/links"
)

// diskOn opens a disk on a fresh folder and returns both.
func diskOn(t testing.TB) (*Disk, string) {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	root := filepath.Join(dir, "root")
	if err := os.Mkdir(root, 0o755); err != nil {
		t.Fatal(err)
	}
	d, err := Open([]string{root})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := d.Close(); err != nil {
			t.Error(err)
		}
		if len(d.locks.held) != 0 {
			t.Errorf("%d locks are still held", len(d.locks.held))
		}
	})
	return d, root
}

// put writes a file as the user would, past the disk, and returns its path.
func put(t testing.TB, path, content string) string {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(content), 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}

// wantOnDisk fails the test unless the file at path holds content.
func wantOnDisk(t testing.TB, path, content string) {
	t.Helper()
	got, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if string(got) != content {
		t.Fatalf("%s holds %q, want %q", path, got, content)
	}
}

// wantNoTemp fails the test if there is anything below dir that a save left behind.
func wantNoTemp(t testing.TB, dir string) {
	t.Helper()
	err := filepath.WalkDir(dir, func(path string, _ fs.DirEntry, err error) error {
		if strings.HasPrefix(filepath.Base(path), tempPrefix) {
			t.Errorf("%s was left behind", path)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

func TestRead(t *testing.T) {
	d, root := diskOn(t)
	path := put(t, filepath.Join(root, "sub", "a.go"), BOM+"one\r\ntwo\r\n")
	s, err := d.Read(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	if s.Path != path || s.Version != VersionDisk || s.Text.String() != "one\r\ntwo\r\n" || !s.BOM ||
		s.Mode != mode(0o644) || !s.Exists || s.Open || s.Dirty {
		t.Errorf("snapshot is %+v", s)
	}
	if s.Hash() != text.New("one\r\ntwo\r\n").Hash() {
		t.Error("the hash is not that of the text without its mark")
	}
}

func TestReadErrorsSayWhatIsThere(t *testing.T) {
	d, root := diskOn(t)
	put(t, filepath.Join(root, "file"), "x")
	if err := os.Mkdir(filepath.Join(root, "folder"), 0o755); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name, path string
		is         error
		says       string
	}{
		{"missing", root + "/nothing", ErrNotExist, "there is no such file"},
		{"missing, as package fs has it", root + "/nothing", fs.ErrNotExist, ""},
		{"missing folder", root + "/no/thing", ErrNotExist, "there is no such file"},
		{"below a file", root + "/file/x", ErrNotExist, "is a file, not a folder"},
		{"folder", root + "/folder", ErrNotRegular, "it is a folder"},
		{"the root", root, ErrNotRegular, "it is a folder"},
		{"trailing slash", root + "/file/", ErrNotRegular, "ends as the name of a folder"},
		{"relative", "file", ErrBadPath, "give the whole path"},
		{"empty", "", ErrBadPath, "empty"},
		{"NUL", root + "/fi\x00le", ErrBadPath, "NUL"},
		{"not UTF-8", root + "/fi\xffle", ErrBadPath, "not UTF-8"},
		{"long name", root + "/" + strings.Repeat("n", 300), ErrBadPath, "too long"},
		{"long path", root + strings.Repeat("/x", 1500), ErrNotExist, ""},
		{"too long a path", root + strings.Repeat("/x", 3000), ErrBadPath, "bytes"},
		{"outside", "/etc/hostname-or-not", ErrOutside, "outside the folders"},
		{"parent", root + "/../x", ErrOutside, "outside the folders"},
	} {
		_, err := d.Read(t.Context(), c.path)
		if !errors.Is(err, c.is) || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: %v; want %v, saying %q", c.name, err, c.is, c.says)
		}
	}
}

func TestReadSaysWhatIsNotText(t *testing.T) {
	d, root := diskOn(t)
	for content, want := range map[string]NotTextError{
		"\xFF\xFEa\x00":                 {Offset: 0, Looks: "UTF-16 (little endian)"},
		"\xFE\xFF\x00a":                 {Offset: 0, Looks: "UTF-16 (big endian)"},
		"\xFF\xFE\x00\x00a\x00\x00\x00": {Offset: 0, Looks: "UTF-32 (little endian)"},
		"\x00\x00\xFE\xFF":              {Offset: 2, Looks: "UTF-32 (big endian)"},
		"na\xEFve\n":                    {Offset: 2, Looks: "Latin-1, Windows-1252 or another encoding of one byte a character"},
		"caf\xC3":                       {Offset: 3, Looks: "UTF-8 that was cut off in the middle of a character"},
		"x\xED\xA0\x80y":                {Offset: 1, Looks: "UTF-8 with half of a surrogate pair in it"},
		"\x89PNG\r\n\x1a\n":             {Offset: 0, Looks: "a PNG image"},
		"\x01\x02\x03\x04\x80\x81":      {Offset: 4, Looks: "binary data"},
	} {
		path := put(t, filepath.Join(root, "f"), content)
		_, err := d.Read(t.Context(), path)
		var got *NotTextError
		want.Path = path
		if !errors.As(err, &got) || *got != want || !errors.As(err, new(*NotTextError)) {
			t.Errorf("%q: %v", content, err)
		}
	}
}

// What was read and is written back is byte for byte the same, whatever it is.
func TestReadAndSaveKeepEveryByte(t *testing.T) {
	d, root := diskOn(t)
	corpus := corpus()
	if len(corpus) < 40 {
		t.Fatalf("the corpus has %d files", len(corpus))
	}
	for name, content := range corpus {
		path := put(t, filepath.Join(root, name), content)
		s, err := d.Read(t.Context(), path)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		before := sha256.Sum256([]byte(content))
		hash := s.Hash()
		for _, like := range []*Snapshot{s, nil} {
			saved, err := d.Save(t.Context(), path, SaveRequest{Text: s.Text.String(), Like: like, Expect: &hash})
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			after, err := os.ReadFile(path)
			if err != nil || sha256.Sum256(after) != before {
				t.Errorf("%s: %q became %q, %v", name, content, after, err)
			}
			if saved.Hash() != hash || saved.BOM != s.BOM {
				t.Errorf("%s: saved %+v, read %+v", name, saved, s)
			}
		}
	}
	wantNoTemp(t, root)
}

// corpus is every way a text file begins, ends its lines and ends: of each file its
// name and content.
func corpus() map[string]string {
	files := map[string]string{
		"empty": "", "one-byte": "x", "nul-inside": "a\x00b\n", "only-nul": "\x00", "nonchars": "\uFFFE\uFFFF\n",
		"replacement": "\uFFFD\n", "emoji": "👩‍👩‍👧‍👦\n", "controls": "\x01\x1b[31m\x7f\n", "two-marks": BOM + BOM + "x\n",
		"mark-inside": "a" + BOM + "b\n", "mark-only": BOM, "spaces": " \t \n\t", "unicode-lines": "a\u2028b\u2029c\u0085d\v\f\n",
		"long-line": strings.Repeat("0123456789", 10_000), "decomposed": "e\u0301\n", "last-cr": "a\nb\r", "lf-cr": "a\n\rb\n\r",
		"highest": "\U0010FFFF\n", "many": strings.Repeat("ab\r\ncd\n", 9_000), "leaf-edges": strings.Repeat("\r\n", 5_000),
	}
	ends := map[string]string{"lf": "\n", "crlf": "\r\n", "cr": "\r"}
	for name, e := range ends {
		files[name] = "one" + e + "two" + e
		files[name+"-no-final"] = "one" + e + "two"
		files[name+"-mark"] = BOM + "één" + e + "twee" + e
		files[name+"-mark-no-final"] = BOM + "one" + e + "two"
		files[name+"-only"] = e
		files[name+"-blank"] = e + e + e + "x" + e + e
		files[name+"-mixed"] = "a\nb" + e + "c\r\nd\re" + e
	}
	return files
}

func TestReadStopsAtTheLimit(t *testing.T) {
	d, root := diskOn(t)
	d.limit = 1000
	fits := put(t, filepath.Join(root, "fits"), strings.Repeat("x", 1000))
	if _, err := d.Read(t.Context(), fits); err != nil {
		t.Error(err)
	}
	over := put(t, filepath.Join(root, "over"), strings.Repeat("x", 1001))
	var large *TooLargeError
	if _, err := d.Read(t.Context(), over); !errors.As(err, &large) || *large != (TooLargeError{over, 1001, 1000}) {
		t.Error(err)
	}
	sparse := put(t, filepath.Join(root, "sparse"), "")
	if err := os.Truncate(sparse, 2<<30); err != nil {
		t.Fatal(err)
	}
	if _, err := d.Read(t.Context(), sparse); !errors.As(err, new(*TooLargeError)) {
		t.Error(err)
	}
	// A file that grows while it is read, after its size was looked at.
	growing := put(t, filepath.Join(root, "growing"), "x")
	d.testOnlyWrap = func(f folder) folder { return growingFolder{f} }
	if _, err := d.Read(t.Context(), growing); !errors.As(err, new(*TooLargeError)) {
		t.Error(err)
	}
	if _, err := d.Save(t.Context(), growing, SaveRequest{Text: strings.Repeat("x", 1001)}); !errors.As(err, new(*TooLargeError)) {
		t.Error(err)
	}
}

// growingFolder has files that never end, whatever size they say they have.
type growingFolder struct{ folder }

func (g growingFolder) OpenFolder(name string) (folder, error) {
	f, err := g.folder.OpenFolder(name)
	return growingFolder{f}, err
}

func (g growingFolder) Open(name string, flag int, perm fs.FileMode) (file, error) {
	f, err := g.folder.Open(name, flag, perm)
	return growingFile{f}, err
}

type growingFile struct{ file }

func (growingFile) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = 'x'
	}
	return len(p), nil
}

func TestReadEndsWithItsContext(t *testing.T) {
	d, root := diskOn(t)
	path := put(t, filepath.Join(root, "f"), "x")
	ctx, cancel := context.WithCancel(t.Context())
	d.testOnlyStep = func(step string) {
		if step == "looked" {
			cancel()
		}
	}
	if _, err := d.Read(ctx, path); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

func TestRoots(t *testing.T) {
	d, root := diskOn(t)
	dir := filepath.Dir(root)
	other := filepath.Join(dir, "other")
	put(t, filepath.Join(other, "f"), "other")
	if _, err := d.Read(t.Context(), other+"/f"); !errors.As(err, new(*OutsideError)) {
		t.Fatal(err)
	}
	link := filepath.Join(dir, "link")
	if err := links.Make(t, other, link); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{link, other, other + "/."} { // three names, one root
		if err := d.AddRoot(name); err != nil {
			t.Fatal(err)
		}
	}
	if got := d.Roots(); len(got) != 2 || got[0] != root || got[1] != other {
		t.Fatalf("roots are %v", got)
	}
	if _, err := d.Read(t.Context(), link+"/f"); err != nil {
		t.Error(err)
	}
	for _, bad := range []string{dir + "/nothing", other + "/f", "relative"} {
		if err := d.AddRoot(bad); err == nil {
			t.Errorf("%s became a root", bad)
		}
	}
	if _, err := Open([]string{root, dir + "/nothing"}); !errors.Is(err, fs.ErrNotExist) {
		t.Error(err)
	}
}

func TestARootThatWasReplacedIsNotServedUntilNamedAgain(t *testing.T) {
	d, root := diskOn(t)
	path := put(t, filepath.Join(root, "f"), "old")
	if err := os.Rename(root, root+".away"); runtime.GOOS == "windows" && err != nil {
		return // no folder that is open is renamed there: the promise is the system's
	} else if err != nil {
		t.Fatal(err)
	}
	put(t, path, "new")
	if _, err := d.Read(t.Context(), path); err == nil || !strings.Contains(err.Error(), "moved or replaced") {
		t.Fatal(err)
	}
	if err := d.AddRoot(root); err != nil {
		t.Fatal(err)
	}
	s, err := d.Read(t.Context(), path)
	if err != nil || s.Text.String() != "new" || len(d.Roots()) != 1 {
		t.Error(s, err, d.Roots())
	}
}

func TestOutsideIsServedOnlyToWhomWasAllowedThatPath(t *testing.T) {
	d, root := diskOn(t)
	dir := filepath.Dir(root)
	a, b := put(t, dir+"/out/a", "a"), put(t, dir+"/out/b", "b")
	var outside *OutsideError
	link := filepath.Join(root, "link")
	if err := links.Make(t, a, link); err != nil {
		t.Fatal(err)
	}
	if _, err := d.Read(t.Context(), link); !errors.As(err, &outside) || outside.Path != link || outside.Resolved != a {
		t.Error(err)
	}
	allowed := d.WithOutside(a)
	for _, path := range []string{a, link} {
		if s, err := allowed.Read(t.Context(), path); err != nil || s.Text.String() != "a" || s.Path != a {
			t.Errorf("%s: %v", path, err)
		}
	}
	if _, err := allowed.Read(t.Context(), b); !errors.As(err, new(*OutsideError)) {
		t.Error("leave for one file was taken for another")
	}
	if _, err := allowed.Save(t.Context(), link, SaveRequest{Text: "new"}); err != nil {
		t.Error(err)
	}
	wantOnDisk(t, a, "new")
	if _, err := d.WithOutside(dir+"/out/c").Save(t.Context(), dir+"/out/c", SaveRequest{Text: "c"}); err != nil {
		t.Error(err)
	}
	far := dir + "/out/no/such/folder"
	if _, err := d.WithOutside(far).Save(t.Context(), far, SaveRequest{Text: "c"}); err == nil || !strings.Contains(err.Error(), "are not created") {
		t.Error(err)
	}
	two := d.WithOutside(a).WithOutside(dir + "/out/moved")
	if err := two.Rename(t.Context(), a, dir+"/out/moved", nil); err != nil {
		t.Error(err)
	}
	if _, err := d.Read(t.Context(), b); !errors.As(err, new(*OutsideError)) {
		t.Error("a view changed the disk it was made from")
	}
}

func TestExactGoesThroughNoLink(t *testing.T) {
	d, root := diskOn(t)
	real := put(t, root+"/real/f", "x")
	if err := links.Make(t, "real", root+"/link"); err != nil {
		t.Fatal(err)
	}
	if _, err := d.Exact().Read(t.Context(), real); err != nil {
		t.Error(err)
	}
	if _, err := d.Exact().Read(t.Context(), root+"/link/f"); !errors.Is(err, ErrChanged) {
		t.Error(err)
	}
}

// Roots are the real paths of the roots, in the order in which they were added.
func (d *Disk) Roots() (dirs []string) {
	for _, r := range d.roots.list {
		dirs = append(dirs, r.dir)
	}
	return dirs
}
