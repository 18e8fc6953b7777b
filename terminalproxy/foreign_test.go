package terminalproxy

import (
	"runtime"
	"strings"
	"testing"
)

// TestForeignOutputInSmallPiecesCostsWhatItIsLong: a terminal of the agent's that prints byte by byte has each byte moved
// a few times, not the whole of what is kept for each byte.
func TestForeignOutputInSmallPiecesCostsWhatItIsLong(t *testing.T) {
	var f Foreign
	var before, after runtime.MemStats
	piece := "é"
	f.Add("x", strings.Repeat("-", KeptForeign), nil)
	runtime.ReadMemStats(&before)
	for range 4 * KeptForeign / len(piece) {
		f.Add("x", piece, nil)
	}
	runtime.ReadMemStats(&after)
	if used := after.TotalAlloc - before.TotalAlloc; used > 16*KeptForeign {
		t.Errorf("%d bytes were allocated for %d bytes of output", used, 4*KeptForeign)
	}
	if k, _ := f.Kept("x"); len(k.Text) > KeptForeign || len(k.Text) < KeptForeign-4 || strings.Trim(k.Text, "é") != "" || !k.Truncated {
		t.Errorf("%d bytes are kept, truncated %v", len(k.Text), k.Truncated)
	}
}

func TestForeignOutputIsKeptInBoundedMemory(t *testing.T) {
	var f Foreign
	chunk := strings.Repeat("é", 50_000)
	for range 20 {
		f.Add("x", chunk, nil)
	}
	k, _ := f.Kept("x")
	if len(k.Text) > KeptForeign || len(k.Text) < KeptForeign-4 || !k.Truncated || strings.Trim(k.Text, "é") != "" {
		t.Errorf("%d bytes, truncated %v", len(k.Text), k.Truncated)
	}
	for i := range 3 * maxForeign {
		f.Add(strings.Repeat("i", i+1), ".", nil)
	}
	if len(f.terms) != maxForeign {
		t.Errorf("%d terminals are kept", len(f.terms))
	}
}
