package peercred

import (
	"os"
	"path/filepath"
	"testing"

	"golang.org/x/sys/windows"
)

// TestTheAccessListHasOneEntry asserts that nobody but the user can open the pipe.
func TestTheAccessListHasOneEntry(t *testing.T) {
	ln, path := door(t)
	client, _ := through(t, ln, path)
	sd, err := windows.GetSecurityInfo(windows.Handle(client.(*pipe).Fd()), windows.SE_KERNEL_OBJECT, windows.OWNER_SECURITY_INFORMATION|windows.DACL_SECURITY_INFORMATION)
	if err != nil {
		t.Fatal(err)
	}
	me, err := ourSID()
	if err != nil {
		t.Fatal(err)
	}
	if want := "O:" + me + "D:P(A;;GA;;;" + me + ")"; sd.String() != want && sd.String() != "O:"+me+"D:P(A;;FA;;;"+me+")" {
		t.Errorf("%s, want %s", sd, want)
	}
}

// TestOnlyABridgesPipeIsOpened asserts that a file leads to no pipe of another name, and not to another machine.
func TestOnlyABridgesPipeIsOpened(t *testing.T) {
	for _, name := range []string{"", `\\.\pipe\other`, pipePrefix, pipePrefix + `a\b`, `\\elsewhere\pipe\copilot-bridge-abc`, `\\.\pipe\copilot-bridge-..\x`, pipePrefix + "abc\n", `C:\file`} {
		path := filepath.Join(t.TempDir(), "s")
		if err := os.WriteFile(path, []byte(name), 0o600); err != nil {
			t.Fatal(err)
		}
		if c, err := Dial(t.Context(), path); err == nil {
			c.Close()
			t.Errorf("%q was opened", name)
		} else if Refused(err) {
			t.Errorf("%q: %v", name, err)
		}
	}
	path := filepath.Join(t.TempDir(), "s")
	if err := os.WriteFile(path, []byte(pipePrefix+"gone"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := Dial(t.Context(), path); !Refused(err) {
		t.Errorf("nobody listens: %v", err)
	}
}
