package diff

import "github.com/aymanbagabas/go-udiff"

// Unified gives the change from old to new as a unified diff with ctx unchanged
// lines around each hunk; empty if the texts are equal.
func Unified(oldName, newName, old, new string, ctx int) string {
	a, b := split(old), split(new)
	var edits []udiff.Edit
	at, line := 0, 0
	for _, h := range diffLines(a, b) {
		for ; line < h.OldStart; line++ {
			at += len(a[line])
		}
		start := at
		for ; line < h.OldEnd; line++ {
			at += len(a[line])
		}
		edits = append(edits, udiff.Edit{Start: start, End: at, New: join(b[h.NewStart:h.NewEnd])})
	}
	// The edits are within the text and ascending, the only errors there are.
	out, err := udiff.ToUnified(oldName, newName, old, edits, max(ctx, 0))
	if err != nil {
		panic("diff: " + err.Error())
	}
	return out
}
