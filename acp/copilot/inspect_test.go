package copilot

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// installed is the test binary under the name copilot, in a folder of its own.
func installed(t *testing.T) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "copilot")
	if err := os.Symlink(self(t), path); err != nil {
		t.Fatal(err)
	}
	return path
}

func outline(r Report) string {
	var out []string
	for _, c := range r.Checks {
		out = append(out, fmt.Sprintf("%s=%v", c.Name, c.OK))
	}
	return strings.Join(out, " ")
}

func TestInspect(t *testing.T) {
	exe, provider := installed(t), "COPILOT_PROVIDER_BASE_URL=http://127.0.0.1:9/v1"
	for name, c := range map[string]struct {
		command []string
		env     []string
		want    string
		says    string // somewhere in the failed check
	}{
		"fit":        {[]string{exe, "--model", "x"}, []string{playVar + "=agent"}, "program=true version=true asks=true kind=true state=true start=true sign-in=true", ""},
		"signed out": {[]string{exe}, []string{playVar + "=signed out"}, "program=true version=true asks=true kind=true state=true start=true sign-in=false", "run `/opt/copilot login`"},
		"allows all": {[]string{exe}, []string{playVar + "=agent", "COPILOT_ALLOW_ALL=true"}, "program=true version=true asks=true kind=true state=true permissions=false start=true sign-in=true", "COPILOT_ALLOW_ALL"},
		"too old":    {[]string{exe}, []string{playVar + "=1.0.59"}, "program=true version=false asks=true kind=true state=true start=true sign-in=true", "copilot update"},
		"never asks": {[]string{exe}, []string{playVar + "=1.0.81-3"}, "program=true version=true asks=false kind=true state=true start=true sign-in=true", "#4537"},
		"nor this":   {[]string{exe}, []string{playVar + "=1.0.83-2"}, "program=true version=true asks=false kind=true state=true start=true sign-in=true", "it is 1.0.83-2, and from 1.0.81-2 until 1.0.83 it writes files and runs commands without asking"},
		"own model":  {[]string{exe}, []string{playVar + "=1.0.75", provider}, "program=true version=true asks=true model=false kind=true state=true start=true sign-in=true", "it is 1.0.75, and before 1.0.78 it takes no model of your own"},
		"a model":    {[]string{exe}, []string{playVar + "=1.0.78", provider}, "program=true version=true asks=true kind=true state=true start=true sign-in=true", ""},
		"missing":    {[]string{filepath.Join(t.TempDir(), "copilot")}, nil, "program=false", "npm install"},
		"broken":     {[]string{exe}, []string{playVar + "=fails"}, "program=true version=false", "exit status 3"},
		"nothing":    {nil, nil, "program=false", "agent.command"},
		"other":      {[]string{self(t)}, []string{playVar + "=agent"}, "program=true start=true sign-in=true", ""},
	} {
		home := t.TempDir()
		env := append(append(os.Environ(), "COPILOT_HOME="+home), c.env...)
		r := Inspect(t.Context(), InspectConfig{Command: c.command, Env: env, Version: "test"})
		if got := outline(r); got != c.want || r.OK != !strings.Contains(c.want, "false") {
			t.Errorf("%s: ok %v, %s\nwant %s: %+v", name, r.OK, got, c.want, r.Checks)
		}
		for _, k := range r.Checks {
			if !k.OK && !strings.Contains(k.Detail+k.Fix, c.says) {
				t.Errorf("%s: %+v does not say %q", name, k, c.says)
			}
		}
		if _, err := os.Stat(filepath.Join(home, "session-state", "s-1")); !os.IsNotExist(err) && name != "other" {
			t.Errorf("%s: the empty session stays: %v", name, err)
		}
		if name == "fit" {
			if argv, err := os.ReadFile(filepath.Join(home, "argv")); err != nil || string(argv) != "--model x --acp --stdio" {
				t.Errorf("started with %q, %v", argv, err)
			}
			if r.Version != "1.0.102" || len(r.Quirks) == 0 {
				t.Errorf("version %q, quirks %v", r.Version, r.Quirks)
			}
		}
	}
}
