package host

import (
	"context"
	"testing"

	"github.com/copilot-bridge/copilot-bridge/bridge/permission"
	"github.com/copilot-bridge/copilot-bridge/bridge/policy"
)

// TestALanguageEditAtEachLevel: it goes by the level like any other edit, and by the one that is set while the language server, the user
// or the first of the files takes its time.
func TestALanguageEditAtEachLevel(t *testing.T) {
	planned := func(g *permission.Gate) {
		var h permission.PlanHold
		h.Restore("plan")
		g.Reported(h, nil, nil)
	}
	set := func(l policy.Level) func(*permission.Gate) { return func(g *permission.Gate) { g.SetLevel(l) } }
	nothing := func(*permission.Gate) {}
	for name, c := range map[string]struct {
		before, inServer, inQuestion, inFirst func(*permission.Gate)
		asked                                 int
		files                                 int // that are changed
	}{
		"read-only":                     {set(policy.LevelReadOnly), nothing, nothing, nothing, 0, 0},
		"ask":                           {set(policy.LevelAsk), nothing, nothing, nothing, 1, 3},
		"edits":                         {set(policy.LevelEdits), nothing, nothing, nothing, 0, 3},
		"all":                           {set(policy.LevelAll), nothing, nothing, nothing, 0, 3},
		"plan mode":                     {planned, nothing, nothing, nothing, 0, 0},
		"all and plan mode":             {func(g *permission.Gate) { g.SetLevel(policy.LevelAll); planned(g) }, nothing, nothing, nothing, 0, 0},
		"read-only while it is planned": {set(policy.LevelAll), set(policy.LevelReadOnly), nothing, nothing, 0, 0},
		"ask while it is planned":       {set(policy.LevelAll), set(policy.LevelAsk), nothing, nothing, 1, 3},
		"plan mode while it is planned": {set(policy.LevelAll), planned, nothing, nothing, 0, 0},
		"read-only during the question": {set(policy.LevelAsk), nothing, set(policy.LevelReadOnly), nothing, 1, 0},
		"plan mode during the question": {set(policy.LevelAsk), nothing, planned, nothing, 1, 0},
		"read-only after the first":     {set(policy.LevelEdits), nothing, nothing, set(policy.LevelReadOnly), 0, 1},
		"plan mode after the first":     {set(policy.LevelAsk), nothing, nothing, planned, 1, 1},
	} {
		t.Run(name, func(t *testing.T) {
			r := newLangRig(t, three)
			for _, f := range []string{"lib.txt", "use.txt", "far.txt"} {
				r.open(f)
			}
			c.before(r.s.Gate)
			r.server.raw[methodRename] = func(context.Context, []byte) (string, error) {
				c.inServer(r.s.Gate)
				return r.uris(threeEdits(0)), nil
			}
			r.answer = func(*permission.Question) permission.Answer {
				c.inQuestion(r.s.Gate)
				return permission.Answer{OptionID: permission.OptOnce}
			}
			r.buffers.Format = func(s string) string { c.inFirst(r.s.Gate); return s }
			got, err := r.tool(renameIt)
			changed := 0
			for f, old := range three {
				if r.buffer(f) != old {
					changed++
				}
			}
			if changed != c.files || len(r.asked) != c.asked || (err == nil) != (c.files == 3) {
				t.Errorf("%d files are changed, asked %d times: %q, %v", changed, len(r.asked), got, err)
			}
		})
	}
}
