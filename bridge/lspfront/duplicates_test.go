package lspfront

import "testing"

// TestTheOtherSpellingTakesThePlace: a file is open under two URIs; when the one that is mirrored is closed, the mirror
// has the other buffer's text and version, not those of the one that is gone.
func TestTheOtherSpellingTakesThePlace(t *testing.T) {
	d := &documents{uris: map[string]string{}, open: map[string]string{}, duplicates: newDuplicates()}
	if !d.add("file:///a", "/a") || d.add("file:///link", "/a") {
		t.Fatal("the first document is the one that is mirrored")
	}
	d.duplicates.followed.Open("file:///link", 7, "through the link")
	if _, mirrored, ok := d.known("file:///link"); mirrored || !ok {
		t.Error("the second document is known and not mirrored")
	}
	if next := d.drop("file:///a"); next != "file:///link" {
		t.Fatalf("next is %q", next)
	}
	snap, ok := d.duplicates.take("file:///link")
	if !ok || snap.Version != 7 || snap.Text.String() != "through the link" {
		t.Errorf("taken over: %+v %v", snap, ok)
	}
	if _, mirrored, _ := d.known("file:///link"); !mirrored {
		t.Error("the one that is left is mirrored now")
	}
	if next := d.drop("file:///link"); next != "" {
		t.Errorf("after the last one: %q", next)
	}
}

// FuzzURI: a path survives the way to a URI and back, and no URI leads to anything but an absolute path.
func FuzzURI(f *testing.F) {
	for _, seed := range []string{"file:///a%20b", "file:///c%3A/x", "file://host/x", "file:///a%00b", "file:///%2e%2e/%2e%2e/etc", "untitled:1", "file:///a?b#c", "/plain/ä/𝒳"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, s string) {
		path, err := pathOf(s)
		if err != nil {
			return
		}
		again, err := pathOf(uriOf(path))
		if err != nil || again != path {
			t.Fatalf("%q names %q, whose URI names %q (%v)", s, path, again, err)
		}
	})
}
