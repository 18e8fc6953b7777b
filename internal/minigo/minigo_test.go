package minigo

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func write(t *testing.T, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "a_test.go")
	if err := os.WriteFile(path, []byte("package a\n"+text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestTestsAreRun(t *testing.T) {
	const file = `
import "testing"
const one = 1
func f(n, m int) int {
	if n == 0 { return m } else if n < 0 { return 0 - m }
	sum := (n + one) * 2 % 100
	sum -= m / 2
	return sum
}
func TestYes(t *testing.T) {
	if got := f(0, 7); got != 7 { t.Errorf("f = %d", got) }
	if got := f(0-1, 7); got != 0-7 { t.Errorf("f = %d", got) }
	if f(3, 4) != 6 { t.Errorf("no") }
}
func TestNo(t *testing.T) {
	t.Errorf("f = %d, want %d", f(3, 4), 5)
}
`
	var out strings.Builder
	passed, err := Test(&out, write(t, file))
	if want := "--- PASS: TestYes\n--- FAIL: TestNo\n    a_test.go:17: f = 6, want 5\n"; passed || err != nil || out.String() != want {
		t.Errorf("%v, %v: %q, want %q", passed, err, out.String(), want)
	}
}

// TestWhatIsNotKnownIsNotGuessed: it is an error that says where.
func TestWhatIsNotKnownIsNotGuessed(t *testing.T) {
	for text, want := range map[string]string{
		"func TestA(t *testing.T) { for {} }":                           "a_test.go:2: this statement",
		"func TestA(t *testing.T) { f() }":                              "a_test.go:2: this call",
		"func f() int { return f() }\nfunc TestA(t *testing.T) { f() }": "a call this deep",
		"func TestA(t *testing.T) { if x > 1 { t.Errorf(\"\") } }":      "this expression",
		"func TestA(t *testing.T) { if 1 << 2 > 1 { t.Errorf(\"\") } }": "<< is more",
		"func TestA(t *testing.T) { if 1 / 0 > 1 { t.Errorf(\"\") } }":  "division by zero",
		"func (t T) TestA() {}":                                         "this function",
		"var x, y = 1, 2":                                               "this declaration",
		"func TestA(t *testing.T) { x, y := 1, 2 }":                     "this assignment",
		"func TestA(t *testing.T) { x := 1; x <<= 2 }":                  "<<= is more",
		"func TestA(t *testing.T) {":                                    "expected '}'",
	} {
		var out strings.Builder
		if passed, err := Test(&out, write(t, text)); passed || err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, %v", text, passed, err)
		}
	}
	if passed, err := Test(&strings.Builder{}, write(t, "")); passed || err != nil {
		t.Errorf("no test: %v, %v", passed, err)
	}
}
