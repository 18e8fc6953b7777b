package policy

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"

	"github.com/copilot-bridge/copilot-bridge/internal/links"
)

var editRule = Rule{Tool: ToolEdit, Path: "/w/a", Decision: Allow}

func TestRememberedAnswersOutliveTheProcess(t *testing.T) {
	path := filepath.Join(t.TempDir(), "state", "permissions.json")
	m, err := OpenMemory(path)
	if err != nil {
		t.Fatal(err)
	}
	id, err := m.Add(editRule, "Edit a")
	if err != nil {
		t.Fatal(err)
	}
	if again, err := m.Add(editRule, "Edit a"); err != nil || again != id {
		t.Errorf("the same rule twice: %q %q %v", id, again, err)
	}
	other, err := OpenMemory(path)
	if err != nil {
		t.Fatal(err)
	}
	list, err := other.List()
	if err != nil || len(list) != 1 || list[0].ID != id || list[0].What != "Edit a" || list[0].When.IsZero() {
		t.Fatalf("%+v %v", list, err)
	}
	e := New(nil, m)
	if d := e.Decide(edit("/w/a")); d.Verdict != Allow {
		t.Fatalf("%+v", d)
	}
	if err := other.Revoke(id); err != nil { // by the command line, while a bridge runs
		t.Fatal(err)
	}
	if d := e.Decide(edit("/w/a")); d.Verdict != Ask {
		t.Errorf("revoked by another process: %+v", d)
	}
	if err := other.Revoke(id); !errors.Is(err, ErrNotRemembered) {
		t.Errorf("revoked twice: %v", err)
	}
}

func TestStateIsPrivate(t *testing.T) {
	if runtime.GOOS == "windows" {
		return // access lists are inherited from the profile folder
	}
	dir := filepath.Join(t.TempDir(), "state")
	m, err := OpenMemory(filepath.Join(dir, "permissions.json"))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := m.Add(editRule, ""); err != nil {
		t.Fatal(err)
	}
	a, err := OpenAudit(filepath.Join(dir, "audit.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	a.Record(Entry{})
	a.Close()
	for name, want := range map[string]os.FileMode{".": 0o700, "permissions.json": 0o600, "permissions.json.lock": 0o600, "audit.jsonl": 0o600} {
		fi, err := os.Stat(filepath.Join(dir, name))
		if err != nil || fi.Mode().Perm() != want {
			t.Errorf("%s: %v %v", name, fi.Mode(), err)
		}
	}
}

func TestAFileThatCannotBeTrustedAllowsNothing(t *testing.T) {
	good := `[{"id":"p1","rule":{"tool":"edit","path":"/w/a","decision":"allow"},"what":"","when":"2026-01-01T00:00:00Z"}]`
	write := func(t *testing.T, text string) string {
		path := filepath.Join(t.TempDir(), "permissions.json")
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	if m, err := OpenMemory(write(t, good)); err != nil || New(nil, m).Decide(edit("/w/a")).Verdict != Allow {
		t.Fatalf("the good one: %v", err)
	}
	for what, text := range map[string]string{
		"damaged":              good[:len(good)-3],
		"empty":                "",
		"not a list":           "{}",
		"every command":        `[{"id":"p1","rule":{"tool":"shell","argv":["*"],"dir":"/w","decision":"allow"}}]`,
		"no folder":            `[{"id":"p1","rule":{"tool":"shell","argv":["ls"],"decision":"allow"}}]`,
		"every tool":           `[{"id":"p1","rule":{"tool":"*","path":"**","decision":"allow"}}]`,
		"every file":           `[{"id":"p1","rule":{"tool":"edit","decision":"allow"}}]`,
		"unknown decision":     `[{"id":"p1","rule":{"tool":"edit","path":"/w/a","decision":"yes"}}]`,
		"an id twice":          strings.Replace(good, "]", ","+good[1:], 1),
		"a member twice":       strings.Replace(good, `"tool":"edit"`, `"tool":"edit","tool":"edit"`, 1),
		"without an id at all": strings.Replace(good, `"p1"`, `""`, 1),
	} {
		if _, err := OpenMemory(write(t, text)); err == nil {
			t.Errorf("%s: opened", what)
		}
	}
	path := write(t, good)
	m, err := OpenMemory(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte("damaged later"), 0o600); err != nil {
		t.Fatal(err)
	}
	if d := New(nil, m).Decide(edit("/w/a")); d.Verdict != Ask {
		t.Errorf("damaged while open: %+v", d)
	}
	if _, err := m.Add(editRule, ""); err == nil {
		t.Error("a damaged file was written over")
	}
	if runtime.GOOS != "windows" {
		for mode, what := range map[os.FileMode]string{0o620: "group", 0o602: "others"} {
			path := write(t, good)
			if err := os.Chmod(path, mode); err != nil {
				t.Fatal(err)
			}
			if _, err := OpenMemory(path); err == nil || !strings.Contains(err.Error(), "0600") {
				t.Errorf("%s may write it: %v", what, err)
			}
		}
		link := filepath.Join(t.TempDir(), "permissions.json")
		if err := links.Make(t, write(t, good), link); err != nil {
			t.Fatal(err)
		}
		if _, err := OpenMemory(link); err == nil {
			t.Error("followed a link")
		}
	}
}

func TestOnlyOneExactThingIsRemembered(t *testing.T) {
	m, _ := OpenMemory("")
	for _, r := range []Rule{
		{}, {Tool: ToolAny, Decision: Allow}, {Tool: ToolEdit, Decision: Allow}, {Tool: ToolShell, Decision: Allow},
		{Tool: ToolShell, Argv: AllCommands, Dir: "/w", Decision: Allow}, {Tool: ToolShell, Argv: []string{"ls"}, Decision: Allow},
	} {
		if _, err := m.Add(r, ""); err == nil {
			t.Errorf("remembered %s", r)
		}
	}
}

func TestTwoProcessesRememberAtOnce(t *testing.T) {
	path := filepath.Join(t.TempDir(), "permissions.json")
	var wg sync.WaitGroup
	for p := range 4 {
		m, err := OpenMemory(path)
		if err != nil {
			t.Fatal(err)
		}
		wg.Go(func() {
			for i := range 10 {
				if _, err := m.Add(Rule{Tool: ToolEdit, Path: fmt.Sprintf("/w/%d-%d", p, i), Decision: Allow}, ""); err != nil {
					t.Error(err)
				}
			}
		})
	}
	wg.Wait()
	m, _ := OpenMemory(path)
	list, err := m.List()
	ids := map[string]bool{}
	for _, x := range list {
		ids[x.ID] = true
	}
	if err != nil || len(list) != 40 || len(ids) != 40 {
		t.Errorf("%d answers, %d ids, %v", len(list), len(ids), err)
	}
}
