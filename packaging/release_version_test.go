//go:build release

package main

import (
	"bufio"
	"fmt"
	"io"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"
)

// TestReleaseProgramSaysItsVersion: on the command line, to an LSP editor and to an ACP editor.
func TestReleaseProgramSaysItsVersion(t *testing.T) {
	dir, number := dist(t), number(t)
	exe := filepath.Join(t.TempDir(), "copilot-bridge")
	if err := extract(dir, Platform{"linux", "amd64"}, exe); err != nil {
		t.Fatal(err)
	}
	env := []string{"HOME=" + t.TempDir(), "PATH=/usr/bin:/bin"}
	cmd := exec.Command(exe, "version")
	cmd.Env = env
	if out, err := output(cmd); err != nil || string(out) != "copilot-bridge "+number+"\n" {
		t.Errorf("version: %q %v", out, err)
	}
	for face, c := range map[string]struct{ send, want string }{
		"lsp": {`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"processId":null,"rootUri":null,"capabilities":{}}}`, `"serverInfo":{"name":"copilot-bridge","version":"` + number + `"}`},
		"acp": {`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":1}}`, `"agentInfo":{"name":"copilot-bridge","title":"Copilot Bridge","version":"` + number + `"}`},
	} {
		if got := ask(t, exec.Command(exe, face), env, face == "lsp", c.send); !strings.Contains(got, c.want) {
			t.Errorf("%s answers %s, want %s", face, got, c.want)
		}
	}
}

// ask starts a face, sends it one message and returns its answer.
func ask(t *testing.T, cmd *exec.Cmd, env []string, headers bool, message string) string {
	t.Helper()
	cmd.Env = env
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	stop := time.AfterFunc(time.Minute, func() { _ = cmd.Process.Kill() })
	defer stop.Stop()
	defer func() {
		in.Close()
		_ = cmd.Wait() // LSP without exit is an error, and none of ours
	}()
	if headers {
		fmt.Fprintf(in, "Content-Length: %d\r\n\r\n%s", len(message), message)
	} else {
		fmt.Fprintln(in, message)
	}
	r := bufio.NewReader(out)
	for {
		line, err := r.ReadString('\n')
		if headers && strings.HasPrefix(line, "Content-Length: ") {
			n, convErr := strconv.Atoi(strings.TrimSpace(strings.TrimPrefix(line, "Content-Length: ")))
			if convErr != nil {
				t.Fatal(convErr)
			}
			_, _ = r.ReadString('\n')
			body := make([]byte, n)
			if _, err = io.ReadFull(r, body); err == nil {
				line = string(body)
			}
		}
		if strings.Contains(line, `"result"`) || strings.Contains(line, `"error"`) || err != nil {
			return line
		}
	}
}
