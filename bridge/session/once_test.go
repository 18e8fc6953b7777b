package session_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/copilot-bridge/copilot-bridge/bridge/policy"
)

// An edit of a file that the model may not read by itself is one question, which is about both. Where the edit cannot be made, what
// is told of the file is asked about as a read; where it would not be asked about, so is the read before it.
func TestAnEditIsOneQuestion(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		file  string // "" for one outside the folders
		old   string
		rules []policy.Rule
		asked string // what the titles begin with
		fails bool
	}{
		"outside":                  {"", "far", nil, "Edit", false},
		"outside, no match":        {"", "near", nil, "Read", true},
		"outside, not there":       {"none", "far", nil, "Read", true},
		"a secret":                 {".env", "far", nil, "Edit", false},
		"a rule that asks":         {"a.txt", "far", []policy.Rule{{Tool: policy.ToolRead, Path: "a.txt", Decision: policy.Ask}}, "Edit", false},
		"a rule that asks to read": {"a.txt", "far", []policy.Rule{{Tool: policy.ToolRead, Path: "a.txt", Decision: policy.Ask}, {Tool: policy.ToolEdit, Path: "a.txt", Decision: policy.Allow}}, "Read", false},
		"a rule that denies":       {"a.txt", "far", []policy.Rule{{Tool: policy.ToolRead, Path: "a.txt", Decision: policy.Deny}}, "", true},
	} {
		for answer, ask := range map[string]bool{"yes": true, "no": false} {
			t.Run(name+", "+answer, func(t *testing.T) {
				r := newRigWith(t, map[string]string{"a.txt": "far\n", ".env": "far\n"}, func(cfg *Config) { cfg.Rules = c.rules }, toolTurn).open()
				path := r.path(c.file)
				if c.file == "" || c.file == "none" {
					path = filepath.Join(t.TempDir(), "o.txt")
					if c.file == "" {
						if err := os.WriteFile(path, []byte("far\n"), 0o644); err != nil {
							t.Fatal(err)
						}
					}
				}
				if r.screen.ask = no; ask {
					r.screen.ask = yes
				}
				r.inTurn(func(l *link) {
					text, err := r.editAt(l, path, c.old, "near")
					if (err != nil) != (c.fails || !ask) {
						t.Errorf("the model reads %q, %v", text, err)
					}
					if err != nil && !ask && c.asked != "" && !strings.Contains(err.Error(), "declined") {
						t.Errorf("a no tells of the file: %v", err)
					}
				})
				var titles []string
				for _, q := range r.screen.questions() {
					titles = append(titles, q.Title)
				}
				if all := strings.Join(titles, "; "); c.asked == "" && all != "" || c.asked != "" && (len(titles) != 1 || !strings.HasPrefix(all, c.asked)) {
					t.Errorf("asked %q", titles)
				}
			})
		}
	}
}
