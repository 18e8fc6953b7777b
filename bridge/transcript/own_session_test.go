package transcript

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/copilot-bridge/copilot-bridge/bridge/transcript/program"

	"github.com/copilot-bridge/copilot-bridge/acp"
)

// TestASessionOfTheProgramsThatIsTooLongIsBegunAnew: there, what is too long is the program's own history.
func TestASessionOfTheProgramsThatIsTooLongIsBegunAnew(t *testing.T) {
	t.Parallel()
	said := `say {"type":"assistant.message","data":{"messageId":"n","content":"answer"}}`
	r := newRig(t, modern, nil, said, `say {"type":"session.error","data":{"message":"prompt token count of 200000 exceeds the limit of 128000","statusCode":400}}`+"\nexit 1", said)
	r.put("summary", `say {"type":"assistant.message","data":{"messageId":"n","content":"the gist"}}`)
	r.ok("one")
	c := r.ok("two")
	if slices.Contains(c.Args, "--resume") || !strings.Contains(c.Prompt, "the gist") || !strings.HasSuffix(c.Prompt, "User: two") {
		t.Errorf("%+v", c)
	}
	if len(r.told("history_lost")) != 1 {
		t.Error("nobody was told")
	}
}

// elsewhere is a session of Copilot's that was begun elsewhere, loaded.
func elsewhere(t *testing.T) *rig {
	t.Helper()
	const id = "11111111-2222-3333-4444-555555555555"
	r := newRig(t, modern, nil)
	r.put("always", `say {"type":"assistant.message","data":{"messageId":"n","content":"answer"}}`)
	folder := filepath.Join(r.dir, "home", "session-state", id)
	if err := os.MkdirAll(folder, 0o700); err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{
		"workspace.yaml": "id: " + id + "\ncwd: " + r.ws + "\n",
		"events.jsonl":   `{"type":"user.message","data":{"content":"hello"},"id":"1"}` + "\n" + `{"type":"assistant.message","data":{"content":"hi"},"id":"2"}` + "\n",
	} {
		if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	r.conv.Load().Close()
	r.opened(id)
	r.conv.Load().foreign = true
	if _, err := acp.Call[acp.LoadSessionResponse](t.Context(), r.a, acp.MethodSessionLoad, &acp.LoadSessionRequest{SessionID: id, Cwd: r.ws}); err != nil {
		t.Fatal(err)
	}
	return r
}

// TestCopilotSumsItsOwnSessionUp: /compact is its own there, and its log tells what became of it. It is ended when it
// stays after that.
func TestCopilotSumsItsOwnSessionUp(t *testing.T) {
	t.Parallel()
	r := elsewhere(t)
	r.put("1", `log {"type":"session.compaction_complete","data":{"success":true,"messagesRemoved":7,"tokensRemoved":71}}`+"\nhang")
	if _, err := r.prompt("/compact the names"); err != nil {
		t.Fatal(err)
	}
	if c := r.last(); !strings.Contains(r.said(), "removed 7 messages and 71 tokens") || c.Prompt != "/compact the names" || !slices.Contains(c.Args, "--resume") {
		t.Errorf("said %q after %q", r.said(), c.Args)
	}
	r.put("2", `log {"type":"session.compaction_complete","data":{"success":false,"error":"no model"}}`)
	if f := r.fails("/compact", program.Failed); !strings.Contains(f.Message, "no model") {
		t.Error(f)
	}
	r.put("3", "err Error executing prompt: Error: Nothing to compact.\nexit 1")
	if f := r.fails("/compact", program.Failed); !strings.Contains(f.Message, "Nothing to compact") {
		t.Error(f)
	}
	// A version that does not know the command asks its model what it might mean.
	r.put("4", `say {"type":"assistant.message","data":{"messageId":"n","content":"what do you want?"}}`)
	r.put("summary", `say {"type":"assistant.message","data":{"messageId":"n","content":"the gist"}}`)
	if _, err := r.prompt("/compact"); err != nil {
		t.Fatal(err)
	}
	if c := r.ok("on"); slices.Contains(c.Args, "--resume") || !strings.Contains(c.Prompt, "the gist") {
		t.Errorf("%+v", c)
	}
}

func TestAProgramThatStaysAfterItsLastEventIsEnded(t *testing.T) {
	t.Parallel()
	r := newRig(t, modern, nil, `say {"type":"assistant.message","data":{"messageId":"n","content":"answer"}}
say {"type":"result","sessionId":"x","exitCode":0}
hang`)
	if r.ok("x"); r.said() != "answer" {
		t.Errorf("said %q", r.said())
	}
}

// TestASessionOfCopilotsIsTakenOver: one that was held over ACP until that failed.
func TestASessionOfCopilotsIsTakenOver(t *testing.T) {
	t.Parallel()
	r := elsewhere(t)
	id := string(r.id)
	if r.said() != "hi" {
		t.Errorf("replayed %q", r.said())
	}
	if c := r.ok("on"); !slices.Contains(c.Args, "--resume") || !slices.Contains(c.Args, id) || c.Prompt != "on" {
		t.Errorf("%+v", c)
	}
	r.put("3", "err no session, task, or name matched\nexit 1")
	r.put("2", "err no session, task, or name matched\nexit 1")
	r.put("3", `say {"type":"assistant.message","data":{"messageId":"n","content":"answer"}}`)
	if c := r.ok("more"); !strings.Contains(c.Prompt, "User: hello\nAssistant: hi\nUser: on\nAssistant: answer\n\nUser: more") {
		t.Errorf("%q", c.Prompt)
	}
}

// TestADamagedStateCostsNoWord: the program is told everything then, and no session of its own is believed to know it.
func TestADamagedStateCostsNoWord(t *testing.T) {
	t.Parallel()
	for _, damage := range []string{"", "{", `{"cli":7}`, `[]`} {
		r := newRig(t, modern, nil)
		r.put("always", `say {"type":"assistant.message","data":{"messageId":"n","content":"answer"}}`)
		r.ok("one")
		if err := os.WriteFile(filepath.Join(r.conv.Load().Folder(), "agent.json"), []byte(damage), 0o600); err != nil {
			t.Fatal(err)
		}
		r.again(nil)
		if c := r.ok("two"); slices.Contains(c.Args, "--resume") || c.Prompt != "Previous conversation:\nUser: one\nAssistant: answer\n\nUser: two" {
			t.Errorf("%q: %q", damage, c.Args)
		}
	}
}

func TestAnUnknownSessionIsNotLoaded(t *testing.T) {
	r := newRig(t, modern, nil)
	r.conv.Load().foreign = true
	for _, id := range []acp.SessionID{"11111111-2222-3333-4444-555555555555", "../x", ""} {
		r.id = id // the bridge looks for it
		if _, err := acp.Call[acp.LoadSessionResponse](t.Context(), r.a, acp.MethodSessionLoad, &acp.LoadSessionRequest{SessionID: id, Cwd: r.ws}); err == nil {
			t.Errorf("%q was loaded", id)
		}
	}
}
