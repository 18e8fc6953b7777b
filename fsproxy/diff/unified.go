package diff

import "github.com/aymanbagabas/go-udiff"

// Unified gives the change from old to new as a unified diff with ctx unchanged
// lines around each hunk; empty if the texts are equal.
func Unified(oldName, newName, old, new string, ctx int) string {
	a, b := split(old), split(new)
	var edits []udiff.Edit
	for at, h := range located(a, diffLines(a, b)) {
		end := at + len(join(a[h.OldStart:h.OldEnd]))
		edits = append(edits, udiff.Edit{Start: at, End: end, New: join(b[h.NewStart:h.NewEnd])})
	}
	// The edits are within the text and ascending, the only errors there are.
	out, err := udiff.ToUnified(oldName, newName, old, edits, max(ctx, 0))
	if err != nil {
		panic("diff: " + err.Error())
	}
	return out
}
