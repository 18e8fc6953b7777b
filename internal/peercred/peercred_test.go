package peercred

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"testing"

	"github.com/copilot-bridge/copilot-bridge/internal/await"
)

// door is an open door in a folder of its own.
func door(t *testing.T) (net.Listener, string) {
	t.Helper()
	dir, err := os.MkdirTemp("", "peer") // short: the path of a unix socket has at most 104 bytes
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	path := filepath.Join(dir, "s")
	ln, err := Listen(path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { ln.Close() })
	return ln, path
}

// through is both ends of a connection through a door.
func through(t *testing.T, ln net.Listener, path string) (client, server Conn) {
	t.Helper()
	accepted := make(chan net.Conn, 1)
	go func() {
		c, err := ln.Accept()
		if err != nil {
			t.Error(err)
		}
		accepted <- c
	}()
	client, err := Dial(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { client.Close() })
	c := await.Receive(t, "the connection", accepted)
	t.Cleanup(func() { c.Close() })
	return client, c.(Conn)
}

// TestTheOtherEndIsKnown asserts that both ends of a connection know the other's process, and that it is the same user's.
func TestTheOtherEndIsKnown(t *testing.T) {
	ln, path := door(t)
	for range 2 {
		client, server := through(t, ln, path)
		for name, c := range map[string]net.Conn{"client": client, "server": server} {
			if pid, err := SameUser(c); err != nil || pid != os.Getpid() {
				t.Errorf("the %s sees process %d, %v", name, pid, err)
			}
		}
	}
}

func TestWhatIsNoDoorIsNobodys(t *testing.T) {
	here, there := net.Pipe()
	defer here.Close()
	defer there.Close()
	if _, err := SameUser(here); err == nil {
		t.Error("a connection within a process has a user")
	}
}

// TestOneSideCanEndBeforeTheOther asserts that the other end can answer what has been said.
func TestOneSideCanEndBeforeTheOther(t *testing.T) {
	ln, path := door(t)
	client, server := through(t, ln, path)
	question := make([]byte, 1<<20)
	go func() {
		_, _ = client.Write(question)
		_ = client.CloseWrite()
	}()
	if n, err := io.Copy(io.Discard, server); n != int64(len(question)) || err != nil {
		t.Fatalf("%d bytes, %v", n, err)
	}
	if _, err := server.Write([]byte("answer")); err != nil {
		t.Fatal(err)
	}
	server.Close()
	if b, err := io.ReadAll(client); string(b) != "answer" || err != nil {
		t.Errorf("%q, %v", b, err)
	}
}

func TestADoorIsAFileThatGoesWithIt(t *testing.T) {
	ln, path := door(t)
	info, err := os.Lstat(path)
	if err != nil || !IsDoor(info) || !Ours(info) {
		t.Fatalf("%v, %v", info, err)
	}
	if again, err := Listen(path); err == nil {
		again.Close()
		t.Error("one door has two listeners")
	}
	if err := ln.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := ln.Accept(); !errors.Is(err, net.ErrClosed) {
		t.Errorf("after the end: %v", err)
	}
	if _, err := os.Lstat(path); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("the file is still there: %v", err)
	}
	if _, err := Dial(context.Background(), path); !errors.Is(err, fs.ErrNotExist) || Refused(err) {
		t.Errorf("no door: %v", err)
	}
}
