package imports

import (
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// watched is a TestMain that names a test which stands still.
var watched = regexp.MustCompile(`(?s)func TestMain\(m \*testing\.M\).*\bWatch\(m\)`)

// TestNoTestWaitsForEverInSilence asserts that the tests of every package run under [await.Watch]: one that waits for what
// does not come says for what after 30 s, instead of being ended by go test without a word ten minutes later.
func TestNoTestWaitsForEverInSilence(t *testing.T) {
	tested, watches := map[string]bool{}, map[string]bool{}
	for path, source := range goFiles(t) {
		if !strings.HasSuffix(path, "_test.go") {
			continue
		}
		dir := filepath.Dir(path)
		tested[dir] = true
		watches[dir] = watches[dir] || watched.MatchString(source)
	}
	if len(tested) < 20 {
		t.Fatalf("only %d packages with tests", len(tested))
	}
	for dir := range tested {
		if !watches[dir] {
			t.Errorf("%s: its TestMain does not run the tests under await.Watch", dir)
		}
	}
}

// TestOnlyTestsAwait asserts that nothing of package await, which ends the process, is in the program.
func TestOnlyTestsAwait(t *testing.T) {
	for path, source := range ofTheProgram(t) {
		if strings.Contains(source, module+"internal/await") {
			t.Errorf("%s imports it", path)
		}
	}
}

var sleeps = regexp.MustCompile(`\btime\.Sleep\((.*)\)`)

// TestNoTestSleeps asserts that tests wait for conditions. In a bubble of testing/synctest sleeping takes no time, and is
// how time passes there. A process that waits to be ended sleeps for an hour, and a benchmark may have a slow reader.
func TestNoTestSleeps(t *testing.T) {
	for path, source := range goFiles(t) {
		if !strings.HasSuffix(path, "_test.go") || strings.Contains(source, `"testing/synctest"`) || strings.HasSuffix(path, "_bench_test.go") {
			continue
		}
		for _, m := range sleeps.FindAllStringSubmatch(source, -1) {
			if m[1] != "time.Hour" {
				t.Errorf("%s sleeps: %s", path, m[0])
			}
		}
	}
}
