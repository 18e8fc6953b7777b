package imports

import (
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestNoFrontTakesARefusalInHand guards the two readers: the reason in a refusal is for the model, so that no front names the
// type, and what it shows of one is the sentence for the user that comes with the call.
func TestNoFrontTakesARefusalInHand(t *testing.T) {
	named := regexp.MustCompile(`\b(?:bridge|permission)\.Refusal\b`)
	fronts := 0
	for path, source := range ofTheProgram(t) {
		slash := filepath.ToSlash(path)
		if !strings.Contains(slash, "front/") && !strings.Contains(slash, "/cmd/") {
			continue
		}
		fronts++
		if m := named.FindString(source); m != "" {
			t.Errorf("%s: %s", path, m)
		}
	}
	if fronts < 50 {
		t.Errorf("only %d files of fronts", fronts)
	}
}
