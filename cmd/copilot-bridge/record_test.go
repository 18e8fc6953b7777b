package main

import (
	"bytes"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/copilot-bridge/copilot-bridge/acp"
	"github.com/copilot-bridge/copilot-bridge/internal/links"
)

// TestARecordingHidesSecrets: the values of secret variables, and what a message itself calls a token, a key or a password,
// wherever they come and however they are spelt.
func TestARecordingHidesSecrets(t *testing.T) {
	path := filepath.Join(t.TempDir(), "turn.ndjson")
	r, err := openRecord(path, []string{"MY_API_TOKEN=hunter2hunter2", "PLAIN=visible-value", "DB_PASSWORD=with\"quote\\and/slash"}, &bytes.Buffer{})
	if err != nil {
		t.Fatal(err)
	}
	tap := r.tap()
	for _, line := range []string{
		`{"jsonrpc":"2.0","id":1,"method":"session/new","params":{"n":12345678901234567890,"mcpServers":[{"name":"s","env":[{"name":"SERVICE_KEY","value":"servicesecret"}],"headers":[{"name":"Authorization","value":"Basic dXNlcjpwYXNz"},{"name":"X-Api-Key","value":"headersecret"}]}],"password":"memberSecret","env":{"GH_TOKEN":"mapSecret1"}}}`,
		`{"method":"session/update","params":{"text":"it is hunter2hunter2 visible-value servicesecret headersecret memberSecret mapSecret1"}}`,
		`{"method":"session/update","params":{"text":"it is \u0068unter2hunter2, with\"quote\\and\/slash","hunter2hunter2":1}}`,
		`{"method":"x","params":{"text":"ghp_0123456789abcdef https://u:secretpass@host/"}}`,
		`not json, hunter2hunter2`,
	} {
		tap(acp.Sent, []byte(line))
	}
	r.close()
	got, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for _, secret := range []string{"hunter2", "unter2hunter2", "quote", "servicesecret", "headersecret", "memberSecret", "mapSecret1", "dXNlcjpwYXNz", "ghp_0123", "secretpass"} {
		if strings.Contains(string(got), secret) {
			t.Errorf("%s is in the recording:\n%s", secret, got)
		}
	}
	for _, kept := range []string{"visible-value", "12345678901234567890", "session/update"} {
		if !strings.Contains(string(got), kept) {
			t.Errorf("%s is not in the recording:\n%s", kept, got)
		}
	}
	if n := strings.Count(string(got), "\n"); n != 4 {
		t.Errorf("%d lines", n)
	}
	if fi, err := os.Stat(path); err != nil || runtime.GOOS != "windows" && fi.Mode().Perm() != 0o600 {
		t.Errorf("%v %v", fi.Mode(), err)
	}
}

// TestARecordingIsANewFile: what is there stays as it is, and no link is followed.
func TestARecordingIsANewFile(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "turn.ndjson")
	for i, want := range []string{"turn.ndjson", "turn-2.ndjson", "turn-3.ndjson"} {
		var said bytes.Buffer
		r, err := openRecord(path, nil, &said)
		if err != nil {
			t.Fatal(err)
		}
		r.tap()(acp.Received, []byte(`{"n":1}`))
		r.close()
		if filepath.Base(r.f.Name()) != want || strings.Contains(said.String(), want) != (i > 0) {
			t.Errorf("%s, said %q", r.f.Name(), said.String())
		}
	}
	first, _ := os.ReadFile(path)
	if strings.Count(string(first), "\n") != 1 {
		t.Errorf("the first one was written to: %s", first)
	}
	if runtime.GOOS == "windows" {
		return // links need a right there
	}
	mine := filepath.Join(dir, "mine")
	if err := os.WriteFile(mine, []byte("mine"), 0o600); err != nil {
		t.Fatal(err)
	}
	for name, to := range map[string]string{"link": mine, "dangling": filepath.Join(dir, "new"), "folder": dir} {
		link := filepath.Join(dir, name)
		if err := links.Make(t, to, link); err != nil {
			t.Fatal(err)
		}
		if _, err := openRecord(link, nil, &bytes.Buffer{}); err == nil || !strings.Contains(err.Error(), "link") {
			t.Errorf("%s: %v", name, err)
		}
	}
	if got, _ := os.ReadFile(mine); string(got) != "mine" {
		t.Errorf("what a link leads to is %q", got)
	}
	if _, err := os.Lstat(filepath.Join(dir, "new")); err == nil {
		t.Error("a file was made at the end of a link")
	}
}
