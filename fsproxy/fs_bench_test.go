package fsproxy_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/rs/zerolog"

	"github.com/copilot-bridge/copilot-bridge/fsproxy"
	"github.com/copilot-bridge/copilot-bridge/fsproxy/fsproxytest"
	"github.com/copilot-bridge/copilot-bridge/fsproxy/text"
)

func source(lines int) string {
	var b strings.Builder
	for i := range lines {
		fmt.Fprintf(&b, "\tline %d of a file of ordinary length\n", i)
	}
	return b.String()
}

// A keystroke in a large buffer, as it arrives from the editor.
func BenchmarkOverlayChange(b *testing.B) {
	for _, mb := range []int{1, 10} {
		b.Run(fmt.Sprint(mb, " MB"), func(b *testing.B) {
			lines := mb << 20 / 42
			o := fsproxy.NewOverlay(fsproxy.NewMemFiles().Source())
			o.Open(file, 0, source(lines))
			r := rand.New(rand.NewPCG(1, 2))
			version := int32(0)
			for b.Loop() {
				version++
				p := text.Position{Line: uint32(r.IntN(lines)), Character: 5}
				if err := o.Change(file, version, []fsproxy.Edit{{Start: p, End: p, New: "x"}}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// An edit by an agent, from the call to the text that shows it.
func BenchmarkEditOfABuffer(b *testing.B) {
	for _, lines := range []int{1_000, 100_000} {
		b.Run(fmt.Sprint(lines, " lines"), func(b *testing.B) {
			files := fsproxy.NewMemFiles()
			_ = files.Store(file, source(lines))
			o := fsproxy.NewOverlay(files.Source())
			ed := fsproxytest.New(fsproxytest.Honest, o, files)
			ed.Auto, ed.CannotSave = true, true
			f := fsproxy.NewOver(files, fsproxy.Config{Overlay: o, Editor: ed, Log: zerolog.Nop()})
			defer f.Close()
			ed.Open(file)
			last := "\tline 500 of a file"
			for i := 0; b.Loop(); i++ {
				next := fmt.Sprintf("\tline %d, changed, of a file", 1_000_000+i)
				if _, err := f.Edit(b.Context(), fsproxy.EditRequest{Path: file, Old: last, New: next}); err != nil {
					b.Fatal(err)
				}
				last = next
			}
		})
	}
}
