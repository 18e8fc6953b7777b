package peercred

import (
	"net"
	"os"
	"path/filepath"
	"runtime"
	"testing"
)

// TestTheOtherEndIsKnown asserts that both ends of a socket know the other's user and process, where the system tells.
func TestTheOtherEndIsKnown(t *testing.T) {
	dir, err := os.MkdirTemp("", "peer") // short: the path of a unix socket has at most 104 bytes
	if err != nil {
		t.Fatal(err)
	}
	defer os.RemoveAll(dir)
	ln, err := net.ListenUnix("unix", &net.UnixAddr{Name: filepath.Join(dir, "s"), Net: "unix"})
	if err != nil {
		t.Fatal(err)
	}
	defer ln.Close()
	client, err := net.DialUnix("unix", nil, ln.Addr().(*net.UnixAddr))
	if err != nil {
		t.Fatal(err)
	}
	defer client.Close()
	server, err := ln.AcceptUnix()
	if err != nil {
		t.Fatal(err)
	}
	defer server.Close()
	told := runtime.GOOS == "linux" || runtime.GOOS == "darwin"
	for name, c := range map[string]*net.UnixConn{"client": client, "server": server} {
		uid, pid, known, err := Of(c)
		if err != nil || known != told || told && (uid != os.Geteuid() || pid != os.Getpid()) {
			t.Errorf("the %s sees user %d, process %d, %v, %v", name, uid, pid, known, err)
		}
		if err := SameUser(c); err != nil {
			t.Errorf("the %s: %v", name, err)
		}
	}
}
