package settings

import (
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/copilot-bridge/copilot-bridge/bridge"
	"github.com/copilot-bridge/copilot-bridge/bridge/policy"
)

func write(t *testing.T, text string) (folder string) {
	t.Helper()
	folder = filepath.Join(t.TempDir(), "copilot-bridge")
	if err := os.Mkdir(folder, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(folder, "config.json"), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return folder
}

const whole = "\ufeff" + `// mine
{
  "agent": {"command": ["my-agent", "// no comment"], "env": {"A": "b"},}, /* all
  of it */
  "permission": {
    "level": "edits", // until I know better
    "rules": [
      {"tool": "shell", "command": "go test *", "decision": "allow"},
      {"tool": "edit", "path": "infra/**", "decision": "deny"},
    ],
  },
  "flush": "never",
  "notifications": false,
}
`

// TestTheFileIsLaidOverWhatWasStarted with comments and commas at the end, and nothing else is changed.
func TestTheFileIsLaidOverWhatWasStarted(t *testing.T) {
	f, err := Read(write(t, whole), "")
	if err != nil {
		t.Fatal(err)
	}
	s := New(bridge.Config{Command: []string{"copilot"}, TTY: true})
	f.Apply(&s)
	if s.Level != policy.LevelEdits || len(s.Rules) != 2 || s.Rules[0].Command != "go test *" || s.Flush != bridge.FlushNever || s.Notifications || !s.TTY ||
		!reflect.DeepEqual(s.Command, []string{"my-agent", "// no comment"}) || !reflect.DeepEqual(s.Bridge().Env, []string{"A=b"}) {
		t.Errorf("%+v", s)
	}
	s = New(bridge.Config{Command: []string{"other"}})
	f.Without("agent.command").Apply(&s)
	if s.Command[0] != "other" || !f.Has("agent.command") {
		t.Errorf("the command line does not win: %q", s.Command)
	}
	for _, text := range []string{"", " \n// nothing\n"} {
		if f, err := Read(write(t, text), ""); err != nil || len(f.set) > 0 {
			t.Errorf("%q: %+v %v", text, f, err)
		}
	}
	if f, err := Read(filepath.Join(t.TempDir(), "none"), ""); err != nil || len(f.set) > 0 {
		t.Errorf("no file: %v", err)
	}
}

// TestAMistakeHasItsLine and says what was expected.
func TestAMistakeHasItsLine(t *testing.T) {
	for text, want := range map[string]string{
		"{\n  \"flush\": \"sometimes\"\n}":                `config.json:2:12: flush must be one of "ask", "never", "disk"`,
		"{\"permission\": {\n\"level\": \"everything\"}}": `config.json:2:10: permission.level must be one of "read-only", "ask", "edits", "all"`,
		"{\n// c\n\"permission\": {\"levels\": \"ask\"}}": `config.json:3:16: permission.levels is not a setting; there are`,
		"{\"colour\": 1}":                `config.json:1:2: colour is not a setting; there are agent,`,
		"{\"agent\": []}":                `config.json:1:11: agent must be an object`,
		"[]":                             `config.json:1:1: the configuration must be an object`,
		"{\"flush\": \"ask\"\n\"x\": 1}": `config.json:2:1: it is no valid JSON`,
		"{} {}":                          `config.json:1:4: something stands behind`,
		"{\n /* x":                       `config.json:2:2: a comment does not end`,
		"{\"permission\": {\"rules\": [\n{\"tool\":\"shell\",\n\"command\":\"a;b\",\"decision\":\"allow\"}]}}": `config.json:3:1: permission.rules[0].command has the word "a;b"`,
		"{\"flush\": \"ask\", \"flush\": \"never\"}":                                                           `config.json:1:`,
	} {
		if _, err := Read(write(t, text), ""); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s\n got %v\nwant %s", text, err, want)
		}
	}
}

// TestAFileThatOthersCanChangeIsNotRead, nor one in a workspace that a relative name leads to.
func TestAFileThatOthersCanChangeIsNotRead(t *testing.T) {
	folder := write(t, whole)
	if err := os.Chmod(filepath.Join(folder, "config.json"), 0o666); err != nil {
		t.Fatal(err)
	}
	if _, err := Read(folder, ""); err == nil || !strings.Contains(err.Error(), "is not used") {
		t.Error(err)
	}
	for _, c := range [][3]string{{"/c", "/h", "/c/copilot-bridge"}, {"", "/h", "/h/.config/copilot-bridge"}, {"here", "/h", "/h/.config/copilot-bridge"}, {"", "", ""}} {
		if got := filepath.ToSlash(Folder(filepath.FromSlash(c[0]), filepath.FromSlash(c[1]))); got != c[2] {
			t.Errorf("%q: %q", c, got)
		}
	}
}

func FuzzParse(f *testing.F) {
	f.Add([]byte(whole))
	f.Add([]byte(`{"a": "\"/*", /**/ "b": [,]}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		plain, err := withoutComments(text)
		if err == nil && len(plain) != len(text) {
			t.Fatalf("%q became %q", text, plain)
		}
		set, err := parse(text)
		if err != nil {
			return
		}
		s := New(bridge.Config{})
		File{set: set}.Apply(&s)
	})
}
