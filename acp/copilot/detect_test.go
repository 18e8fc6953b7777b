package copilot

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

func TestVersionsAreReadAndOrdered(t *testing.T) {
	for text, want := range map[string]string{
		"GitHub Copilot CLI 1.0.102.\nRun 'copilot update' to check for updates.": "1.0.102",
		"GitHub Copilot CLI 1.0.81-2.\n":                                          "1.0.81-2",
		"0.0.339\nCommit: 1a2b3c4":                                                "0.0.339",
		"v1.2.3-rc.1+build":                                                       "1.2.3-rc.1",
		"(1.0.5)":                                                                 "1.0.5",
		"10.20.30":                                                                "10.20.30",
		"no version":                                                              "unknown", "1.2": "unknown", "": "unknown", "a1.2.3": "unknown", "1.2.3.4": "1.2.3",
	} {
		v, ok := ParseVersion(text)
		if v.String() != want || ok != v.Known() {
			t.Errorf("%q: %s, %v, want %s", text, v, ok, want)
		}
	}
	order := []string{"0.0.339", "1.0.9", "1.0.81-1", "1.0.81-2", "1.0.81-2.1", "1.0.81-10", "1.0.81-beta", "1.0.81-beta.2", "1.0.81-rc", "1.0.81", "1.0.82", "1.0.83-2", "1.0.83-10", "1.0.83", "1.0.102-0", "1.0.102", "1.1.0", "2.0.0"}
	for i, a := range order {
		for j, b := range order {
			x, _ := ParseVersion(a)
			y, _ := ParseVersion(b)
			if got, want := x.Compare(y), sign(i-j); got != want {
				t.Errorf("%s against %s: %d, want %d", a, b, got, want)
			}
		}
	}
}

func sign(n int) int { return max(-1, min(1, n)) }

func TestDetectSaysWhatIsWrong(t *testing.T) {
	exe := self(t)
	env := func(part string) []string { return append(os.Environ(), playVar+"="+part) }
	if v, err := new(Detector).Detect(t.Context(), []string{exe}, env("GitHub Copilot CLI 1.0.81-2.")); err != nil || v != (Version{1, 0, 81, "2"}) {
		t.Errorf("a pre-release: %s, %v", v, err)
	}
	for name, c := range map[string]struct {
		argv0 string
		env   []string
		wants []string
	}{
		"missing":  {filepath.Join(t.TempDir(), "copilot"), nil, []string{"does not exist", "npm install -g @github/copilot"}},
		"not PATH": {"no-such-copilot-anywhere", nil, []string{"no such program in PATH", "agent.command"}},
		"AWS":      {exe, env("copilot version: v1.34.1"), []string{"AWS Copilot CLI", "agent.command"}},
		"other":    {exe, env("hello"), []string{"names no version", "it says: hello"}},
		"fails":    {exe, env("fails"), []string{"failed (it says: cannot load libfoo)", "in a terminal", "exit status 3"}},
		"floods":   {exe, env("floods"), []string{"names no version"}},
	} {
		_, err := new(Detector).Detect(t.Context(), []string{c.argv0}, c.env)
		if err == nil {
			t.Errorf("%s: no error", name)
			continue
		}
		for _, want := range c.wants {
			if !strings.Contains(err.Error(), want) {
				t.Errorf("%s: %q does not say %q", name, err, want)
			}
		}
	}
	ctx, cancel := context.WithTimeout(t.Context(), 300*time.Millisecond)
	defer cancel()
	if _, err := new(Detector).Detect(ctx, []string{exe}, env("hangs")); err == nil || !strings.Contains(err.Error(), "did not end") {
		t.Errorf("hangs: %v", err)
	}
	if _, err := new(Detector).Detect(t.Context(), nil, nil); err == nil {
		t.Error("no command, no error")
	}
}

func TestDetectorRemembers(t *testing.T) {
	var d Detector
	env := append(os.Environ(), playVar+"=once", "COPILOT_TEST_ONCE="+filepath.Join(t.TempDir(), "ran"))
	for range 3 {
		if v, err := d.Detect(t.Context(), []string{self(t), "--acp"}, env); err != nil || v.String() != "1.2.3" {
			t.Errorf("%s, %v", v, err)
		}
	}
}

func TestCopilotIsKnownByItsName(t *testing.T) {
	for command, want := range map[string]int{
		"copilot":                                     1,
		"/usr/local/bin/copilot --acp":                1,
		`C:\Users\x\AppData\copilot.exe --acp`:        1,
		"copilot.cmd":                                 1,
		"npx @github/copilot --acp":                   2,
		"npx --yes @github/copilot@1.0.102 --acp":     3,
		"npx -p @github/copilot copilot --acp":        4,
		"npm exec -- @github/copilot --acp":           4,
		"node /x/node_modules/@github/copilot/i.js":   2,
		"/x/@github/copilot-linux-x64/copilot --acp":  1,
		"env A=b copilot":                             3,
		"copilot-bridge":                              0,
		"gemini --acp":                                0,
		"gemini copilot":                              0,
		"node server.js copilot":                      0,
		"npx @zed-industries/claude-code-acp copilot": 0,
		"": 0,
	} {
		words := strings.Fields(command)
		if got := program(words); got != want || IsCopilot(words) != (want > 0) {
			t.Errorf("%q: %d, want %d", command, got, want)
		}
	}
}
