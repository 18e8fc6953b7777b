package session_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/copilot-bridge/copilot-bridge/bridge/session"
	"github.com/copilot-bridge/copilot-bridge/bridge/store"
)

// movedTo is an agent that is asked for a new session in a folder and told a summary once.
const movedTo = `handshake
stub session/close
expect session/new {"cwd":"$there"}
reply {"sessionId":"s2"}
expect session/prompt {"sessionId":"s2","prompt":[{"text":"re:remember BLUE"},{"text":"second"}]}
reply {"stopReason":"end_turn"}
expect session/prompt {"sessionId":"s2","prompt":[{"text":"third"}]}
reply {"stopReason":"end_turn"}`

// a session in another folder, asked for, of another workspace, or because its own is gone, goes on in a new
// session of the agent's: said in one sentence, with a summary, the transcript whole. Later it stays where it is.
func TestASessionGoesOnInAnotherFolder(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		gone, asked, elsewhere bool
	}{
		"asked for":         {asked: true},
		"another workspace": {elsewhere: true},
		"gone":              {gone: true, elsewhere: true},
	} {
		t.Run(name, func(t *testing.T) {
			r := lasting(t, hello+"expect session/prompt\nsay noted\nreply {\"stopReason\":\"end_turn\"}").open()
			r.run("remember BLUE")
			r.crash()
			if c.gone {
				if err := os.RemoveAll(r.dir); err != nil {
					t.Fatal(err)
				}
			}
			there := realDir(t.TempDir())
			folders, cwd := []string{r.dir}, ""
			if c.elsewhere {
				folders = []string{there}
			}
			if c.asked {
				cwd = there
			}
			state := r.cfg.StateDir
			next := newRigWith(t, nil, func(c *Config) { c.StateDir, c.Folders = state, folders }, strings.ReplaceAll(movedTo, "$there", there))
			next.session = r.session
			info, err := next.b.LoadSession(next.ctx, r.session, cwd)
			if err != nil || info.Cwd != there || info.Remote != "s2" {
				t.Fatalf("%+v, %v", info, err)
			}
			told := happenings(next.events(), "history_lost")
			if len(told) != 1 || !strings.Contains(told[0].Message, r.dir) || !strings.Contains(told[0].Message, there) || strings.Count(told[0].Message, ". ") > 0 {
				t.Fatalf("told %+v", told)
			}
			if past, _ := replays(next.events()); past != "user_message_chunk=remember BLUE agent_message_chunk=noted " {
				t.Fatalf("shown %q", past)
			}
			next.run("second")
			next.run("third")
			next.crash()
			last := newRigWith(t, nil, func(c *Config) { c.StateDir, c.Folders = state, []string{there} }, strings.ReplaceAll(reloads, `"s1"`, `"s2"`)+"reply@l {}")
			if _, err := last.b.LoadSession(last.ctx, r.session, ""); err != nil {
				t.Fatal(err)
			}
			if told := happenings(last.events(), "history_lost"); len(told) != 0 {
				t.Fatalf("told again %+v", told)
			}
		})
	}
}

// A folder below a workspace folder, by whatever name, is not another one; without workspace folders none is.
func TestWhatIsNoOtherFolder(t *testing.T) {
	t.Parallel()
	dir := realDir(t.TempDir())
	sub, link := filepath.Join(dir, "sub"), filepath.Join(t.TempDir(), "link")
	if err := os.Mkdir(sub, 0o755); err != nil {
		t.Fatal(err)
	}
	symlink(t, dir, link)
	for _, c := range []struct {
		folders        []string
		stored, wanted string
		cwd            string
	}{
		{[]string{dir}, dir, "", dir},
		{[]string{dir}, sub, "", sub},
		{[]string{link}, sub, "", sub},
		{[]string{dir}, link, dir, link},
		{nil, sub, "", sub},
		{[]string{sub}, dir, "", ""},
		{[]string{sub}, dir, dir, dir},
	} {
		cwd, moved := session.New(session.Config{Folders: c.folders}).WorkFolder(c.stored, c.wanted)
		if (moved != "") != (c.cwd == "") || moved == "" && cwd != c.cwd {
			t.Errorf("%v: %s, %q", c, cwd, moved)
		}
	}
}

const copilotID = "9153846f-55c6-4007-8aa3-2fe3302391a5"

// inCopilot puts a session into a Copilot home that has damage in its log.
func inCopilot(t *testing.T, cwd string) (env string) {
	t.Helper()
	home := t.TempDir()
	dir := filepath.Join(home, "session-state", copilotID)
	if err := os.MkdirAll(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{
		"workspace.yaml": "cwd: " + cwd + "\nname: Terminal\n",
		"events.jsonl":   `{"type":"user.message","id":"1","data":{"content":"remember BLUE"}}` + "\n\x00\x00\n" + `{"type":"assistant.message","id":"2","data":{"content":"noted"}}` + "\n",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return "COPILOT_HOME=" + home
}

// what Copilot has from a terminal and cannot load, because its file is damaged or it is of another folder, is
// read from its log: shown, kept, and summed up for the new session.
func TestASessionThatCopilotCannotLoadIsReadFromItsLog(t *testing.T) {
	t.Parallel()
	for name, script := range map[string]string{
		"corrupted":      "handshake\nstub session/close\nexpect@l session/load\nfail@l -32603 Session file is corrupted\n" + strings.TrimPrefix(movedTo, "handshake\nstub session/close\n"),
		"another folder": movedTo,
	} {
		t.Run(name, func(t *testing.T) {
			there := realDir(t.TempDir())
			from := there
			if name == "another folder" {
				from = realDir(t.TempDir())
			}
			env, state := inCopilot(t, from), t.TempDir()
			r := newRigWith(t, nil, func(c *Config) {
				c.StateDir, c.Folders, c.Env, c.Kind = state, []string{there}, append(c.Env, env), KindCopilot
			}, strings.ReplaceAll(script, "$there", there))
			r.session = copilotID
			if _, err := r.b.LoadSession(r.ctx, copilotID, ""); err != nil {
				t.Fatal(err)
			}
			if past, _ := replays(r.events()); past != "user_message_chunk=remember BLUE agent_message_chunk=noted\n\n " {
				t.Fatalf("shown %q", past)
			}
			r.run("second")
			r.run("third")
			text, _, err := r.b.Transcript(copilotID)
			if err != nil || strings.Count(text, "BLUE") != 1 {
				t.Fatalf("%v: %s", err, text)
			}
			r.crash()
			st := store.Open(store.Config{Dir: filepath.Join(state, "sessions")})
			if m, err := st.Meta(copilotID); err != nil || m.Agent != "s2" || m.Cwd != there {
				t.Fatalf("stored: %+v, %v", m, err)
			}
		})
	}
}
