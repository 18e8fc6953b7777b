package disk

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"golang.org/x/sys/unix"
)

// exchange swaps two names in one step, as an attacker would.
func exchange(t testing.TB, a, b string) {
	if err := unix.Renameat2(unix.AT_FDCWD, a, unix.AT_FDCWD, b, unix.RENAME_EXCHANGE); err != nil {
		t.Error(err)
	}
}

// swapGround is a root with a folder and file to work on, links that lead to
// canaries outside and inside, and what of those must never change or be read.
func swapGround(t testing.TB) (d *Disk, root string, check func(step string)) {
	d, root = diskOn(t)
	dir := filepath.Dir(root)
	out, control := put(t, dir+"/out/f", "canary out"), put(t, root+"/.git/f", "canary in")
	tree(t, root, "sub/f", "folder-out -> ../out", "folder-in -> .git", "file-out -> ROOT/../out/f", "sub/file-in -> ../.git/f")
	return d, root, func(step string) {
		t.Helper()
		for path, want := range map[string]string{out: "canary out", control: "canary in"} {
			if got, err := os.ReadFile(path); err != nil || string(got) != want {
				t.Errorf("%s: %s holds %q, %v", step, path, got, err)
			}
		}
		for _, folder := range []string{dir + "/out", root + "/.git"} {
			if entries, err := os.ReadDir(folder); err != nil || len(entries) != 1 {
				t.Errorf("%s: %s holds %v, %v", step, folder, entries, err)
			}
		}
	}
}

// Between any two steps the file, or the folder it is in, becomes a link to
// somewhere else. Where it leads outside, or to a place nobody decided about,
// nothing is read, written, made or removed there.
func TestSwapBetweenSteps(t *testing.T) {
	for _, swap := range []struct{ victim, link string }{
		{"sub", "folder-out"}, {"sub", "folder-in"}, {"sub/f", "file-out"}, {"sub/f", "sub/file-in"},
	} {
		for op, try := range map[string]func(d *Disk, path string) (string, error){
			"read": func(d *Disk, path string) (string, error) {
				s, err := d.Read(t.Context(), path)
				if err != nil {
					return "", err
				}
				return s.Text.String(), nil
			},
			"save": func(d *Disk, path string) (string, error) {
				_, err := d.Save(t.Context(), path, SaveRequest{Text: "mine"})
				return "", err
			},
			"create": func(d *Disk, path string) (string, error) {
				_, err := d.Save(t.Context(), filepath.Dir(path)+"/new/f", SaveRequest{Text: "mine"})
				return "", err
			},
			"remove": func(d *Disk, path string) (string, error) { return "", d.Remove(t.Context(), path, nil) },
			"rename": func(d *Disk, path string) (string, error) {
				return "", d.Rename(t.Context(), path, d.Roots()[0]+"/to", nil)
			},
			"rename to": func(d *Disk, path string) (string, error) {
				return "", d.Rename(t.Context(), d.Roots()[0]+"/from", filepath.Dir(path)+"/to", nil)
			},
		} {
			for _, step := range []string{"resolved", "entered", "looked", "checked", "written", "renamed"} {
				d, root, check := swapGround(t)
				put(t, root+"/from", "from")
				done := false
				d.testOnlyStep = func(now string) {
					if now == step && !done {
						done = true
						exchange(t, filepath.Join(root, swap.victim), filepath.Join(root, swap.link))
					}
				}
				name := fmt.Sprintf("%s with %s for %s after %s", op, swap.link, swap.victim, step)
				got, err := try(d.Exact(), root+"/sub/f")
				if err == nil && op == "read" && got != "sub/f" {
					t.Errorf("%s: %q was read", name, got)
				}
				var outside *OutsideError
				if err != nil && !errors.As(err, &outside) && !errors.Is(err, ErrChanged) && !errors.Is(err, ErrExist) {
					t.Errorf("%s: %v", name, err)
				}
				check(name)
				d.testOnlyStep = nil
				wantNoTemp(t, filepath.Dir(root))
			}
		}
	}
}

// The same with somebody who swaps as fast as the system lets them.
func TestSwapRace(t *testing.T) {
	for _, swap := range []struct{ victim, link string }{{"sub", "folder-out"}, {"sub/f", "file-out"}} {
		t.Run(swap.victim, func(t *testing.T) {
			d, root, check := swapGround(t)
			var stop atomic.Bool
			var swapper sync.WaitGroup
			swapper.Go(func() {
				for !stop.Load() {
					exchange(t, filepath.Join(root, swap.victim), filepath.Join(root, swap.link))
				}
			})
			served, refused := 0, 0
			count := func(err error) {
				if err == nil {
					served++
				} else {
					refused++
				}
			}
			for range 3000 {
				s, err := d.Read(t.Context(), root+"/sub/f")
				if count(err); err == nil && strings.Contains(s.Text.String(), "canary") {
					t.Fatalf("read %q", s.Text.String())
				}
			}
			for range 300 {
				_, err := d.Save(t.Context(), root+"/sub/f", SaveRequest{Text: "mine"})
				count(err)
			}
			stop.Store(true)
			swapper.Wait()
			check("race")
			wantNoTemp(t, filepath.Dir(root))
			if served == 0 || refused == 0 {
				t.Errorf("%d served, %d refused: nothing was raced", served, refused)
			}
		})
	}
}
