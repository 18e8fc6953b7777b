package review

import (
	"bytes"
	"encoding/binary"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/copilot-bridge/copilot-bridge/internal/durable"
)

// Whole changes behind a damaged record are salvaged: files that the damage is not about can still be undone, also after
// another restart; text that is no longer there is not brought back; the user is told once.
func TestChangesAfterDamageInTheMiddleAreSalvaged(t *testing.T) {
	for name, compacted := range map[string]bool{"in the records": false, "in a snapshot": true} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			var told []string
			open := func() *Book {
				b, err := Open(Config{Dir: dir, Workspace: "/ws", Notice: func(text string) { told = append(told, text) }})
				if err != nil {
					t.Fatal(err)
				}
				return b
			}
			b := open()
			for _, f := range []string{"/a", "/b", "/c", "/d"} {
				agent(t, b, "turn"+f, f, "one\ntwo\n", "one\nTWO "+f+"\n")
			}
			if compacted {
				b.mu.Lock()
				err := b.journal.Compact()
				b.mu.Unlock()
				if err != nil {
					t.Fatal(err)
				}
			}
			b.Close()
			logs, err := filepath.Glob(filepath.Join(dir, "*", "0.log"))
			if err != nil || len(logs) != 1 {
				t.Fatal(logs, err)
			}
			data, err := os.ReadFile(logs[0])
			if err != nil {
				t.Fatal(err)
			}
			damageFile(t, data, "/b")
			if err := os.WriteFile(logs[0], data, 0o600); err != nil {
				t.Fatal(err)
			}
			for range 2 { // the second time from the snapshot that took its place
				b = open()
				for path, now := range map[string]string{"/a": "one\nTWO /a\n", "/b": "one\nTWO /b\n", "/c": "one\nTWO /c\nmine\n", "/d": "one\ntwo\n"} {
					b.Reconcile(path, now, true)
				}
				for path, want := range map[string]string{"/a": `1-2 "two\n">"TWO /a\n"`, "/b": "", "/c": `1-2 "two\n">"TWO /c\n"`, "/d": ""} {
					if got := shape(b, path); got != want {
						t.Errorf("%s: %s, want %s", path, got, want)
					}
				}
				b.Close()
			}
			if len(told) != 1 || !strings.Contains(told[0], "salvaged") {
				t.Errorf("told %q", told)
			}
			if bad, _ := filepath.Glob(filepath.Join(dir, "*", "0.log.bad-1")); len(bad) != 1 {
				t.Error("the damaged part is not set aside")
			}
		})
	}
}

// damageFile flips a bit in the first record about a file.
func damageFile(t *testing.T, data []byte, path string) {
	t.Helper()
	for at := 0; at < len(data); {
		end := at + durable.RecordSize(nil) + int(binary.LittleEndian.Uint32(data[at:]))
		if bytes.Contains(data[at:end], []byte(`"path":"`+path+`"`)) {
			data[end-2] ^= 1
			return
		}
		at = end
	}
	t.Fatal("no record about", path)
}
