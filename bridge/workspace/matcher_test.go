package workspace

import (
	"testing"

	ignore "github.com/sabhiram/go-gitignore"
)

// The quick way says what the library says, about everything a walk asks.
func TestTheQuickMatcherSaysWhatTheLibrarySays(t *testing.T) {
	paths := []string{
		"a", "a/", "b", "ab", "ba", "ab/", "x/a", "x/a/", "x/ba", "x/y/a", ".o", "a.o", "x/a.o", "a.o/", "a.oo", "build", "build/", "x/build/",
		"rebuild/", "x/rebuild", "build.log", "x/.env", ".env", "a.env", "node_modules/", "x/node_modules/",
	}
	for _, line := range []string{"a", "a/", "/a", "/a/", "*.o", "*.log", "build", "build/", "/build/", ".env", "node_modules/", "*a", "*", "x/a", "a*", "?", "[ab]", "**/a"} {
		quick, library := matcher(line), ignore.CompileIgnoreLines(line)
		for _, p := range paths {
			if got, want := quick(p), library.MatchesPath(p); got != want {
				t.Errorf("line %q, path %q: %v, the library says %v", line, p, got, want)
			}
		}
	}
}
