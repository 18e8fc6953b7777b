package disk

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/copilot-bridge/copilot-bridge/fsproxy/text"
)

// deep is a file as far down as they are in real projects.
const deep = "internal/pkg/sub/file.go"

// BenchmarkRead reads 10 KB and 1 MB through the disk and, as the contender that
// checks nothing, through package os.
func BenchmarkRead(b *testing.B) {
	for name, size := range map[string]int{"10KB": 10 << 10, "1MB": 1 << 20} {
		d, root := diskOn(b)
		path := put(b, filepath.Join(root, deep), strings.Repeat("0123456789abcde\n", size/16))
		b.Run("disk/"+name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, err := d.Read(b.Context(), path); err != nil {
					b.Fatal(err)
				}
			}
		})
		b.Run("os/"+name, func(b *testing.B) {
			for b.Loop() {
				if _, err := os.ReadFile(path); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// BenchmarkProbe asks for a file that does not exist, as agents do all the time.
func BenchmarkProbe(b *testing.B) {
	d, root := diskOn(b)
	put(b, filepath.Join(root, deep), "")
	path := filepath.Join(root, filepath.Dir(deep), "nothing")
	b.ReportAllocs()
	for b.Loop() {
		if _, err := d.Read(b.Context(), path); !errors.Is(err, ErrNotExist) {
			b.Fatal(err)
		}
	}
}

// BenchmarkSave saves 4 KB, durably; "os" is a plain write that promises nothing.
func BenchmarkSave(b *testing.B) {
	d, root := diskOn(b)
	content := strings.Repeat("0123456789abcde\n", 256)
	path := put(b, filepath.Join(root, deep), content)
	hash := text.New(content).Hash()
	b.Run("disk", func(b *testing.B) {
		for b.Loop() {
			if _, err := d.Save(b.Context(), path, SaveRequest{Text: content, Expect: &hash}); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("os", func(b *testing.B) {
		for b.Loop() {
			if err := os.WriteFile(path, []byte(content), 0o644); err != nil {
				b.Fatal(err)
			}
		}
	})
}
