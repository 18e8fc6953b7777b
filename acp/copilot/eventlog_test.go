package copilot

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/copilot-bridge/copilot-bridge/internal/await"
)

// follower collects what a log tells.
type follower struct {
	t    *testing.T
	logs *EventLogs
	got  chan string
	dir  string
	log  string
}

func follow(t *testing.T) *follower {
	f := &follower{t: t, got: make(chan string, 1000), dir: filepath.Join(t.TempDir(), "session")}
	f.log = filepath.Join(f.dir, eventLogName)
	logs, err := NewEventLogs(func(session string, e LogEvent) {
		f.got <- fmt.Sprintf("%s %s %v", session, e.Type, e.Data["n"])
	})
	if err != nil {
		t.Fatal(err)
	}
	f.logs = logs
	t.Cleanup(logs.Close)
	return f
}

func (f *follower) write(text string) {
	f.t.Helper()
	if err := os.MkdirAll(f.dir, 0o700); err != nil {
		f.t.Fatal(err)
	}
	w, err := os.OpenFile(f.log, os.O_WRONLY|os.O_APPEND|os.O_CREATE, 0o600)
	if err != nil {
		f.t.Fatal(err)
	}
	defer w.Close()
	if _, err := w.WriteString(text); err != nil {
		f.t.Fatal(err)
	}
}

func (f *follower) want(text string) {
	f.t.Helper()
	select {
	case got := <-f.got:
		if got != text {
			f.t.Fatalf("told %q, want %q", got, text)
		}
	case <-time.After(await.Limit):
		f.t.Fatalf("%q was not told", text)
	}
}

func event(kind string, n int) string {
	return fmt.Sprintf(`{"type":%q,"data":{"n":%d},"id":"x"}`+"\n", kind, n)
}

// A log is followed from its end; other events, damage and a torn last line do not matter.
func TestLogIsFollowedFromItsEnd(t *testing.T) {
	f := follow(t)
	f.write(event("session.error", 1))
	f.logs.Follow("s", f.dir)
	f.write(event("assistant.message", 2) + "garbage \"session.\n" + event("session.truncation", 3))
	f.want("s session.truncation 3")
	whole := event("session.compaction_start", 4)
	f.write(whole[:20])
	f.write(whole[20:] + event("session.usage_record", 5) + event("session.compaction_complete", 6))
	f.want("s session.compaction_start 4")
	f.want("s session.compaction_complete 6")
}

// A log that is not there yet is followed from its start, once Follow is called again.
func TestLogThatComesLaterIsReadFromItsStart(t *testing.T) {
	f := follow(t)
	f.logs.Follow("s", f.dir)
	f.write(event("session.error", 1))
	f.logs.Follow("s", f.dir)
	f.want("s session.error 1")
	f.write(event("session.model_change", 2))
	f.want("s session.model_change 2")
}

// A log that was written anew is read again; one that is forgotten is not read any more.
func TestLogThatWasRewoundIsReadAgain(t *testing.T) {
	f := follow(t)
	f.logs.Follow("s", f.dir)
	f.write(event("session.error", 1) + event("session.error", 2))
	f.logs.Follow("s", f.dir)
	f.want("s session.error 1")
	f.want("s session.error 2")
	if err := os.Truncate(f.log, 0); err != nil {
		t.Fatal(err)
	}
	f.logs.Follow("s", f.dir)
	f.write(event("session.error", 3))
	f.want("s session.error 3")
	f.logs.Forget(f.dir)
	f.write(event("session.error", 4))
	f.logs.Follow("s", f.dir) // from the end again
	f.write(event("session.error", 5))
	f.want("s session.error 5")
}
