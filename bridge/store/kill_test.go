package store

import (
	"bufio"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/copilot-bridge/copilot-bridge/internal/twin"
)

const (
	childEnv = "STORE_TEST_CHILD" // "mode:n:fault": what to do, and at which call to die how
	childDir = "STORE_TEST_DIR"
)

// self is what runs the children.
func self(t testing.TB) string {
	exe, err := twin.Executable()
	if err != nil {
		t.Fatal(err)
	}
	return exe
}

// child writes a session and prints what it was promised is saved.
func child() {
	mode, rest, _ := strings.Cut(os.Getenv(childEnv), ":")
	at, how, _ := strings.Cut(rest, ":")
	n, _ := strconv.Atoi(at)
	kind, _ := strconv.Atoi(how)
	f := &faults{hit: func(i int, _ string) fault {
		if i == n && mode != "on" {
			return fault(kind)
		}
		return fine
	}}
	st, _ := openAt(os.Getenv(childDir), f)
	say := func(format string, args ...any) { fmt.Printf(format+"\n", args...) }
	switch mode {
	case "write":
		ses, err := st.Create(Meta{ID: "s", Agent: "a", Cwd: "/w"})
		if err != nil {
			return
		}
		if ses.Sync() == nil {
			say("announced")
		}
		for i := range 6 {
			ses.Append(note(2 * i))
			ses.Append(note(2*i + 1))
			ses.SetMeta(func(m *Meta) { m.Turns = i + 1 })
			if ses.Sync() == nil {
				say("saved %d", 2*i+2)
			}
		}
		ses.Close()
	case "repair":
		if ses, err := st.Load("s"); err == nil {
			say("announced")
			ses.Append(note(100))
			if ses.Sync() == nil {
				say("saved 100")
			}
			ses.Close()
		}
	case "on": // until it is killed, from entry n on
		ses, err := st.Load("s")
		if err != nil {
			say("%v", err)
			return
		}
		for i := n; ; i++ {
			ses.Append(note(i))
			if ses.Sync() != nil {
				return
			}
			say("saved %d", i+1)
		}
	case "delete":
		if st.Delete("s") == nil {
			say("deleted")
		}
	case "hold":
		if ses, err := st.Load("s"); err == nil {
			say("announced")
			bufio.NewReader(os.Stdin).ReadString('\n')
			ses.Close()
		}
	}
	say("over")
}

// runChild runs a child until it ends or dies, and returns what it said.
func runChild(t *testing.T, dir, mode string, n int, kind fault) []string {
	t.Helper()
	cmd := exec.Command(self(t))
	cmd.Env = append(os.Environ(), fmt.Sprintf("%s=%s:%d:%d", childEnv, mode, n, kind), childDir+"="+dir)
	out, err := cmd.Output()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	return strings.Split(strings.TrimSpace(string(out)), "\n")
}

// killed before, in and after every call that changes the disk: what was promised is there, the rest is whole
// or absent, and the session goes on.
func TestKilledAtEveryWrite(t *testing.T) {
	for _, kind := range []fault{killFirst, killHalf, killAfter} {
		for n := 1; ; n++ {
			root := t.TempDir()
			said := runChild(t, root, "write", n, kind)
			saved, announced, over := 0, false, false
			for _, line := range said {
				fmt.Sscanf(line, "saved %d", &saved)
				announced = announced || line == "announced"
				over = over || line == "over"
			}
			st, _ := openAt(root, nil)
			if list, err := st.List(); err != nil || announced && len(list) != 1 || len(list) > 1 {
				t.Fatalf("%d at %d: announced %v, listed %v, %v", kind, n, announced, list, err)
			}
			if st.Has("s") {
				got, gaps := load(t, st, "s")
				if len(got) < saved || gaps > 0 {
					t.Fatalf("%d at %d: %d of %d entries that were promised, %d gaps", kind, n, len(got), saved, gaps)
				}
				wantNotes(t, got, upTo(len(got))...)
				ses, err := st.Load("s")
				if err != nil {
					t.Fatal(err)
				}
				ses.Append(note(len(got)))
				if err := ses.Close(); err != nil {
					t.Fatal(err)
				}
				got, _ = load(t, st, "s")
				wantNotes(t, got, upTo(len(got))...)
			}
			if over {
				t.Logf("fault %d: %d places", kind, n-1)
				break
			}
		}
	}
}

// Killed anywhere in the repair of a damaged log: the next opening finds all that could be salvaged.
func TestKilledInARepair(t *testing.T) {
	for _, kind := range []fault{killFirst, killHalf, killAfter} {
		for n := 1; ; n++ {
			root := t.TempDir()
			dir := filled(t, root, "s", 8)
			whole, ends := logOf(t, dir)
			whole[ends[5]+20] ^= 1 // note 3, or the meta record beside it
			damaged(t, dir, whole)
			want, _ := peek(t, root)
			said := runChild(t, root, "repair", n, kind)
			over := said[len(said)-1] == "over"
			st, _ := openAt(root, nil)
			got, _ := load(t, st, "s")
			if len(got) < len(want) || fmt.Sprint(got[:len(want)]) != fmt.Sprint(want) {
				t.Fatalf("%d at %d: %v, want %v first", kind, n, got, want)
			}
			if promised := strings.Contains(strings.Join(said, " "), "saved 100"); promised && len(got) != len(want)+1 {
				t.Fatalf("%d at %d: the entry after the repair is gone", kind, n)
			}
			if over {
				t.Logf("fault %d: %d places", kind, n-1)
				break
			}
		}
	}
}

// peek reads a session without opening it.
func peek(t *testing.T, root string) (bodies []string, gaps int) {
	t.Helper()
	st, _ := openAt(root, nil)
	if err := st.Read("s", func(e Entry) bool {
		if e.Kind == KindGap {
			gaps++
		} else {
			bodies = append(bodies, string(e.Body))
		}
		return true
	}); err != nil {
		t.Fatal(err)
	}
	return bodies, gaps
}

// Killed in a deletion: the session is there or not, never half.
func TestKilledInADeletion(t *testing.T) {
	for n := 1; ; n++ {
		root := t.TempDir()
		filled(t, root, "s", 3)
		said := runChild(t, root, "delete", n, killFirst)
		st, _ := openAt(root, nil)
		if st.Has("s") {
			got, _ := load(t, st, "s")
			wantNotes(t, got, 0, 1, 2)
		} else if _, err := st.Load("s"); !errors.Is(err, ErrNotFound) {
			t.Fatalf("at %d: %v", n, err)
		}
		if said[len(said)-1] == "over" {
			break
		}
	}
}

// the second process says who holds the session; a killed holder lets go at once.
func TestSecondProcessSaysWhoHoldsIt(t *testing.T) {
	root := t.TempDir()
	filled(t, root, "s", 2)
	cmd := exec.Command(self(t))
	cmd.Env = append(os.Environ(), childEnv+"=hold:0:0", childDir+"="+root)
	in, _ := cmd.StdinPipe()
	defer in.Close()
	out, _ := cmd.StdoutPipe()
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	if line, _ := bufio.NewReader(out).ReadString('\n'); line != "announced\n" {
		t.Fatalf("the child said %q", line)
	}
	st, _ := openAt(root, nil)
	_, err := st.Load("s")
	var held *HeldError
	if !errors.As(err, &held) || !strings.Contains(err.Error(), fmt.Sprintf("process %d since", cmd.Process.Pid)) {
		t.Fatalf("load: %v", err)
	}
	if err := st.Delete("s"); !errors.As(err, &held) {
		t.Fatalf("delete: %v", err)
	}
	bodies, _ := peek(t, root)
	wantNotes(t, bodies, 0, 1)
	if other, err := st.Create(Meta{ID: "other", Cwd: "/w"}); err != nil {
		t.Fatal(err)
	} else {
		other.Close()
	}
	cmd.Process.Kill()
	cmd.Wait()
	got, _ := load(t, st, "s")
	wantNotes(t, got, 0, 1)
	if _, err := os.Stat(filepath.Join(root, "s", lockName)); err != nil {
		t.Fatal(err)
	}
}

// killed from outside at random moments: what was promised is there, whole and in order, after each kill, and the
// session goes on in the next life.
func TestKilledAtRandomMoments(t *testing.T) {
	const kills = 200
	seed := rand.Uint64()
	dice := rand.New(rand.NewPCG(seed, 1))
	root := t.TempDir()
	filled(t, root, "s", 1)
	promised := 1
	for n := range kills {
		cmd := exec.Command(self(t))
		cmd.Env = append(os.Environ(), childEnv+fmt.Sprintf("=on:%d:0", promised), childDir+"="+root)
		out, err := cmd.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		lines := bufio.NewScanner(out)
		for until := dice.IntN(12); until >= 0 && lines.Scan(); until-- { // somewhere behind a promise
			fmt.Sscanf(lines.Text(), "saved %d", &promised)
		}
		cmd.Process.Kill()
		for lines.Scan() {
			fmt.Sscanf(lines.Text(), "saved %d", &promised)
		}
		cmd.Wait()
		bodies, gaps := peek(t, root)
		if len(bodies) < promised || gaps > 0 {
			t.Fatalf("seed %d, kill %d: %d of %d entries that were promised, %d gaps", seed, n, len(bodies), promised, gaps)
		}
		wantNotes(t, bodies, upTo(len(bodies))...)
		promised = len(bodies)
	}
	t.Logf("%d entries after %d kills", promised, kills)
}
