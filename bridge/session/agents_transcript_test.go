//go:build unix

package session_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"golang.org/x/sys/unix"

	"github.com/copilot-bridge/copilot-bridge/acp"
	"github.com/copilot-bridge/copilot-bridge/acp/agent"
	"github.com/copilot-bridge/copilot-bridge/bridge/conversation"
	"github.com/copilot-bridge/copilot-bridge/internal/await"
)

// program is a Copilot CLI of a version, with a help, that does what script says when it is called for anything else.
// What it is called with is in the file calls beside it.
func (r *rig) program(version, help, script string) string {
	r.t.Helper()
	dir := r.t.TempDir()
	exe := filepath.Join(dir, "copilot")
	text := fmt.Sprintf("#!/bin/sh\ncase \"$1\" in --version) echo >> %[3]s/asked; echo %[1]s; exit;; --help) echo '%[2]s'; exit;; esac\necho \"$@\" >> %[3]s/calls\n%[4]s\n", version, help, dir, script)
	if err := os.WriteFile(exe, []byte(text), 0o700); err != nil {
		r.t.Fatal(err)
	}
	return exe
}

func calls(exe string) string {
	b, _ := os.ReadFile(filepath.Join(filepath.Dir(exe), "calls"))
	return string(b)
}

func newProgramRig(t *testing.T, version, help, script string, kind AgentKind) (*rig, string) {
	var exe string
	r := newRigWith(t, nil, func(c *Config) {
		exe = (&rig{t: t}).program(version, help, script)
		c.Start, c.Command, c.Kind, c.StateDir = nil, []string{exe}, kind, t.TempDir()
	})
	return r, exe
}

const (
	printOnly = "Usage: copilot -p TEXT -s --stream on"
	both      = printOnly + " --acp --stdio"
	fails     = "case \"$*\" in *--acp*) echo boom >&2; exit 3;; esac\necho an answer"
)

// complies is an agent that says its version when it is asked to initialize, and yes to all that comes after.
const complies = `while read -r line; do
	id=$(printf '%s' "$line" | sed 's/.*"id":\([0-9]*\).*/\1/')
	printf '{"jsonrpc":"2.0","id":%s,"result":{"protocolVersion":1,"agentInfo":{"name":"Copilot","version":"1.0.102"},"sessionId":"s"}}\n' "$id"
done`

// TestAProgramWithoutACPIsCalledOnceATurn: chosen by its setting, and by asking the program where nothing is set.
func TestAProgramWithoutACPIsCalledOnceATurn(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		version, help string
		kind          AgentKind
	}{
		{"0.0.300", printOnly, KindAuto}, {"1.0.102", printOnly, KindAuto}, {"1.0.102", both, KindTranscript}, {"0.0.300", printOnly, KindTranscript},
	} {
		r, exe := newProgramRig(t, c.version, c.help, fails, c.kind)
		if end := r.open().run("hello"); end.Err != nil || end.StopReason != acp.StopReasonEndTurn {
			t.Errorf("%+v: %+v", c, end)
		}
		if got := calls(exe); !strings.HasSuffix(got, "-s --stream on -p hello\n") || strings.Contains(got, "allow") {
			t.Errorf("%+v: called with %q", c, got)
		}
		if len(happenings(r.events(), "agent_kind")) == 0 {
			t.Errorf("%+v: nobody was told that it cannot ask", c)
		}
		if i, ok := r.b.Agent(); !ok || i.Name != "copilot" {
			t.Errorf("%+v: %+v", c, i)
		}
	}
}

// TestAStartAsksForNoVersion: Copilot takes a second of a processor to say it, and says it when it has started. What does not
// start is asked, to say what is wrong.
func TestAStartAsksForNoVersion(t *testing.T) {
	t.Parallel()
	for script, asked := range map[string]string{fails: "\n", complies: ""} {
		r, exe := newProgramRig(t, "1.0.102", both, script, KindAuto)
		if _, err := r.b.NewSession(r.ctx, NewSessionRequest{}); (err == nil) != (asked == "") {
			t.Fatalf("%q: %v", script, err)
		}
		if b, _ := os.ReadFile(filepath.Join(filepath.Dir(exe), "asked")); string(b) != asked {
			t.Errorf("%q: it was asked %d times", script, len(b))
		}
	}
}

// TestAnACPServerThatKeepsFailingIsNotReplacedSilently: the user is asked once, after the third time, and their answer
// holds until the agent is restarted by hand.
func TestAnACPServerThatKeepsFailingIsNotReplacedSilently(t *testing.T) {
	t.Parallel()
	for _, yes := range []bool{false, true} {
		r, exe := newProgramRig(t, "1.0.102", both, fails, KindAuto)
		answer := make(chan struct{})
		r.screen.ask = func(_ context.Context, q *Question) (Answer, error) {
			defer close(answer) // a second question would panic
			if !yes {
				return Answer{}, errors.New("closed")
			}
			i := slices.IndexFunc(q.Options, func(o acp.PermissionOption) bool { return o.Kind == acp.PermissionOptionKindAllowOnce })
			return Answer{OptionID: q.Options[i].OptionID}, nil
		}
		for range 3 {
			if _, err := r.b.NewSession(r.ctx, NewSessionRequest{}); err == nil {
				t.Fatal("a session was opened")
			}
		}
		<-answer
		want := "agent keeps failing"
		if yes {
			want = "go through `copilot -p` now"
		}
		r.until("what became of it", func(events []Event) bool {
			return slices.ContainsFunc(events, func(ev Event) bool {
				s, ok := ev.(*StatusChanged)
				return ok && strings.Contains(s.Message, want)
			})
		})
		if strings.Contains(calls(exe), "-p") {
			t.Errorf("called before anybody was asked: %q", calls(exe))
		}
		if !yes {
			if _, err := r.b.NewSession(r.ctx, NewSessionRequest{}); err == nil {
				t.Error("a no was taken for a yes")
			}
			continue
		}
		if end := r.open().run("hello"); end.Err != nil {
			t.Errorf("%+v", end.Err)
		}
		if err := r.b.RestartAgent(r.ctx); err == nil {
			t.Error("a restart did not go back to ACP")
		}
	}
}

func TestAFailedCallIsToldWithWhatToDo(t *testing.T) {
	t.Parallel()
	for script, want := range map[string]struct {
		code int
		text string
	}{
		"echo 'Error: No authentication information found.' >&2; exit 1": {CodeNotSignedIn, "login"},
		"echo boom >&2; exit 1":                            {CodeAgentUnavailable, "boom"},
		"echo 'context window exceeded (413)' >&2; exit 1": {CodeInternal, "does not fit"},
	} {
		r, _ := newProgramRig(t, "0.0.300", printOnly, script, KindTranscript)
		r.open()
		end := r.ended(r.prompt("hello"))
		if end.Err == nil || end.Err.Code != want.code || !strings.Contains(end.Err.Error()+end.Err.Hint, want.text) {
			t.Errorf("%s: %+v", script, end.Err)
		}
		if want.code == CodeNotSignedIn && !errors.Is(end.Err, agent.ErrSignedOut) {
			t.Errorf("%s is not a sign-out", script)
		}
	}
}

// TestDeletingASessionDeletesItsTranscript: nothing of what was said stays.
func TestDeletingASessionDeletesItsTranscript(t *testing.T) {
	t.Parallel()
	r, _ := newProgramRig(t, "0.0.300", printOnly, fails, KindTranscript)
	end := r.open().run("a secret")
	if len(filesWith(t, r.cfg.StateDir, "a secret")) == 0 || len(filesNamed(t, r.cfg.StateDir, "agent.json")) != 1 {
		t.Fatal("it was not kept")
	}
	if err := r.b.DeleteSession(r.ctx, end.Session); err != nil {
		t.Fatal(err)
	}
	if left := append(filesWith(t, r.cfg.StateDir, "a secret"), filesNamed(t, r.cfg.StateDir, "agent.json")...); len(left) != 0 {
		t.Errorf("left: %v", left)
	}
}

// TestAKillLosesNothingOfATranscript: what is on disk at any moment of a turn leads to a request that has what was said,
// once, also where the session goes on in another folder.
func TestAKillLosesNothingOfATranscript(t *testing.T) {
	t.Parallel()
	gate := filepath.Join(t.TempDir(), "gate")
	if err := unix.Mkfifo(gate, 0o600); err != nil {
		t.Fatal(err)
	}
	r, _ := newProgramRig(t, "0.0.300", printOnly, "echo part\ncat "+gate+" >/dev/null\necho whole", KindTranscript)
	r.open()
	on := map[string]string{} // the disk
	killed := func(when string) {
		on[when] = t.TempDir()
		if err := os.CopyFS(on[when], os.DirFS(r.cfg.StateDir)); err != nil {
			t.Fatal(err)
		}
	}
	turn := r.prompt("remember Ada")
	r.until("the turn", func(events []Event) bool {
		return slices.ContainsFunc(events, func(ev Event) bool { _, ok := ev.(*TurnStarted); return ok })
	})
	killed("at its begin")
	r.until("the answer", func(events []Event) bool { _, news := replays(events); return strings.Contains(news, "part") })
	killed("in the middle")
	if err := os.WriteFile(gate, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	r.ended(turn)
	killed("after its end")
	killed("before the agent kept anything") // as an earlier version has left it
	for _, name := range filesNamed(t, on["before the agent kept anything"], "agent.json") {
		if err := os.Remove(name); err != nil {
			t.Fatal(err)
		}
	}
	for when, state := range on {
		for _, moved := range []bool{false, true} {
			again := t.TempDir()
			if err := os.CopyFS(again, os.DirFS(state)); err != nil {
				t.Fatal(err)
			}
			var exe string
			next := newRigWith(t, nil, func(c *Config) {
				exe = (&rig{t: t}).program("0.0.300", printOnly, "echo an answer")
				c.Start, c.Command, c.Kind, c.StateDir = nil, []string{exe}, KindTranscript, again
				if !moved {
					c.Folders = []string{r.dir}
				}
			})
			if _, err := next.b.LoadSession(next.ctx, r.session, ""); err != nil {
				t.Fatal(err)
			}
			next.session = r.session
			next.run("who am I?")
			sent := calls(exe)
			if strings.Count(sent, "remember Ada") != 1 || !strings.HasSuffix(sent, "\nUser: who am I?\n") {
				t.Errorf("%s, moved %v: sent %q", when, moved, sent)
			}
			if when == "after its end" && !strings.Contains(sent, "User: remember Ada\nAssistant: part\nwhole\n") {
				t.Errorf("%s, moved %v: sent %q", when, moved, sent)
			}
		}
	}
}

// TestWhatTheModelWasToldStaysTheSame: a prompt that went with the text of a buffer is told again as it was, whatever is in
// the buffer later, and in another run.
func TestWhatTheModelWasToldStaysTheSame(t *testing.T) {
	t.Parallel()
	r, exe := newProgramRig(t, "0.0.300", printOnly, "echo an answer", KindTranscript)
	r.put("a.txt", "on disk\n")
	r.buffer("a.txt", "only in the buffer\n")
	r.open().run("look at @a.txt")
	r.buffer("a.txt", "something else\n")
	r.run("and now?")
	if sent := calls(exe); strings.Count(sent, "only in the buffer") != 2 || strings.Contains(sent, "something else") {
		t.Errorf("sent %q", sent)
	}
	r.crash()
	next := newRigWith(t, nil, func(c *Config) {
		c.Start, c.Command, c.Kind, c.StateDir, c.Folders = nil, []string{exe}, KindTranscript, r.cfg.StateDir, []string{r.dir}
	})
	if _, err := next.b.LoadSession(next.ctx, r.session, ""); err != nil {
		t.Fatal(err)
	}
	next.session = r.session
	next.run("in another run")
	if sent := calls(exe); strings.Count(sent, "only in the buffer") != 3 {
		t.Errorf("sent %q", sent)
	}
	if text, _, err := next.b.Transcript(r.session); err != nil || strings.Contains(text, "only in the buffer") {
		t.Errorf("the user's transcript has what was for the model: %q, %v", text, err)
	}
}

// TestATurnWaitsForWhatTheEditorHasNotBeenShown: that is when it is in the conversation. A cancelled turn waits no longer.
func TestATurnWaitsForWhatTheEditorHasNotBeenShown(t *testing.T) {
	r, _ := newProgramRig(t, "0.0.300", printOnly, "echo an answer", KindTranscript)
	r.open()
	s, turn, release := r.theSession(), "t", make(chan struct{})
	s.BeginTurn(turn)
	held := make(chan struct{})
	r.screen.change(func() {
		r.screen.show = func(_ context.Context, ev Event) {
			if u, ok := ev.(*Message); ok && u.Turn == "first" {
				close(held)
				<-release
			}
		}
	})
	for _, turn := range []string{"first", "late"} {
		u := &Message{Session: s.ID, Turn: turn, Message: acp.NewUpdate("", &acp.AgentMessageChunk{ContentChunk: acp.ContentChunk{Content: acp.Text(turn)}})}
		s.Conversation().Claim(u)
		r.b.Config().Out.Push(u)
	}
	<-held
	read := func(ctx context.Context) (turns []string) {
		if err := s.Source().Said(ctx, func(said conversation.Said) { turns = append(turns, said.Turn) }); err != nil {
			t.Error(err)
		}
		return turns
	}
	cancelled, cancel := context.WithCancel(r.ctx)
	cancel()
	if got := read(cancelled); slices.Contains(got, "late") {
		t.Errorf("read %q while the editor was not shown it", got)
	}
	got := make(chan []string, 1)
	go func() { got <- read(r.ctx) }()
	await.Until(t, "a wait for the editor", func() bool {
		stacks := make([]byte, 1<<20)
		return len(got) > 0 || strings.Contains(string(stacks[:runtime.Stack(stacks, true)]), "wire.(*Outbox).Flush(")
	})
	close(release)
	if list := await.Receive(t, "what was said", got); !slices.Contains(list, "late") {
		t.Errorf("it did not wait, and read %q", list)
	}
}

// TestASessionThatCopilotHasIsTakenOverWithWhatWasSaid: it is shown, Copilot is told the new message only, and all of it
// once it has lost the session, in another run too.
func TestASessionThatCopilotHasIsTakenOverWithWhatWasSaid(t *testing.T) {
	t.Parallel()
	dir, state := t.TempDir(), t.TempDir()
	env := inCopilot(t, dir)
	begin := func() (*rig, string) {
		var exe string
		r := newRigWith(t, nil, func(c *Config) {
			exe = (&rig{t: t}).program("1.0.102", printOnly+" --resume ID --session-id ID",
				"case \"$*\" in *--resume*three*) echo \"Error: No session, task, or name matched 'x'.\" >&2; exit 1;; esac\necho an answer")
			c.Start, c.Command, c.Kind, c.StateDir, c.Folders, c.Env = nil, []string{exe}, KindTranscript, state, []string{dir}, append(c.Env, env)
		})
		if _, err := r.b.LoadSession(r.ctx, copilotID, ""); err != nil {
			t.Fatal(err)
		}
		r.b.Flush(r.ctx)
		past, _ := replays(r.events())
		if strings.Count(past, "remember BLUE") != 1 || strings.Count(past, "noted") != 1 {
			t.Errorf("shown %q", past)
		}
		r.session = copilotID
		return r, exe
	}
	r, exe := begin()
	r.run("one")
	r.crash()
	r, again := begin()
	r.run("two")
	for _, sent := range []string{calls(exe), calls(again)} {
		if !strings.Contains(sent, "--resume "+copilotID) || strings.Contains(sent, "BLUE") || strings.Count(sent, "\n") != 1 {
			t.Errorf("sent %q", sent)
		}
	}
	r.run("three")
	if sent := calls(again); !strings.Contains(sent, "Previous conversation:\nUser: remember BLUE\nAssistant: noted\nUser: one\nAssistant: an answer\nUser: two\nAssistant: an answer\n\nUser: three") {
		t.Errorf("sent %q", sent)
	}
}

// filesWith are the files below a folder that hold a text.
func filesWith(t *testing.T, dir, text string) []string {
	return findFiles(t, dir, func(path string) bool {
		b, err := os.ReadFile(path)
		return err == nil && strings.Contains(string(b), text)
	})
}

// filesNamed are those of a name.
func filesNamed(t *testing.T, dir, name string) []string {
	return findFiles(t, dir, func(path string) bool { return filepath.Base(path) == name })
}

func findFiles(t *testing.T, dir string, is func(path string) bool) (out []string) {
	t.Helper()
	err := filepath.WalkDir(dir, func(path string, e os.DirEntry, err error) error {
		if err == nil && e.Type().IsRegular() && is(path) {
			out = append(out, path)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}
