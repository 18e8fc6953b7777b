package session_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/copilot-bridge/copilot-bridge/acp"
	"github.com/copilot-bridge/copilot-bridge/bridge/conversation"
	"github.com/copilot-bridge/copilot-bridge/bridge/permission"
	"github.com/copilot-bridge/copilot-bridge/bridge/review"
)

// what the agent replays is muted, what we have is shown as replay, once, however often the bridge restarts.
func TestAStoredSessionIsShownOnceAfterEachRestart(t *testing.T) {
	t.Parallel()
	r := lasting(t, hello+"expect session/prompt\nsay noted\nreply {\"stopReason\":\"end_turn\"}").open()
	r.run("remember GREEN")
	before, _, err := r.b.Transcript(r.session)
	if err != nil {
		t.Fatal(err)
	}
	r.crash()
	for range 3 {
		r = r.again(reloads + "say other words\nreply@l {}")
		if list := r.b.Sessions(); len(list) != 1 || list[0].ID != r.session || list[0].Remote != "s1" || list[0].Turns != 1 || list[0].Live {
			t.Fatalf("listed: %+v", list)
		}
		if _, err := r.b.LoadSession(r.ctx, r.session, ""); err != nil {
			t.Fatal(err)
		}
		past, news := replays(r.events())
		if past != "user_message_chunk=remember GREEN agent_message_chunk=noted " || news != "" {
			t.Fatalf("shown as past %q, as new %q", past, news)
		}
		if after, _, _ := r.b.Transcript(r.session); after != before {
			t.Fatalf("the transcript is\n%s\nwas\n%s", after, before)
		}
		r.crash()
	}
}

// Calls that were open when the bridge was killed are closed; the turn is said to have been cut off, and its prompt is
// given back and not sent again.
func TestATurnThatWasCutOffIsClosedAndNotSentAgain(t *testing.T) {
	t.Parallel()
	r := lasting(t, hello+`expect session/prompt
update tool_call {"toolCallId":"c","title":"T","status":"pending"}
say half an ans
mark there
wait never`).open()
	r.prompt("do it")
	r.await("there")
	r.until("the text", func(ev []Event) bool { return strings.Contains(said(ev), "half an ans") })
	r.crash()
	next := r.again(reloads + "reply@l {}\nexpect session/prompt {\"prompt\":[{\"text\":\"go on\"}]}\nreply {\"stopReason\":\"end_turn\"}")
	if _, err := next.b.LoadSession(next.ctx, next.session, ""); err != nil {
		t.Fatal(err)
	}
	events := next.events()
	cut := happenings(events, "turn_interrupted")
	if len(cut) != 1 || cut[0].Data["prompt"] != "do it" {
		t.Fatalf("told %+v", cut)
	}
	closed, end := false, ""
	for _, e := range events {
		if p, ok := e.(*Replayed); ok && p.Event == nil {
			end = string(p.StopReason) + ": " + p.Message
		}
		if u, ok := e.(*Message); ok && u.Replay {
			if c, ok := u.Update().(*acp.ToolCallUpdate); ok && c.Status != nil && *c.Status == acp.ToolCallStatusFailed {
				closed = true
			}
		}
	}
	if past, _ := replays(events); !closed || !strings.Contains(past, "half an ans") {
		t.Fatalf("closed %v, shown %q", closed, past)
	}
	if want := "error: the bridge ended in the middle of it"; end != want {
		t.Fatalf("the turn's end is shown as %q, want %q", end, want)
	}
	next.run("go on")
}

// the agent lost it: the user is told, the transcript stays, and the next prompt carries what was said, once.
func TestALostSessionGoesOnWithASummary(t *testing.T) {
	t.Parallel()
	r := lasting(t, hello+"expect session/prompt\nsay the answer\nreply {\"stopReason\":\"end_turn\"}").open()
	r.run("remember RED")
	r.crash()
	next := r.again(`handshake
stub session/close
expect@l session/load
fail@l -32603 Session file is corrupted
session s2
expect session/prompt {"sessionId":"s2"}
reply {"stopReason":"end_turn"}
expect session/prompt {"sessionId":"s2","prompt":[{"text":"third"}]}
reply {"stopReason":"end_turn"}`)
	if _, err := next.b.LoadSession(next.ctx, next.session, ""); err != nil {
		t.Fatal(err)
	}
	if n := len(happenings(next.events(), "history_lost")); n != 1 {
		t.Fatalf("told %d times that the history is lost", n)
	}
	lost := next.theSession().Carried()
	if !strings.Contains(lost, "RED") || !strings.Contains(lost, "the answer") || len(lost) > conversation.MaxSummary+1024 {
		t.Fatalf("the summary is %q", lost)
	}
	next.run("second")
	if lost := next.theSession().Carried(); lost != "" {
		t.Fatalf("it is carried again: %q", lost)
	}
	next.run("third")
	text, _, err := next.b.Transcript(next.session)
	if err != nil || !strings.Contains(text, "RED") || !strings.Contains(text, "third") {
		t.Fatalf("%v: %s", err, text)
	}
	if m, err := next.b.Config().Store.Meta(next.session); err != nil || m.Agent != "s2" || m.Carry {
		t.Fatalf("stored: %+v, %v", m, err)
	}
}

// Modes and options are as they were, but a yes to everything is not put back.
func TestModesAndOptionsArePutBack(t *testing.T) {
	t.Parallel()
	const modes = `"modes":{"currentModeId":"agent","availableModes":[{"id":"agent","name":"A"},{"id":"plan","name":"P"}]}`
	const options = `"configOptions":[{"id":"model","name":"M","type":"select","currentValue":"small","options":[{"value":"small","name":"S"},{"value":"big","name":"B"}]},{"id":"allow_all","name":"All","type":"boolean","currentValue":false}]`
	r := lasting(t, `handshake
stub session/close
expect session/new
reply {"sessionId":"s1",`+modes+`,`+options+`}
expect session/set_mode {"modeId":"plan"}
reply {}
expect session/set_config_option {"configId":"model","value":"big"}
reply {`+strings.Replace(options, `"currentValue":"small"`, `"currentValue":"big"`, 1)+`}
expect session/set_config_option {"configId":"allow_all"}
reply {`+strings.Replace(strings.Replace(options, `"currentValue":"small"`, `"currentValue":"big"`, 1), "false", "true", 1)+`}
expect session/prompt
reply {"stopReason":"end_turn"}`).open()
	if err := r.b.SetMode(r.ctx, r.session, "plan"); err != nil {
		t.Fatal(err)
	}
	for id, v := range map[string]any{"model": "big"} {
		if _, err := r.b.SetOption(r.ctx, r.session, id, v); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := r.b.SetOption(r.ctx, r.session, "allow_all", true); err != nil {
		t.Fatal(err)
	}
	r.run("hello")
	r.crash()
	next := r.again(reloads + `reply@l {` + modes + `,` + options + `}
expect session/set_mode {"sessionId":"s1","modeId":"plan"}
reply {}
expect session/set_config_option {"sessionId":"s1","configId":"model","value":"big"}
reply {` + strings.Replace(options, `"currentValue":"small"`, `"currentValue":"big"`, 1) + `}`)
	info, err := next.b.LoadSession(next.ctx, next.session, "")
	if err != nil {
		t.Fatal(err)
	}
	if info.Modes == nil || info.Modes.CurrentModeID != "plan" {
		t.Fatalf("modes: %+v", info.Modes)
	}
	if got := permission.Chosen(info.Options); string(got["model"]) != `"big"` {
		t.Fatalf("options: %v", got)
	}
}

// a session that another bridge has open is not loaded; who has it is said, and it can be read.
func TestASessionOfAnotherBridgeCanBeReadOnly(t *testing.T) {
	t.Parallel()
	r := lasting(t, hello+"expect session/prompt\nsay noted\nreply {\"stopReason\":\"end_turn\"}").open()
	r.run("hello")
	r.b.Config().Book.Close()
	other := r.again("handshake")
	_, err := other.b.LoadSession(other.ctx, r.session, "")
	if e := asError(err); err == nil || !strings.Contains(e.Message, "in use by process") {
		t.Fatalf("load: %v", err)
	}
	if text, _, err := other.b.Transcript(r.session); err != nil || !strings.Contains(text, "noted") {
		t.Fatalf("%v: %s", err, text)
	}
	if err := other.b.DeleteSession(other.ctx, r.session); !strings.Contains(asError(err).Message, "in use by process") {
		t.Fatalf("delete: %v", err)
	}
}

// A session is gone for good when it was deleted, live or not; one in which nothing was said leaves nothing.
func TestDeletedAndEmptySessionsAreGone(t *testing.T) {
	t.Parallel()
	r := lasting(t, hello+"expect session/prompt\nreply {\"stopReason\":\"end_turn\"}\nsession s2").open()
	r.run("hello")
	first := r.session
	if err := r.b.DeleteSession(r.ctx, first); err != nil {
		t.Fatal(err)
	}
	if list := r.b.Sessions(); len(list) != 0 {
		t.Fatalf("listed: %+v", list)
	}
	if _, err := r.b.LoadSession(r.ctx, first, ""); asError(err).Code != CodeSessionNotFound {
		t.Fatalf("load: %v", err)
	}
	if !r.b.Config().Store.Hidden()["s1"] {
		t.Fatal("the agent's own copy would be listed")
	}
	r.open()
	if err := r.b.CloseSession(r.ctx, r.session); err != nil {
		t.Fatal(err)
	}
	if r.b.Config().Store.Has(r.session) {
		t.Fatal("a session in which nothing was said is in the store")
	}
}

// a state folder that cannot be written costs the saving and nothing else, and it is said once.
func TestASessionThatCannotBeSavedGoesOn(t *testing.T) {
	t.Parallel()
	r := lasting(t, hello+"expect session/prompt\nsay one\nreply {\"stopReason\":\"end_turn\"}\nexpect session/prompt\nsay two\nreply {\"stopReason\":\"end_turn\"}").open()
	if err := os.RemoveAll(filepath.Join(r.cfg.StateDir, "sessions")); err != nil {
		t.Fatal(err)
	}
	r.run("a")
	r.run("b")
	told := happenings(r.events(), "not_saved")
	if len(told) != 1 || !strings.HasPrefix(told[0].Message, "not saved: ") {
		t.Fatalf("told %+v", told)
	}
}

// The agent's id is on disk the moment session/new has answered.
func TestTheAgentsIDIsSavedAtOnce(t *testing.T) {
	t.Parallel()
	r := lasting(t, hello).open()
	m, err := r.b.Config().Store.Meta(r.session)
	if err != nil || m.Agent != "s1" || m.Cwd != r.dir {
		t.Fatalf("%+v, %v", m, err)
	}
}

// a state folder that cannot be used (it is a file, the disk is read-only, it is another user's) costs the saving
// and nothing else: the bridge starts, turns run, and the user is told.
func TestAStateFolderThatCannotBeUsedCostsTheSavingOnly(t *testing.T) {
	t.Parallel()
	state := filepath.Join(t.TempDir(), "state")
	if err := os.WriteFile(state, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	r := newRigWith(t, map[string]string{"a.txt": "one\n"}, func(c *Config) { c.StateDir = state }, hello+`expect@p session/prompt
request fs/write_text_file {"sessionId":"$session","path":"$dir/a.txt","content":"two\n"}
answer
reply@p {"stopReason":"end_turn"}`)
	r.scripts[0] = strings.ReplaceAll(r.scripts[0], "$dir", r.dir)
	r.open().run("change it")
	if got := r.disk("a.txt"); got != "two\n" {
		t.Errorf("the file is %q", got)
	}
	if n, bad := r.b.Undo(r.ctx, review.Selector{All: true}); n != 1 || len(bad) > 0 {
		t.Errorf("undone %d, %v", n, bad)
	}
	told := 0
	for _, e := range r.events() {
		switch e := e.(type) {
		case *StatusChanged:
			if strings.HasPrefix(e.Message, "not saved: ") {
				told++
			}
		case *SessionChanged:
			if e.Event != nil && e.Event.Type == "not_saved" {
				told++
			}
		}
	}
	if told == 0 {
		t.Error("the user was not told")
	}
	if got := r.b.Sessions(); len(got) != 1 {
		t.Errorf("listed %+v", got)
	}
}
