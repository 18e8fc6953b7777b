package words

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// maxPicture is how big a picture of the docs may be, in bytes: it is on the first page that people see.
const maxPicture = 2 << 20

// TestEveryPictureIsMade guards the pictures of the docs: each is on a page, is made by "make pictures", and is not too big.
func TestEveryPictureIsMade(t *testing.T) {
	read := func(pattern string) (all string) {
		names, err := filepath.Glob(filepath.Join(root, pattern))
		if err != nil || len(names) == 0 {
			t.Fatalf("no %s, %v", pattern, err)
		}
		for _, name := range names {
			text, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			all += string(text)
		}
		return all
	}
	pages := read("docs/*.md") + read("README.md")
	makers := map[string]string{".svg": read("pictures/main.go"), ".png": read("editors/vscode/test/workbench/pictures.mjs")}
	entries, err := os.ReadDir(filepath.Join(root, "docs"))
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	for _, e := range entries {
		ext := filepath.Ext(e.Name())
		if e.IsDir() || ext == ".md" || ext == ".json" {
			continue
		}
		n++
		if !strings.Contains(pages, e.Name()+")") {
			t.Errorf("docs/%s is on no page", e.Name())
		}
		if !strings.Contains(makers[ext], `"`+strings.TrimSuffix(e.Name(), ext)+`"`) {
			t.Errorf("docs/%s is not made by make pictures", e.Name())
		}
		if info, err := e.Info(); err != nil || info.Size() > maxPicture {
			t.Errorf("docs/%s has more than %d bytes, or %v", e.Name(), maxPicture, err)
		}
	}
	if n < 4 {
		t.Errorf("only %d pictures were found", n)
	}
}
