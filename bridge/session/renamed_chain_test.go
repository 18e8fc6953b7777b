package session_test

import (
	"maps"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/copilot-bridge/copilot-bridge/bridge/review"
)

// chains are moves and deletions in a row, after the agent has changed a.txt, b.txt and c.txt; want says whose own text each
// name has when all that is pending is undone. Nothing else is there then.
var chains = map[string]struct {
	steps string
	want  map[string]string
}{
	"one after the other":        {"mv a.txt d.txt; mv d.txt e.txt", map[string]string{"e.txt": "a", "b.txt": "b", "c.txt": "c"}},
	"there and back":             {"mv a.txt d.txt; mv d.txt a.txt", map[string]string{"a.txt": "a", "b.txt": "b", "c.txt": "c"}},
	"over one that is deleted":   {"mv a.txt d.txt; rm d.txt; mv c.txt d.txt", map[string]string{"d.txt": "c", "b.txt": "b"}},
	"to the name of a deleted":   {"rm a.txt; mv c.txt a.txt", map[string]string{"a.txt": "c", "b.txt": "b"}},
	"over another":               {"mv a.txt b.txt", map[string]string{"b.txt": "a", "c.txt": "c"}},
	"over another, and on":       {"mv a.txt b.txt; mv b.txt c.txt", map[string]string{"c.txt": "a"}},
	"up one place":               {"mv b.txt d.txt; mv a.txt b.txt; mv c.txt a.txt", map[string]string{"d.txt": "b", "b.txt": "a", "a.txt": "c"}},
	"changing places":            {"mv a.txt d.txt; mv c.txt a.txt; mv d.txt c.txt", map[string]string{"a.txt": "c", "c.txt": "a", "b.txt": "b"}},
	"into a folder that is gone": {"mkdir n; mv a.txt n/a.txt; mv n m; rm b.txt; mv m/a.txt b.txt; rmdir m", map[string]string{"b.txt": "a", "c.txt": "c"}},
}

// Texts with line ends of their own and without a last one: an undo gives them back to the byte.
var chained = map[string]string{"a": "a1\r\na2\r\na3", "b": "b1\nb2\nb3\n", "c": "\uFEFFc1\nc2\r\nc3"}

const changeAll = "printf 'a1\\r\\nA2\\r\\na3' > a.txt; printf 'b1\\nB2\\nb3\\n' > b.txt; printf '\\357\\273\\277c1\\nC2\\r\\nc3' > c.txt"

// as looks at what is on disk after the undo.
func (r *rig) as(want map[string]string, whose map[string]string) {
	r.t.Helper()
	entries, err := os.ReadDir(r.dir)
	if err != nil {
		r.t.Fatal(err)
	}
	var names []string
	for _, e := range entries {
		names = append(names, e.Name())
	}
	if sorted := slices.Sorted(maps.Keys(want)); !slices.Equal(names, sorted) {
		r.t.Errorf("there are %q, want %q", names, sorted)
	}
	for name, file := range want {
		if got := r.disk(name); got != whose[file] {
			r.t.Errorf("%s is %q, want %q", name, got, whose[file])
		}
	}
	if left := r.review(); len(left) > 0 {
		r.t.Errorf("still in review: %q", left)
	}
}

// TestWhatIsPendingFollowsAChainOfRenames: the user moves and deletes files in the editor, which tells of each step.
func TestWhatIsPendingFollowsAChainOfRenames(t *testing.T) {
	for name, c := range chains {
		t.Run(name, func(t *testing.T) {
			r, turn := atWork(t, map[string]string{"a.txt": chained["a"], "b.txt": chained["b"], "c.txt": chained["c"]}, plain)
			r.bash(changeAll)
			r.finish(turn)
			for step := range strings.SplitSeq(c.steps, "; ") {
				f := strings.Fields(step)
				switch f[0] {
				case "mv":
					r.rename(f[1], f[2])
					r.b.FileRenamed(r.path(f[1]), r.path(f[2]))
				case "mkdir":
					if err := os.Mkdir(r.path(f[1]), 0o755); err != nil {
						t.Fatal(err)
					}
				default:
					if err := os.Remove(r.path(f[1])); err != nil {
						t.Fatal(err)
					}
					r.b.FileDeleted(r.path(f[1]))
				}
			}
			if got := r.review(); len(got) != len(c.want) {
				t.Errorf("in review: %q", got)
			}
			r.undoAll()
			r.as(c.want, chained)
		})
	}
}

// TestACommandsChainOfRenamesIsUndone: what commands move and delete, in one or in several, is put back as it was before them.
// Files that have changed places in several commands stand in each other's way: that is told, and they stay as they are.
func TestACommandsChainOfRenamesIsUndone(t *testing.T) {
	for name, c := range chains {
		for _, together := range []bool{true, false} {
			t.Run(name, func(t *testing.T) {
				r, turn := atWork(t, map[string]string{"a.txt": chained["a"], "b.txt": chained["b"], "c.txt": chained["c"]}, plain)
				r.bash(changeAll)
				steps := []string{c.steps}
				if !together {
					steps = strings.Split(c.steps, "; ")
				}
				for _, step := range steps {
					r.bash(step)
				}
				r.finish(turn)
				if name == "changing places" && !together {
					before := []string{r.disk("a.txt"), r.disk("c.txt")}
					if _, conflicts := r.b.Undo(r.ctx, review.Selector{All: true}); len(conflicts) == 0 || !slices.Equal(before, []string{r.disk("a.txt"), r.disk("c.txt")}) {
						t.Errorf("%+v; there is %q and %q", conflicts, r.disk("a.txt"), r.disk("c.txt"))
					}
					return
				}
				r.undoAll()
				for name, file := range map[string]string{"a.txt": "a", "b.txt": "b", "c.txt": "c"} {
					if got := r.disk(name); got != chained[file] {
						t.Errorf("together %v: %s is %q, want %q", together, name, got, chained[file])
					}
				}
				for _, name := range []string{"d.txt", "e.txt"} {
					if _, err := os.Lstat(r.path(name)); err == nil {
						t.Errorf("together %v: %s is there", together, name)
					}
				}
				if left := r.review(); len(left) > 0 {
					t.Errorf("together %v, still in review: %q", together, left)
				}
			})
		}
	}
}
