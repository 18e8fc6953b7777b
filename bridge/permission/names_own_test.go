package permission

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/copilot-bridge/copilot-bridge/bridge/policy"
)

// TestOwnPlacesAreControlFilesByEveryName: the bridge's configuration, its state and its rules ask under every name that they have,
// also where the user keeps them in a folder of dotfiles that the session works in.
func TestOwnPlacesAreControlFilesByEveryName(t *testing.T) {
	type m = map[string]string
	for what, c := range map[string]struct {
		files, links m
		place        string // of the bridge's own
		ask, silent  string // names of files in the session's folder
	}{
		"as it is spelled":          {m{"w/cb/config.json": ""}, nil, "w/cb", "cb/config.json cb/new cb", "x"},
		"a file":                    {m{"w/rules.json": ""}, nil, "w/rules.json", "rules.json", "rules.json5 x"},
		"a file that is a link":     {m{"w/dot/rules.json": ""}, m{"home/rules.json": "../w/dot/rules.json"}, "home/rules.json", "dot/rules.json", "dot/x"},
		"the folder is a link":      {m{"w/dot/cb/config.json": ""}, m{"home/cb": "../w/dot/cb"}, "home/cb", "dot/cb/config.json dot/cb/new dot/cb", "dot/x"},
		"one above it is":           {m{"w/dot/cb/config.json": "", "w/dot/other": ""}, m{"home": "w/dot"}, "home/cb", "dot/cb/config.json dot/cb/new", "dot/other"},
		"one above, not made yet":   {m{"w/dot/other": ""}, m{"home": "w/dot"}, "home/cb", "dot/cb/config.json dot/cb", "dot/other"},
		"the file in it is":         {m{"w/dot/config.json": "", "home/cb/x": ""}, m{"home/cb/config.json": "../../w/dot/config.json"}, "home/cb", "dot/config.json", "dot/x"},
		"the file, not made yet":    {m{"w/dot/x": "", "home/cb/x": ""}, m{"home/cb/config.json": "../../w/dot/config.json"}, "home/cb", "dot/config.json", "dot/x"},
		"links to links":            {m{"w/real/c.json": "", "w/dot/cb/x": ""}, m{"home/cb": "../w/dot/cb", "w/dot/cb/config.json": "../../real/c.json"}, "home/cb", "real/c.json dot/cb/x", "real/x"},
		"a folder in it is":         {m{"w/dot/journal/a": "", "home/cb/x": ""}, m{"home/cb/journal": "../../w/dot/journal"}, "home/cb", "dot/journal/a dot/journal/new", "dot/x"},
		"a link in the workspace":   {m{"home/cb/config.json": "", "w/x": ""}, m{"w/in": "../home/cb"}, "home/cb", "in/config.json in/new", "x"},
		"another case":              {m{"w/dot/cb/config.json": ""}, m{"home/cb": "../w/dot/cb"}, "home/cb", "dot/CB/config.json", "dot/x"},
		"by a link of another name": {m{"w/dot/cb/config.json": ""}, m{"home/cb": "../w/dot/cb", "w/notes": "dot/cb"}, "home/cb", "notes/config.json", "x"},
	} {
		t.Run(what, func(t *testing.T) {
			g := linkedGate(t, c.files, c.links)
			place := filepath.Join(filepath.Dir(g.Cwd), filepath.FromSlash(c.place))
			g.all.Rules.Protect(place)
			for want, names := range map[policy.Verdict]string{policy.Ask: c.ask, policy.Allow: c.silent} {
				for _, name := range strings.Fields(names) {
					if d := g.freely(t, name); d.Verdict != want {
						t.Errorf("%s: %s, want %s (%s)", name, d.Verdict, want, d.Reason)
					}
				}
			}
		})
	}
}

// TestAHardLinkOfAnOwnFileAsks names the reason: that the file has further names is not all that there is to say.
func TestAHardLinkOfAnOwnFileAsks(t *testing.T) {
	g := linkedGate(t, map[string]string{"home/cb/config.json": "", "home/rules.json": "", "w/x": ""}, nil)
	home := filepath.Join(filepath.Dir(g.Cwd), "home")
	g.all.Rules.Protect(filepath.Join(home, "cb"), filepath.Join(home, "rules.json"))
	for own, name := range map[string]string{"cb/config.json": "a", "rules.json": "b"} {
		if err := os.Link(filepath.Join(home, filepath.FromSlash(own)), filepath.Join(g.Cwd, name)); err != nil {
			t.Fatal(err)
		}
		if d := g.freely(t, name); d.Verdict != policy.Ask || !strings.Contains(d.Reason, "copilot-bridge's own") {
			t.Errorf("%s: %s (%s)", name, d.Verdict, d.Reason)
		}
	}
}

// freely is what is decided of a change of a file where rules and level allow all that can be allowed.
func (g *Gate) freely(t testing.TB, name string) policy.Decision {
	t.Helper()
	target, err := g.Resolve(filepath.Join(g.Cwd, filepath.FromSlash(name)))
	if err != nil {
		t.Fatal(err)
	}
	return g.all.Rules.Decide(policy.Request{Tool: policy.ToolEdit, Cwd: g.Cwd, Paths: []policy.Path{g.PathOf(target, policy.OpWrite)}, Level: policy.LevelAll})
}
