package trust

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"sync"
	"testing"

	"github.com/copilot-bridge/copilot-bridge/acp/copilot"
)

func TestVerdictsAreKeptByVersion(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, file)
	load := func(agent string) (Verdict, bool) { return Load(dir, Version{Agent: agent}) }
	if _, ok := load("copilot 1"); ok {
		t.Error("there is a verdict in no file")
	}
	for _, v := range []Verdict{{Agent: "copilot 1", By: "trial"}, {Agent: "copilot 2", By: "trial", Problems: []string{"x"}}, {Agent: "copilot 1", By: "first edit"}} {
		if err := Keep(dir, v); err != nil {
			t.Fatal(err)
		}
	}
	one, ok := load("copilot 1")
	two, ok2 := load("copilot 2")
	if !ok || !ok2 || one.By != "first edit" || two.Passed() {
		t.Errorf("%+v %+v", one, two)
	}
	if info, err := os.Stat(path); err != nil || runtime.GOOS != "windows" && info.Mode().Perm()&0o077 != 0 {
		t.Errorf("%v %v", info.Mode(), err)
	}
	if err := os.WriteFile(path, []byte("[{]"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, ok := load("copilot 1"); ok {
		t.Error("a damaged file has a verdict")
	}
	if err := Keep(dir, one); err != nil {
		t.Errorf("a damaged file is in the way: %v", err)
	}
	if _, ok := load("copilot 1"); !ok {
		t.Error("it was not kept")
	}
}

// TestVerdictsAreReadUnderTheFormerName: until one is kept, those of an older copilot-bridge count, and then they stay.
func TestVerdictsAreReadUnderTheFormerName(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "canary.json"), []byte(`[{"agent":"copilot 1","by":"trial","problems":["x"]}]`), 0o600); err != nil {
		t.Fatal(err)
	}
	check := func() {
		t.Helper()
		if v, ok := Load(dir, Version{Agent: "copilot 1"}); !ok || v.Passed() || !v.Tried() {
			t.Errorf("%+v %v", v, ok)
		}
	}
	check()
	if err := Keep(dir, Verdict{Agent: "copilot 2", By: byFirstEdit}); err != nil {
		t.Fatal(err)
	}
	check()
}

func TestATrialCountsMostThenTheTableThenAFirstEdit(t *testing.T) {
	dir := t.TempDir()
	v := Version{Agent: "copilot 1.0.82", Quirks: copilot.Quirks{NoPermissionAsked: true}}
	for _, c := range []struct {
		kept   string
		passed bool
	}{{"", false}, {byFirstEdit, false}, {byTrial, true}} {
		if c.kept != "" {
			if err := Keep(dir, Verdict{Agent: v.Agent, By: c.kept}); err != nil {
				t.Fatal(err)
			}
		}
		if got, ok := Load(dir, v); !ok || got.Passed() != c.passed {
			t.Errorf("%q is kept: %+v %v", c.kept, got, ok)
		}
	}
}

// Two bridges that keep a verdict at the same moment both keep it.
func TestVerdictsKeptAtOnceAreAllKept(t *testing.T) {
	dir := t.TempDir()
	var all sync.WaitGroup
	for i := range 8 {
		all.Go(func() {
			if err := Keep(dir, Verdict{Agent: fmt.Sprint("agent ", i), By: byFirstEdit}); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	for i := range 8 {
		if _, ok := load(dir, fmt.Sprint("agent ", i)); !ok {
			t.Errorf("the verdict on agent %d is lost", i)
		}
	}
}
