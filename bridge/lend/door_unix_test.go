//go:build unix

package lend

import (
	"bufio"
	"context"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"github.com/rs/zerolog"
)

func TestOnlyTheUserGetsIn(t *testing.T) {
	defer syscall.Umask(syscall.Umask(0))
	h, _, dir, _ := lentTo(t)
	all, err := socketsIn(folderOf(dir))
	if err != nil || len(all) != 1 {
		t.Fatalf("%v %v", all, err)
	}
	for _, paths := range all {
		if fi, err := os.Lstat(paths[0]); err != nil || fi.Mode().Perm() != 0o600 {
			t.Errorf("%s: %v %v", paths[0], fi.Mode(), err)
		}
	}
	if fi, err := os.Lstat(folderOf(dir)); err != nil || fi.Mode().Perm() != 0o700 {
		t.Errorf("the folder: %v %v", fi.Mode(), err)
	}
	// A folder that others can enter is believed no more.
	if err := os.Chmod(folderOf(dir), 0o777); err != nil {
		t.Fatal(err)
	}
	b := NewBorrower(dir)
	for range 2 {
		if got := reads(t, b, h.path); got != "-" {
			t.Errorf("read %q", got)
		}
	}
	told(t, b, "others can enter")
}

// TestNothingElseIsASocket: a file or a link of that name is not asked, and a folder that is a link is not used.
func TestNothingElseIsASocket(t *testing.T) {
	h, l, dir, folder := lentTo(t)
	l.Close()
	elsewhere := shortDir(t)
	other := &host{path: h.path, text: "planted\n"}
	open(t, elsewhere, folder, other)
	all, err := socketsIn(folderOf(elsewhere))
	if err != nil || len(all[keyOf(folder)]) != 1 {
		t.Fatalf("%v %v", all, err)
	}
	if err := os.Symlink(all[keyOf(folder)][0], filepath.Join(folderOf(dir), nameFor(folder, time.Now()))); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(folderOf(dir), nameFor(folder, time.Now())), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if got := reads(t, NewBorrower(dir), h.path); got != "-" {
		t.Errorf("read %q through a link", got)
	}
	linked := shortDir(t)
	if err := os.Symlink(folderOf(elsewhere), folderOf(linked)); err != nil {
		t.Fatal(err)
	}
	if got := reads(t, NewBorrower(linked), h.path); got != "-" {
		t.Errorf("read %q in a folder that is a link", got)
	}
	if l, err := Open(linked, []string{folder}, other, zerolog.Nop()); err == nil {
		l.Close()
		t.Error("lent in a folder that is a link")
	}
}

// TestAnotherUsersBridgeIsNotAsked: another user's process listens behind a socket of that name. Only root can play
// another user; what anybody else sees of this is the mode of the folder, TestOnlyTheUserGetsIn.
func TestAnotherUsersBridgeIsNotAsked(t *testing.T) {
	if os.Geteuid() != 0 {
		return
	}
	dir, folder := shortDir(t), t.TempDir()
	place := folderOf(dir)
	if err := private(place); err != nil {
		t.Fatal(err)
	}
	for _, f := range []string{dir, place} {
		if err := os.Chmod(f, 0o777); err != nil {
			t.Fatal(err)
		}
	}
	socket, path := filepath.Join(place, nameFor(folder, time.Now())), filepath.Join(folder, "a.txt")
	exe, err := os.ReadFile(os.Args[0]) // where it is, other users cannot enter
	if err != nil {
		t.Fatal(err)
	}
	self := filepath.Join(dir, "other")
	if err := os.WriteFile(self, exe, 0o755); err != nil {
		t.Fatal(err)
	}
	other := exec.Command(self)
	other.Dir, other.Env = dir, append(os.Environ(), "LEND_AS_ANOTHER="+socket, "LEND_PATH="+path)
	other.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: 65534, Gid: 65534}}
	in, err := other.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := other.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := other.Start(); err != nil {
		t.Fatal(err)
	}
	defer other.Wait() //nolint:errcheck // it ends when its input does
	defer in.Close()
	if line, err := bufio.NewReader(out).ReadString('\n'); err != nil {
		t.Fatalf("the other user's bridge: %q %v", line, err)
	}
	for _, f := range []string{dir, place} {
		if err := os.Chmod(f, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	b := NewBorrower(dir)
	if got := reads(t, b, path); got != "-" {
		t.Errorf("read %q of another user's socket", got)
	}
	told(t, b)
	if err := os.Lchown(socket, 0, 0); err != nil {
		t.Fatal(err)
	}
	if got := reads(t, b, path); got != "-" {
		t.Errorf("read %q of another user's process", got)
	}
	told(t, b, "user 65534")
}

// asAnother is the other user's process: it answers with a text until its input ends.
func asAnother(socket, path string) {
	ln, err := net.Listen("unix", socket)
	if err != nil {
		panic(err)
	}
	l := &Lender{host: &host{path: path, text: "planted\n"}, room: make(chan struct{}, 1), keys: keysOf([]string{filepath.Dir(path)})}
	go func() {
		for {
			c, err := ln.Accept()
			if err != nil {
				return
			}
			var r request
			_ = receive(c, &r)
			_ = send(c, l.answer(context.Background(), &r))
			_ = c.Close()
		}
	}()
	os.Stdout.WriteString("listening\n")
	_, _ = os.Stdin.Read(make([]byte, 1))
}
