package policy

import "testing"

// TestCommandsAreShownWithWhatRunsThem: a line of a shell stands for itself, the code of any other program does not.
func TestCommandsAreShownWithWhatRunsThem(t *testing.T) {
	for want, argv := range map[string][]string{
		"go test ./...":              {"bash", "-c", "go test ./..."},
		`python3 -c "import os"`:     {"python3", "-c", "import os"},
		`fish -c "rm -r x"`:          {"fish", "-c", "rm -r x"},
		`bash -c ls x`:               {"bash", "-c", "ls", "x"},
		"cp \"a b\" \"\" \"`c`\" d":  {"cp", "a b", "", "`c`", "d"},
		"\"C:\\\\go.exe\" \"$HOME\"": {`C:\go.exe`, "$HOME"},
	} {
		if got := CommandText(argv); got != want {
			t.Errorf("%q is shown as %s, want %s", argv, got, want)
		}
	}
}

// TestRulesAreShownWhole: each thing that a rule holds for is in its words.
func TestRulesAreShownWhole(t *testing.T) {
	r := Rule{Tool: ToolShell, Argv: []string{"python3", "-c", "1"}, Dir: "/w", Content: "sha256:0", Decision: Allow}
	if got, want := r.Words(), "allow shell: python3 -c 1  in /w  while the file it runs stays as it is"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	if got, want := (Rule{Tool: ToolEdit, Path: "/w/**", Decision: Deny}).Words(), "deny edit /w/**"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}
