package session_test

import (
	"os"
	"strings"
	"testing"

	"github.com/copilot-bridge/copilot-bridge/acp"
)

func TestLinkedControlFilesAskOnEveryRoad(t *testing.T) {
	t.Parallel()
	r := newRigWith(t, map[string]string{"cfg/a.json": "one\n", "hk/x": "one\n", ".git/HEAD": "ref\n", "data/d": "one\n"},
		func(c *Config) { c.Rules = everythingAllowed }, toolTurn).open()
	symlink(t, "cfg", r.path(".vscode"))
	symlink(t, "../hk", r.path(".git/hooks"))
	symlink(t, "later/x.json", r.path(".mcp.json"))
	r.screen.ask = no
	r.inTurn(func(l *link) {
		s := r.theSession()
		for _, name := range []string{"cfg/a.json", "cfg/new.json", "hk/x", "hk/pre-commit", "later/x.json"} {
			path := r.path(name)
			kind := acp.ToolKindEdit
			for road, try := range map[string]func() error{
				"edit": func() error { _, err := r.edit(l, name, "one", "two"); return err },
				"fs/write_text_file": func() error {
					_, err := s.Host().WriteTextFile(r.ctx, &acp.WriteTextFileRequest{Path: path, Content: "evil"})
					return err
				},
				"request_permission": func() error {
					p := &acp.RequestPermissionRequest{
						ToolCall: acp.ToolCallUpdate{ToolCallID: "c", Kind: &kind, Locations: []acp.ToolCallLocation{{Path: path}}},
						Options:  []acp.PermissionOption{{OptionID: "y", Kind: acp.PermissionOptionKindAllowOnce}, {OptionID: "n", Kind: acp.PermissionOptionKindRejectOnce}},
					}
					if o, ok := s.RequestPermission(r.ctx, p).(*acp.RequestPermissionResponse).Outcome.(*acp.SelectedPermissionOutcome); ok && o.OptionID == "y" {
						return nil
					}
					return os.ErrPermission
				},
			} {
				before := len(r.screen.questions())
				err := try()
				exists := road != "edit" || strings.HasSuffix(name, "a.json") || name == "hk/x"
				if n := len(r.screen.questions()) - before; err == nil || exists && n != 1 {
					t.Errorf("%s of %s: asked %d times, %v", road, name, n, err)
				}
			}
		}
		if _, err := r.edit(l, "data/d", "one", "two"); err != nil {
			t.Errorf("an ordinary file: %v", err)
		}
	})
}
