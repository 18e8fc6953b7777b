package review

import (
	"strings"
	"testing"

	"github.com/copilot-bridge/copilot-bridge/bridge/review/lines"
)

// checkFile checks what is true of every list of hunks.
func checkFile(t *testing.T, b *Book, path string, log func() string) {
	t.Helper()
	fs := b.Files(Filter{Path: path})
	if len(fs) == 0 {
		return
	}
	cur, _ := b.Text(path)
	base, _ := b.Base(path)
	var back strings.Builder
	at, n := 0, lines.New(cur)
	ids := map[string]bool{}
	for i, h := range fs[0].Hunks {
		if h.Start < at || h.End < h.Start || cur[h.Start:h.End] != h.NewText || n.Off(h.StartLine) != h.Start || n.Off(h.EndLine) != h.End {
			t.Fatalf("%s\nhunk out of place: %+v", log(), h)
		}
		if h.OldText == h.NewText && fs[0].Kind == KindEdit {
			t.Fatalf("%s\nhunk without a change: %+v", log(), h)
		}
		if i+1 < len(fs[0].Hunks) && (lines.Open(h.OldText) || lines.Open(h.NewText)) {
			t.Fatalf("%s\nopen line before another hunk: %+v", log(), h)
		}
		if ids[h.ID] || h.ID == "" {
			t.Fatalf("%s\nid %q twice", log(), h.ID)
		}
		ids[h.ID] = true
		back.WriteString(cur[at:h.Start] + h.OldText)
		at = h.End
	}
	back.WriteString(cur[at:])
	if back.String() != base {
		t.Fatalf("%s\nbase %q, by hunks %q", log(), base, back.String())
	}
}
