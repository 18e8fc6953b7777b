package policy

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

func TestAuditIsOneLineADecisionWithoutSecrets(t *testing.T) {
	path := filepath.Join(t.TempDir(), "audit.jsonl")
	a, err := OpenAudit(path)
	if err != nil {
		t.Fatal(err)
	}
	a.Hide([]string{"hunter2hunter2"})
	when := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	a.Record(Entry{Time: when, Session: "s1", Tool: ToolShell, Verdict: Deny, Who: "person",
		What: "bash [\"curl -H 'Authorization: Bearer abcdefghijkl' ghp_0123456789abcdef hunter2hunter2\"]\n{\"forged\":1}\u2028", Why: "no\nforged"})
	a.Record(Entry{Time: when, Session: "s1", Tool: ToolRead, Verdict: Allow, What: strings.Repeat("é", maxAuditText)})
	a.Close()
	a.Record(Entry{}) // after the end: nothing
	b, err := os.ReadFile(path)
	if err != nil || bytes.Count(b, []byte("\n")) != 2 || bytes.Contains(b, []byte("\u2028")) {
		t.Errorf("%d lines, %v: %.300s", bytes.Count(b, []byte("\n")), err, b)
	}
	for _, secret := range []string{"abcdefghijkl", "ghp_0123", "hunter2"} {
		if bytes.Contains(b, []byte(secret)) {
			t.Errorf("%s is in the log", secret)
		}
	}
	if err := os.WriteFile(path, append(b, "{\"torn"...), 0o600); err != nil {
		t.Fatal(err)
	}
	got, err := ReadAudit(path, 10)
	if err != nil || len(got) != 2 || !got[0].Time.Equal(when) || got[0].Who != "person" || !strings.Contains(got[1].What, "more bytes") {
		t.Errorf("%v %v", len(got), err)
	}
	if got, _ := ReadAudit(path, 1); len(got) != 1 || got[0].Tool != ToolRead {
		t.Errorf("the last one: %v", got)
	}
}

func TestAuditIsMovedAsideWhenItIsLarge(t *testing.T) {
	path := filepath.Join(t.TempDir(), "audit.jsonl")
	if err := os.WriteFile(path, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Truncate(path, maxAudit-10); err != nil {
		t.Fatal(err)
	}
	a, err := OpenAudit(path)
	if err != nil {
		t.Fatal(err)
	}
	defer a.Close()
	a.Record(Entry{What: "last of the old"})
	a.Record(Entry{What: "first of the new"})
	got, err := ReadAudit(path, 10)
	if err != nil || len(got) != 1 || got[0].What != "first of the new" {
		t.Errorf("%v %v", got, err)
	}
	if fi, err := os.Stat(path + ".1"); err != nil || fi.Size() < maxAudit {
		t.Errorf("the old one: %v", err)
	}
}

func TestNoAuditIsNoError(t *testing.T) {
	a, err := OpenAudit("")
	if err != nil {
		t.Fatal(err)
	}
	a.Record(Entry{})
	if err := a.Close(); err != nil {
		t.Error(err)
	}
	if got, err := ReadAudit(filepath.Join(t.TempDir(), "none"), 5); err != nil || got != nil {
		t.Error(got, err)
	}
}
