//go:build linux

package agent

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/copilot-bridge/copilot-bridge/internal/await"
)

// Each of these is one clear sentence, quickly, and nothing is left running.
func TestWhatDoesNotStartSaysWhy(t *testing.T) {
	dir := t.TempDir()
	plain := filepath.Join(dir, "plain")
	if err := os.WriteFile(plain, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	short := func(c *Config) { c.HandshakeTimeout = 300 * time.Millisecond }
	for name, c := range map[string]struct {
		act, arg string
		change   func(*Config)
		kind     StartKind
		text     string
	}{
		"no command":      {change: func(c *Config) { c.Command = nil }, kind: NotFound, text: "no command"},
		"missing":         {change: func(c *Config) { c.Command = []string{"no-such-agent"} }, kind: NotFound, text: "no such program in PATH; install it"},
		"not executable":  {change: func(c *Config) { c.Command = []string{plain} }, kind: NotExecutable, text: "is not executable"},
		"folder gone":     {act: "agent", change: func(c *Config) { c.Dir = dir + "/gone" }, kind: BadDir, text: "working folder"},
		"exit 0":          {act: "exit", arg: "0", kind: ExitedAtOnce, text: "exit status 0"},
		"exit 3":          {act: "exit", arg: "3", kind: ExitedAtOnce, text: "exit status 3"},
		"last words":      {act: "words", kind: ExitedAtOnce, text: `its last words were "licence expired <U+202E>fdp"`},
		"usage on stderr": {act: "usage", kind: NotACP, text: "printed its usage"},
		"usage on stdout": {act: "help", kind: NotACP, text: `"thing, the best"`},
		"closes stdout":   {act: "mute", kind: NotACP, text: "closed its standard output"},
		"repeats":         {act: "cat", kind: NotACP, text: "not as an agent"},
		"hangs":           {act: "hang", change: short, kind: Timeout, text: "within 300ms"},
		"chats":           {act: "chat", change: short, kind: NotACP, text: `it printed "Hello! How can I help?"`},
		"version 2":       {act: "answer", arg: `"result":{"protocolVersion":2}`, kind: Version, text: "it speaks version 2"},
		"MCP server":      {act: "answer", arg: `"result":{"protocolVersion":"2025-11-25","capabilities":{},"serverInfo":{"name":"x","version":"1"}}`, kind: NotACP, text: "not as an agent"},
		"empty answer":    {act: "answer", arg: `"result":{}`, kind: NotACP, text: "not as an agent"},
		"null answer":     {act: "answer", arg: `"result":null`, kind: NotACP, text: "not as an agent"},
		"unknown method":  {act: "answer", arg: `"error":{"code":-32601,"message":"Method not found"}`, kind: NotACP, text: "not as an agent"},
		"refuses":         {act: "answer", arg: `"error":{"code":-32603,"message":"no \u001b[31mlicence"}`, kind: Rejected, text: "refused the handshake: no"},
		"wants a login":   {act: "answer", arg: `"error":{"code":-32000,"message":"Authentication required"}`, kind: Rejected, text: "sign in"},
	} {
		t.Run(name, func(t *testing.T) {
			r := new(recorder)
			cfg := config(r, c.act, c.arg)
			if c.change != nil {
				c.change(&cfg)
			}
			from := time.Now()
			a, err := Start(context.Background(), cfg)
			took := time.Since(from)
			var e *StartError
			if a != nil || !errors.As(err, &e) || e.Kind != c.kind || !strings.Contains(err.Error(), c.text) {
				t.Fatalf("%v (%+v)", err, e)
			}
			t.Log(err)
			if took > await.Promptly {
				t.Errorf("took %v", took)
			}
			if strings.ContainsAny(err.Error(), "\n\x1b") {
				t.Errorf("not one clean line: %q", err)
			}
			if len(r.exits) != 0 {
				t.Error("Exited was called")
			}
			if left := children(""); len(left) > 0 {
				t.Errorf("left running: %q", left)
			}
		})
	}
}

func TestStartEndsWithItsContext(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	_, err := Start(ctx, config(new(recorder), "hang"))
	var e *StartError
	if !errors.Is(err, context.Canceled) || !errors.As(err, &e) || e.Kind != Cancelled {
		t.Error(err)
	}
}

func TestARepositoryCannotBringItsOwnAgent(t *testing.T) {
	ws, bin := t.TempDir(), t.TempDir()
	for _, path := range []string{filepath.Join(ws, "copilot"), filepath.Join(bin, "other")} {
		if err := os.WriteFile(path, []byte("#!/bin/sh\n"), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Symlink(filepath.Join(ws, "copilot"), filepath.Join(bin, "linked")); err != nil {
		t.Fatal(err)
	}
	t.Chdir(ws)
	for _, c := range []struct{ name, path, want string }{
		{"other", bin, filepath.Join(bin, "other")},
		{"copilot", ".", ""},
		{"copilot", ":" + bin, ""},
		{"copilot", ws, ""},
		{"linked", bin, ""},
		{"./copilot", "", filepath.Join(ws, "copilot")}, // the user's own word
	} {
		got, err := LookPath(c.name, []string{"PATH=" + c.path}, ws)
		if got != c.want || (err == nil) != (c.want != "") {
			t.Errorf("%s in PATH=%s: %q, %v", c.name, c.path, got, err)
		}
	}
}
