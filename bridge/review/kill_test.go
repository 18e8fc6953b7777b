package review

import (
	"bufio"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/copilot-bridge/copilot-bridge/internal/await"
	"github.com/copilot-bridge/copilot-bridge/internal/twin"
)

// writerEnv makes the test binary a bridge that changes files until it is killed.
const writerEnv = "REVIEW_TEST_WRITER"

func TestMain(m *testing.M) {
	if dir := os.Getenv(writerEnv); dir != "" {
		writeForEver(dir)
	}
	os.Exit(twin.With(await.Watch(m)).Run())
}

// writeForEver prints a line before and after each change, as fast as it can.
func writeForEver(dir string) {
	b, err := Open(Config{Dir: dir, Workspace: "/ws"})
	if err != nil {
		fmt.Println("error", err)
		os.Exit(1)
	}
	for i := 0; ; i++ {
		p, err := b.Begin(Change{
			Session: "s", Turn: "t", Path: fmt.Sprintf("/f%d", i), Kind: KindEdit,
			Before: "before\n", After: "after\n", BeforeExists: true,
		})
		if err != nil {
			fmt.Println("error", err)
			os.Exit(1)
		}
		fmt.Println("begun", i)
		p.Commit("after\n")
		if i%7 == 3 {
			b.Keep(Selector{Path: fmt.Sprintf("/f%d", i-1)})
		}
		fmt.Println("done", i)
	}
}

// startWriter starts a process that writes a journal in dir until it is killed, and gives what it says.
func startWriter(t *testing.T, dir string) (*exec.Cmd, *bufio.Scanner) {
	t.Helper()
	self, err := twin.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(self)
	cmd.Env = append(os.Environ(), writerEnv+"="+dir)
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	return cmd, bufio.NewScanner(out)
}

// TestKill: whatever moment a process is killed at, what it had acknowledged is
// there, and at most the change under way is open.
func TestKill(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 5))
	for range 12 {
		dir := t.TempDir()
		cmd, said := startWriter(t, dir)
		begun, done := -1, -1
		read := func() bool {
			if !said.Scan() {
				return false
			}
			var n int
			switch {
			case strings.HasPrefix(said.Text(), "begun"):
				fmt.Sscanf(said.Text(), "begun %d", &n)
				begun = n
			case strings.HasPrefix(said.Text(), "done"):
				fmt.Sscanf(said.Text(), "done %d", &n)
				done = n
			default:
				t.Error(said.Text())
			}
			return true
		}
		for range 1 + r.IntN(60) {
			read()
		}
		if err := cmd.Process.Kill(); err != nil {
			t.Fatal(err)
		}
		for read() { // what it said before it died
		}
		cmd.Wait()

		var notices []string
		b, err := Open(Config{Dir: dir, Workspace: "/ws", Notice: func(s string) { notices = append(notices, s) }})
		if err != nil {
			t.Fatal(err)
		}
		if len(notices) > 1 || len(notices) == 1 && !strings.Contains(notices[0], "set aside") {
			t.Fatal(notices)
		}
		for _, p := range b.Unsettled() {
			b.Reconcile(p, "after\n", true)
		}
		there := map[string]bool{}
		for _, f := range b.Files(Filter{}) {
			there[f.Path] = true
		}
		for i := range begun + 1 {
			kept := i%7 == 2
			if path := fmt.Sprintf("/f%d", i); there[path] == kept && !(kept && i+1 >= done) {
				t.Errorf("begun %d, done %d: %s pending is %v", begun, done, path, there[path])
			}
		}
		if err := b.Close(); err != nil {
			t.Fatal(err)
		}
	}
}

func TestTheJournalIsForItsOwnerOnly(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "journal")
	b, err := Open(Config{Dir: dir, Workspace: "/ws"})
	if err != nil {
		t.Fatal(err)
	}
	agent(t, b, "t", "/a", "1\n", "2\n")
	err = filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := e.Info()
		if err == nil && runtime.GOOS != "windows" && info.Mode().Perm()&0o077 != 0 {
			t.Errorf("%s has mode %v", path, info.Mode())
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	// Another workspace has another journal, the same one in the same process is held.
	o, err := Open(Config{Dir: dir, Workspace: "/other"})
	if err != nil {
		t.Fatal(err)
	}
	var notices []string
	second, err := Open(Config{Dir: dir, Workspace: "/ws", Notice: func(s string) { notices = append(notices, s) }})
	if err != nil {
		t.Fatal(err)
	}
	if len(o.Files(Filter{})) != 0 || len(second.Files(Filter{})) != 0 || len(notices) != 0 {
		t.Fatal(o.Files(Filter{}), notices)
	}
	for _, b := range []*Book{b, o, second} {
		if err := b.Close(); err != nil {
			t.Fatal(err)
		}
	}
	again, err := Open(Config{Dir: dir, Workspace: "/ws"})
	if err != nil {
		t.Fatal(err)
	}
	defer again.Close()
	if got := shape(again, "/a"); got != `0-1 "1\n">"2\n"` {
		t.Fatal(got)
	}
}

// TestAJournalOfAnotherProcessIsTakenOverWhenItDies, and not before.
func TestAJournalOfAnotherProcessIsTakenOverWhenItDies(t *testing.T) {
	dir := t.TempDir()
	cmd, said := startWriter(t, dir)
	done := -1
	read := func() bool {
		if !said.Scan() {
			return false
		}
		fmt.Sscanf(said.Text(), "done %d", &done)
		return true
	}
	for done < 0 && read() { // it has its journal
	}
	b, err := Open(Config{Dir: dir, Workspace: "/ws", Notice: func(s string) { t.Log(s) }})
	if err != nil {
		t.Fatal(err)
	}
	defer b.Close()
	for range 20 {
		if n, held := b.Adopt(); n != 0 || !held {
			t.Fatalf("%d files of a bridge that lives, held %v", n, held)
		}
		read()
	}
	if err := cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	for read() {
	}
	cmd.Wait()
	n, held := b.Adopt()
	if n <= done || held {
		t.Fatalf("%d files of %d, held %v", n, done+1, held)
	}
	for _, p := range b.Unsettled() {
		b.Reconcile(p, "after\n", true)
	}
	for i := range done + 1 {
		path := fmt.Sprintf("/f%d", i)
		if there := len(b.Files(Filter{Path: path})) == 1; there != (i%7 != 2) && i+1 < done {
			t.Errorf("%s pending is %v of %d", path, there, done)
		}
	}
}
