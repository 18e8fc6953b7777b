package copilot

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

func putFile(t *testing.T, name, text string, mod time.Time) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Chtimes(name, mod, mod); err != nil {
		t.Fatal(err)
	}
}

const (
	newID = "9153846f-55c6-4007-8aa3-2fe3302391a5"
	oldID = "0153846f-55c6-4007-8aa3-2fe3302391a6"
	xdgID = "1153846f-55c6-4007-8aa3-2fe3302391a7"
)

// Both forms of event logs are found, in all places where versions of Copilot kept them, newest first.
func TestSessionsOfAllVersionsAreListed(t *testing.T) {
	home, xdg := t.TempDir(), t.TempDir()
	cwd := filepath.Join(home, "src: \"app\"")
	env := []string{"COPILOT_HOME=" + home, "XDG_STATE_HOME=" + xdg}
	at := func(day int) time.Time { return time.Date(2026, 1, day, 0, 0, 0, 0, time.UTC) }
	start := func(cwd string) string {
		return `{"type":"session.start","data":{"startTime":"2026-01-01T00:00:00Z","context":{"cwd":"` + cwd + `"}}}` + "\n"
	}
	state := filepath.Join(home, "session-state")
	putFile(t, filepath.Join(state, newID, eventLogName), start("/wrong"), at(2))
	putFile(t, filepath.Join(state, newID, "workspace.yaml"), "id: "+newID+"\ncwd: '"+strings.ReplaceAll(cwd, "'", "''")+"'\nname: \"A \\\"title\\\": é\"\nbranch: main\ncreated_at: 2026-01-01T10:00:00Z\nnested:\n  cwd: /no\n", at(2))
	putFile(t, filepath.Join(state, oldID+".jsonl"), start("/old/app"), at(3))
	putFile(t, filepath.Join(xdg, ".copilot", "session-state", xdgID+".jsonl"), start("/xdg/app"), at(1))
	// What is none: nothing said, no folder known, not an id, a torn first line.
	putFile(t, filepath.Join(state, "2153846f-55c6-4007-8aa3-2fe3302391a8", "workspace.yaml"), "cwd: /w\n", at(4))
	putFile(t, filepath.Join(state, "3153846f-55c6-4007-8aa3-2fe3302391a9.jsonl"), `{"type":"session.start"`, at(4))
	putFile(t, filepath.Join(state, "..x.jsonl"), start("/w"), at(4))
	list := Sessions(env)
	if len(list) != 3 || list[0].ID != oldID || list[1].ID != newID || list[2].ID != xdgID {
		t.Fatalf("listed %+v", list)
	}
	if s := list[1]; s.Cwd != cwd || s.Name != `A "title": é` || s.Created.Hour() != 10 {
		t.Fatalf("read %+v", s)
	}
	for _, s := range list {
		if got, ok := FindSession(env, s.ID); !ok || got != s {
			t.Fatalf("found %+v, %v", got, ok)
		}
	}
	for _, id := range []string{"", "../" + newID, "unknown-0000"} {
		if _, ok := FindSession(env, id); ok {
			t.Fatalf("found %q", id)
		}
	}
	if len(Sessions(nil)) != 0 {
		t.Fatal("sessions without a home")
	}
}

func TestCheckpointsAreListedOldestFirst(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"010-later-on.md", "002-the-first.md", "index.md", "x-y.md"} {
		putFile(t, filepath.Join(dir, "checkpoints", name), "text", time.Now())
	}
	list, err := Checkpoints(dir)
	if err != nil || len(list) != 2 || list[0].Number != 2 || list[0].Title != "the first" || list[1].Number != 10 {
		t.Fatalf("%+v, %v", list, err)
	}
	if list, err := Checkpoints(t.TempDir()); err != nil || len(list) != 0 {
		t.Fatalf("%+v, %v", list, err)
	}
}

func TestMessagesAreReadFromALogWithDamage(t *testing.T) {
	log := filepath.Join(t.TempDir(), eventLogName)
	putFile(t, log, `{"type":"user.message","id":"1","data":{"content":"hello"}}
not json "user.message"
{"type":"assistant.message","id":"2","data":{"content":""}}
{"type":"assistant.message","id":"3","data":{"content":"hi"}}
{"type":"system.message","id":"4","data":{"content":"secret"}}
{"type":"user.message","id":"5","data":{"content":"torn`, time.Now())
	var got []Message
	if err := ReadMessages(log, func(m Message) { got = append(got, m) }); err != nil {
		t.Fatal(err)
	}
	if len(got) != 2 || got[0] != (Message{"1", true, "hello"}) || got[1] != (Message{"3", false, "hi"}) {
		t.Fatalf("read %+v", got)
	}
}
