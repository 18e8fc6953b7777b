package copilot

import (
	"os"
	"path/filepath"
	"testing"
)

// FuzzSessionFolder guards that whatever stands in Copilot's folder of a session, torn or not its own, is read without
// harm: the listing, the messages, and the log that is followed while it grows in two pieces.
func FuzzSessionFolder(f *testing.F) {
	f.Add([]byte(`{"type":"session.start","data":{"context":{"cwd":"/w"}}}`+"\n"+`{"type":"session.error","data":{"message":"x"}}`+"\n"), []byte("cwd: /w\nname: \"a\"\n"), uint(20))
	f.Add([]byte(`{"type":"user.message","id":"1","data":{"content":"hello"}}`+"\n\x00\x00"), []byte("cwd: 'a''b'\n:\n"), uint(3))
	f.Add([]byte(`{"type":"session.truncation","data":[]}`), []byte("\xff: \"\\u00\""), uint(0))
	f.Fuzz(func(t *testing.T, log, workspace []byte, cut uint) {
		root := t.TempDir()
		dir := filepath.Join(root, newID)
		if err := os.Mkdir(dir, 0o700); err != nil {
			t.Fatal(err)
		}
		name := filepath.Join(dir, eventLogName)
		write := func(name string, data []byte) {
			if err := os.WriteFile(name, data, 0o600); err != nil {
				t.Fatal(err)
			}
		}
		write(filepath.Join(dir, "workspace.yaml"), workspace)
		first := log[:min(int(cut%(1<<20)), len(log))]
		write(name, first)
		var told, whole []string
		l := &EventLogs{emit: func(_ string, e LogEvent) { told = append(told, e.Type) }}
		tl := &tail{session: "s", path: name}
		l.read(tl)
		write(name, log)
		l.read(tl)
		all := &EventLogs{emit: func(_ string, e LogEvent) { whole = append(whole, e.Type) }}
		all.read(&tail{session: "s", path: name})
		if len(told) != len(whole) {
			t.Errorf("in two pieces %q is told, at once %q", told, whole)
		}
		if s, ok := readSession(root, newID); ok && !filepath.IsAbs(s.Cwd) {
			t.Errorf("listed with the folder %q", s.Cwd)
		}
		if err := ReadMessages(name, func(Message) {}); err != nil {
			t.Error(err)
		}
	})
}
