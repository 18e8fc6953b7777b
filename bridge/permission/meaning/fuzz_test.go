package meaning

import (
	"reflect"
	"slices"
	"testing"
	"unicode/utf8"

	"github.com/go-json-experiment/json"
)

func FuzzAgentInput(f *testing.F) {
	for _, s := range []string{
		`{"fileName":"/w/a.txt","diff":"x"}`, `{"command":"ls","commands":["ls"]}`, `{"file_path":"/w/a","old_string":"a","new_string":"b"}`,
		`{"command":["bash","-lc","ls"],"workdir":"/w"}`, `{"path":"a","PATH":"b"}`, `{"paths":["a",["b"]]}`, `[]`, `{"uri":"file:///w/%2e%2e/x"}`, `{"a":1e999}`,
	} {
		f.Add([]byte(s))
	}
	for _, s := range oddInputs {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		in := Read(raw)
		switch again := Read(raw); {
		case !reflect.DeepEqual(in, again):
			t.Fatalf("read in two ways: %+v, %+v", in, again)
		case in.Odd != "" && (in.Argv != nil || in.Text != nil || in.Old != nil || in.New != nil || in.Dir != ""):
			t.Fatalf("believed although %s: %+v", in.Odd, in)
		case in.Odd == "" && (in.Maybe != nil || in.Argv != nil && (in.Argv[0] == "" || len(in.Paths) > 0)):
			t.Fatalf("understood as two things: %+v", in)
		case in.Argv != nil:
			understood(t, raw, in)
		}
		for _, p := range in.Paths {
			if in.Odd == "" && (p == "" || !oneLine(p) || !utf8.ValidString(p)) {
				t.Fatalf("a path %q", p)
			}
		}
	})
}

// understood fails unless an input has the command that was read, as it was read, and nothing else that could be one.
func understood(t *testing.T, raw []byte, in Input) {
	var members map[string]any
	if err := json.Unmarshal(raw, &members); err != nil {
		t.Fatalf("%v: %+v", err, in)
	}
	words := in.Argv
	if line, ok := members["command"].(string); ok && !slices.Equal(words, []string{"bash", "-c", line}) {
		t.Fatalf("%q is read as %q", line, words)
	}
	if list, ok := members["command"].([]any); ok && len(list) != len(words) {
		t.Fatalf("%q is read as %q", list, words)
	}
	for name, value := range members {
		if value != nil && name != "command" && name != "commands" && name != "parsed_cmd" && commandName(name) {
			t.Fatalf("%q stands beside the command", name)
		}
	}
}
