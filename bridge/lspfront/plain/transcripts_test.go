package plain

import (
	"fmt"
	"strings"
	"testing"
)

// TestOutputIsClipped guards the transcript against a command that prints for hours.
func TestOutputIsClipped(t *testing.T) {
	var o output
	for i := range 10_000 {
		o.write(fmt.Sprintf("line %d\n", i))
	}
	text := o.String()
	if len(text) > maxOutput+100 || !strings.HasPrefix(text, "line 0\n") || !strings.HasSuffix(text, "line 9999\n") || !strings.Contains(text, "bytes left out") {
		t.Errorf("%d bytes: %.100q … %q", len(text), text, text[len(text)-100:])
	}
	o = output{}
	o.write("short\x1b[0m")
	if o.String() != "short" {
		t.Errorf("got %q", o.String())
	}
}
