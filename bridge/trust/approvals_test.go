package trust

import (
	"slices"
	"testing"

	"github.com/copilot-bridge/copilot-bridge/bridge/workspace"
)

func TestAChangeIsApprovedOrNot(t *testing.T) {
	changes := []workspace.Change{{Path: "/a"}, {Path: "/c", From: "/b", Kind: workspace.Moved}}
	for name, c := range map[string]struct {
		approve func(*Approvals)
		want    []string
	}{
		"nothing":               {func(*Approvals) {}, []string{"/a", "/c"}},
		"one file":              {func(a *Approvals) { a.File("/a") }, []string{"/c"}},
		"a move, half":          {func(a *Approvals) { a.File("/a"); a.File("/c") }, []string{"/c"}},
		"all":                   {func(a *Approvals) { a.File("/a"); a.File("/b"); a.File("/c") }, nil},
		"a command":             {func(a *Approvals) { a.Command() }, nil},
		"of a turn before this": {func(a *Approvals) { a.File("/a"); a.Command(); a.Watch(func() {}) }, []string{"/a", "/c"}},
		"of an ignored turn":    {func(a *Approvals) { a.Ignore() }, nil},
	} {
		t.Run(name, func(t *testing.T) {
			released, a := 0, new(Approvals)
			a.Watch(func() { released++ })
			c.approve(a)
			if got := a.Unapproved(changes); !slices.Equal(got, c.want) {
				t.Errorf("%q, want %q", got, c.want)
			}
			if clean := name == "all"; a.Clean() != clean {
				t.Errorf("a clean turn: %v, want %v", a.Clean(), clean)
			}
			a.End()
			a.End()
			if released != 1 || a.Watching() {
				t.Errorf("released %d times", released)
			}
		})
	}
}
