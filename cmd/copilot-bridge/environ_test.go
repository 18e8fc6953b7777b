package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestALogHidesSecrets: a log quotes what an agent writes that is no message, and that may be its environment.
func TestALogHidesSecrets(t *testing.T) {
	const secret = `quo"ted-secret-77`
	t.Setenv("SOME_API_KEY", secret)
	path := filepath.Join(t.TempDir(), "log")
	for _, to := range []string{path, "-"} {
		var stderr bytes.Buffer
		log, done, err := logger(to, &stderr)
		if err != nil {
			t.Fatal(err)
		}
		log.Warn().Str("line", "not json "+secret+" gho_abcdefghij").Msg("skipped")
		done()
		text := stderr.String()
		if to == path {
			b, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			text = string(b)
		}
		if !strings.Contains(text, "not json") || strings.Contains(text, "secret-77") || strings.Contains(text, "abcdefghij") {
			t.Errorf("%s: %s", to, text)
		}
	}
}
