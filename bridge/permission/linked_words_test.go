package permission

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/copilot-bridge/copilot-bridge/bridge/policy"
)

// TestAnAlwaysIsNotForWhatALinkLeadsToLater: the words of a command stay the same while a link of the workspace comes to lead
// elsewhere. The question says where they lead.
func TestAnAlwaysIsNotForWhatALinkLeadsToLater(t *testing.T) {
	for name, c := range map[string]struct {
		argv  []string
		links map[string]string // when it is allowed for good
		then  map[string]string // later
		same  bool
		told  string
	}{
		"nothing changes":    {[]string{"cat", "a.txt"}, nil, nil, true, ""},
		"a link stays":       {[]string{"cat", "l"}, map[string]string{"w/l": "a.txt"}, nil, true, "l in the command is really $cwd/a.txt"},
		"a link comes":       {[]string{"cat", "l"}, nil, map[string]string{"w/l": "../out.txt"}, false, ""},
		"a link is turned":   {[]string{"cat", "l"}, map[string]string{"w/l": "a.txt"}, map[string]string{"w/l": ".env"}, false, "l in the command"},
		"of a folder":        {[]string{"cat", "d/x"}, map[string]string{"w/d": "sub"}, map[string]string{"w/d": "other"}, false, "d/x in the command"},
		"to nothing":         {[]string{"cat", "l"}, map[string]string{"w/l": "none"}, map[string]string{"w/l": "../none"}, false, "l in the command"},
		"in a line":          {[]string{"bash", "-c", "cat l"}, nil, map[string]string{"w/l": "../out.txt"}, false, ""},
		"outside is no link": {[]string{"cat", "/proc/self/status"}, nil, nil, true, ""},
	} {
		t.Run(name, func(t *testing.T) {
			g := linkedGate(t, map[string]string{"w/a.txt": "", "w/.env": "", "out.txt": "", "w/sub/x": "", "w/other/x": ""}, c.links)
			asked, notes := 0, ""
			g.AskUser = func(_ context.Context, q *Question) (Answer, bool, error) {
				asked++
				notes = strings.Join(q.Notes, "\n")
				return Answer{OptionID: OptAlways}, false, nil
			}
			g.Notice = func(string) {}
			memory, err := policy.OpenMemory("")
			if err != nil {
				t.Fatal(err)
			}
			g.all.Rules = policy.New(nil, memory)
			run := func() {
				t.Helper()
				if _, err := g.PermitCommand(t.Context(), Command{Tool: "x", Argv: c.argv, Cwd: g.Cwd}); err != nil {
					t.Fatal(err)
				}
			}
			run()
			if told := strings.ReplaceAll(c.told, "$cwd", g.Cwd); asked != 1 || !strings.Contains(notes, told) || told == "" && strings.Contains(notes, "in the command") {
				t.Errorf("asked %d times, told %q", asked, notes)
			}
			for from, to := range c.then {
				from = filepath.Join(filepath.Dir(g.Cwd), from)
				_ = os.Remove(from)
				symlink(t, to, from)
			}
			run()
			if again := asked == 2; again == c.same {
				t.Errorf("asked again: %v", again)
			}
		})
	}
}
