package lspfront

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"
)

// TestTranscriptAsAReplay guards that a conversation can be shown whole without the agent.
func TestTranscriptAsAReplay(t *testing.T) {
	r := newRig(t, setup{files: before, script: `
expect@turn session/prompt
say First.
reply@turn {"stopReason":"refusal"}
`})
	a := r.turn("go on")
	var got getTranscriptResult
	r.call(prefix+"transcript/get", obj{"sessionId": a.SessionID, "format": "updates", "replay": true}, &got)
	var said []string
	if got.Seq != 1 {
		t.Errorf("the session has shown number 1, not %d", got.Seq)
	}
	for i, u := range got.Updates {
		if !u.Replay || u.Seq != uint64(i+1) {
			t.Errorf("not of a replay: %+v", u)
		}
		said = append(said, string(u.Update))
	}
	all := strings.Join(said, "\n")
	at := 0
	for _, want := range []string{`"go on"`, `"First."`, `"stopReason":"refusal"`} {
		i := strings.Index(all[at:], want)
		if i < 0 {
			t.Fatalf("no %s after byte %d of\n%s", want, at, all)
		}
		at += i
	}
}

// TestTranscript guards what is in it, that it is private, and that transcript.md shows the newest.
func TestTranscript(t *testing.T) {
	r := newRig(t, setup{files: before, script: `
expect@turn session/prompt
say I will change it.
update tool_call {"toolCallId":"1","title":"Edit a.txt","status":"in_progress"}
request fs/write_text_file {"sessionId":"$session","path":"$dir/a.txt","content":"one\nTWO\nthree\nfour\nfive\n"}
answer
update tool_call_update {"toolCallId":"1","status":"completed","content":[{"type":"diff","path":"$dir/a.txt","oldText":"one\ntwo\n","newText":"one\nTWO\n"}]}
request terminal/create {"sessionId":"$session","command":"sh","args":["-c","echo hello; echo '` + "```" + `'"],"cwd":"$cwd"}
answer
request terminal/wait_for_exit {"sessionId":"$session","terminalId":"$terminal"}
answer
request terminal/release {"sessionId":"$session","terminalId":"$terminal"}
answer
say Done.
reply@turn {"stopReason":"end_turn"}
`})
	r.allowing("Allow once")
	r.open(r.dir + "/a.txt")
	a := r.turn("change it, please")
	var where shown
	r.command("showTranscript", obj{}, &where)
	path := filepath.Join(r.state, "transcripts", a.SessionID, "transcript.md")
	if where.URI != uriOf(path) {
		t.Errorf("the transcript is at %s", where.URI)
	}
	if p := string(r.awaitSent("window/showDocument", 1)); !strings.Contains(p, where.URI) {
		t.Errorf("shown: %s", p)
	}
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	text := string(data)
	at := 0
	for _, want := range []string{
		"## You\n\nchange it, please", "## Copilot\n\nI will change it.", "> asks: Edit a.txt", "\n\n```diff\n---", "-two\n+TWO",
		"`Edit a.txt`: done", "```diff\n---", "> asks: Run echo hello", "````sh\necho hello", "> command ended with 0\n", "````\nhello\n```\n````", "## Copilot\n\nDone.",
	} {
		i := strings.Index(text[at:], want)
		if i < 0 {
			t.Fatalf("no %q after byte %d of\n%s", want, at, text)
		}
		at += i
	}
	for _, p := range []string{path, filepath.Dir(path)} {
		if fi, err := os.Stat(p); err != nil || fi.Mode().Perm()&0o077 != 0 {
			t.Errorf("%s is not private: %v %v", p, fi.Mode(), err)
		}
	}
	if runtime.GOOS == "windows" {
		return
	}
	linked, err := os.ReadFile(filepath.Join(r.state, "transcript.md"))
	if err != nil || string(linked) != text {
		t.Errorf("transcript.md shows something else: %v", err)
	}
}

// TestTranscriptIsWrittenTwiceASecond guards the disk, and that the user who reads along sees the answer grow.
func TestTranscriptIsWrittenTwiceASecond(t *testing.T) {
	clock := newFakeClock(false)
	r := newRig(t, setup{clock: clock, script: `
expect@turn session/prompt
mark begun
wait one
say one
update tool_call {"toolCallId":"1","title":"mark one","status":"completed"}
wait two
say two
update tool_call {"toolCallId":"2","title":"mark two","status":"completed"}
wait end
reply@turn {"stopReason":"end_turn"}
`})
	a := r.prompt("go")
	path := filepath.Join(r.state, "transcripts", a.SessionID, "transcript.md")
	read := func() string { data, _ := os.ReadFile(path); return string(data) }
	if err := r.agent(0).Await(t.Context(), "begun"); err != nil {
		t.Fatal(err)
	}
	token := `"copilot-bridge/` + a.TurnID + `"`
	r.awaitReports(token, "begin")
	if got := read(); !strings.Contains(got, "go") {
		t.Errorf("the prompt is not there at once: %q", got)
	}
	r.agent(0).Set("one")
	r.awaitTimer(clock)
	if got := read(); strings.Contains(got, "one") {
		t.Errorf("written sooner than half a second after the prompt: %q", got)
	}
	clock.advance(500 * time.Millisecond)
	r.agent(0).Set("two")
	r.agent(0).Set("end")
	r.ends(a.TurnID)
	clock.advance(time.Minute)
	if got := read(); !strings.Contains(got, "one") || !strings.Contains(got, "two") {
		t.Errorf("the transcript is %q", got)
	}
}

// TestTranscriptForAPluginIsMadeWhenAsked guards the disk of those who need no file.
func TestTranscriptForAPluginIsMadeWhenAsked(t *testing.T) {
	r := newRig(t, setup{rich: []string{"updates", "permission"}, without: []string{"window.showDocument"}, script: `
expect@turn session/prompt
say hello
reply@turn {"stopReason":"end_turn"}
`})
	a := r.prompt("go")
	r.awaitSent("copilot-bridge/turn/ended", 1)
	if _, err := os.Stat(filepath.Join(r.state, "transcripts")); !os.IsNotExist(err) {
		t.Errorf("there is a transcript: %v", err)
	}
	r.command("showTranscript", obj{}, nil)
	path := filepath.Join(r.state, "transcripts", a.SessionID, "transcript.md")
	if data, err := os.ReadFile(path); err != nil || !strings.Contains(string(data), "hello") {
		t.Errorf("the transcript is %q %v", data, err)
	}
	if m := string(r.awaitSent("window/showMessage", 1)); !strings.Contains(m, path) {
		t.Errorf("the user is told %s", m)
	}
}

// TestVirtualDocuments guards the text before what is pending, and that no other file can be read this way.
func TestVirtualDocuments(t *testing.T) {
	r := newRig(t, setup{files: before, script: writes})
	r.put(t, "secret.txt", "secret\n")
	r.allowing("Allow once")
	u := r.open(r.dir + "/a.txt")
	a := r.turn("change it")
	r.awaitDiagnostics(u, "pending-edit", "pending-edit")
	get := func(uri string) string {
		var got struct{ Text string }
		r.call("workspace/textDocumentContent", obj{"uri": uri}, &got)
		return got.Text
	}
	if got := get("copilot-bridge:/base?" + r.dir + "/a.txt"); got != before["a.txt"] {
		t.Errorf("the base is %q", got)
	}
	if got := get("copilot-bridge:/transcript?" + a.SessionID); strings.Contains(got, "secret") {
		t.Errorf("the transcript is %q", got)
	}
	for _, uri := range []string{"copilot-bridge:/base?" + r.dir + "/secret.txt", "copilot-bridge:/other", "file:///etc/passwd", "copilot-bridge:/base?%zz"} {
		r.fails(-32602, "workspace/textDocumentContent", obj{"uri": uri})
	}
}
