package transcript

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/copilot-bridge/copilot-bridge/bridge/transcript/program"

	"github.com/copilot-bridge/copilot-bridge/acp"
	"github.com/copilot-bridge/copilot-bridge/acp/agent"
	"github.com/copilot-bridge/copilot-bridge/internal/await"
)

func TestWithoutSessionsWhatWasSaidGoesBeforeTheMessage(t *testing.T) {
	r := newRig(t, old, nil, `bytes "\x1b[32manswer\x1b[0m one\n\n"`, `bytes "an\x1b[1mswer two\n"`)
	if c := r.ok("first"); c.Prompt != "first" || !slices.Equal(c.Args, []string{"-s", "--stream", "on", "-p", "first"}) || c.Dir != r.ws {
		t.Errorf("the first call: %+v", c)
	}
	if got := r.said(); got != "answer one" {
		t.Errorf("said %q", got)
	}
	r.ok("second")
	if got, want := r.ok("third").Prompt, "Previous conversation:\nUser: first\nAssistant: answer one\nUser: second\nAssistant: answer two\n\nUser: third"; got != want {
		t.Errorf("got  %q\nwant %q", got, want)
	}
}

func TestOnlyTheNewestTurnsGoAlong(t *testing.T) {
	r := newRig(t, old, func(c *Config) { c.MaxTurns = 2 })
	for _, text := range []string{"one.", "two.", "three.", "four."} {
		r.ok(text)
	}
	p := r.last().Prompt
	if strings.Contains(p, "one.") || !strings.Contains(p, "two.") || !strings.Contains(p, "three.") {
		t.Error(p)
	}
}

func TestLongMessagesAndDashesGoByStandardInput(t *testing.T) {
	t.Parallel()
	r := newRig(t, old, nil)
	if c := r.ok("--version, what does it do?"); c.Args[len(c.Args)-1] != "" || c.Prompt != "--version, what does it do?" {
		t.Errorf("%+v", c.Args)
	}
	long := strings.Repeat("x", 1<<20) + " the end"
	r = newRig(t, old, nil)
	if c := r.ok(long); c.Args[len(c.Args)-1] != "" || c.Prompt != long {
		t.Errorf("%d bytes arrived", len(c.Prompt))
	}
}

func TestAProgramWithSessionsResumesThem(t *testing.T) {
	r := newRig(t, modern, nil, `say {"type":"user.message","data":{}}
say {"type":"assistant.message_delta","data":{"messageId":"m","deltaContent":"hello "}}
say {"type":"assistant.message_delta","data":{"messageId":"m","deltaContent":"there"}}
say {"type":"assistant.message","data":{"messageId":"m","content":"hello there"}}
say {"type":"result","sessionId":"`+"x"+`","exitCode":0,"usage":{"premiumRequests":1}}`)
	r.put("1", strings.ReplaceAll(readScript(r, "1"), `"x"`, `"`+string(r.id)+`"`))
	r.put("always", `say {"type":"assistant.message","data":{"messageId":"n","content":"again"}}`)
	first := r.ok("one")
	if !slices.Contains(first.Args, "--session-id="+string(r.id)) || !slices.Contains(first.Args, "json") || first.Prompt != "one" {
		t.Errorf("%q", first.Args)
	}
	if r.said() != "hello there" {
		t.Errorf("said %q", r.said())
	}
	second := r.ok("two")
	if i := slices.Index(second.Args, "--resume"); i < 0 || second.Args[i+1] != string(r.id) || second.Prompt != "two" {
		t.Errorf("%q", second.Args)
	}
	r.again(nil)
	if third := r.ok("three"); !slices.Contains(third.Args, "--resume") || third.Prompt != "three" {
		t.Errorf("after a restart: %q", third)
	}
}

func readScript(r *rig, name string) string {
	return strings.Join(strings.Split(string(mustRead(r.t, r.dir+"/"+name)), "\n"), "\n")
}

func TestALostSessionGoesOnInANewOneAndTheUserIsTold(t *testing.T) {
	r := newRig(t, modern, nil, `say {"type":"assistant.message","data":{"messageId":"n","content":"answer one"}}`,
		"err Error: No session, task, or name matched 'x'.\nexit 1", `say {"type":"assistant.message","data":{"messageId":"n","content":"answer two"}}`)
	r.put("always", `say {"type":"assistant.message","data":{"messageId":"n","content":"answer"}}`)
	r.ok("one")
	last := r.ok("two")
	calls := r.calls()
	if len(calls) != 3 || !slices.Contains(calls[1].Args, "--resume") || slices.Contains(last.Args, "--resume") {
		t.Fatalf("%+v", calls)
	}
	if want := "Previous conversation:\nUser: one\nAssistant: answer one\n\nUser: two"; last.Prompt != want {
		t.Errorf("got %q", last.Prompt)
	}
	if len(r.told("history_lost")) != 1 {
		t.Error("nobody was told")
	}
	if slices.Contains(last.Args, "--session-id="+string(r.id)) || len(r.also) == 0 {
		t.Errorf("the new session has the old name: %q, %q", last.Args, r.also)
	}
	if c := r.ok("three"); c.Prompt != "three" || !slices.Contains(c.Args, string(r.also[len(r.also)-1])) {
		t.Errorf("the new session is not resumed: %+v", c)
	}
}

func TestAnotherFolderIsANewSession(t *testing.T) {
	say := `say {"type":"assistant.message","data":{"messageId":"n","content":"answer"}}`
	r := newRig(t, modern, nil, say, say, say)
	r.ok("one")
	r.ws = t.TempDir()
	r.again(nil)
	c := r.ok("two")
	if slices.Contains(c.Args, "--resume") || slices.Contains(c.Args, "--session-id="+string(r.id)) || c.Dir != r.ws || !strings.Contains(c.Prompt, "User: one\nAssistant: answer") {
		t.Errorf("%+v", c)
	}
}

func TestAnOlderProgramsSessionIsFoundByItsFolder(t *testing.T) {
	const id = "11111111-2222-3333-4444-555555555555"
	r := newRig(t, resuming, nil)
	r.put("1", "session "+id+" "+time.Now().UTC().Format(time.RFC3339Nano)+"\necho")
	if c := r.ok("one"); slices.Contains(c.Args, "--resume") || slices.Contains(c.Args, "--continue") {
		t.Errorf("%q", c.Args)
	}
	if c := r.ok("two"); !slices.Contains(c.Args, id) || !slices.Contains(c.Args, "--resume") || c.Prompt != "two" {
		t.Errorf("%+v", c)
	}
	r.again(nil)
	if c := r.ok("three"); !slices.Contains(c.Args, id) || slices.Contains(c.Args, "--continue") {
		t.Errorf("after a restart: %+v", c)
	}
}

func TestASessionWithoutANameIsContinuedOnlyWhileItIsCertainlyTheNewest(t *testing.T) {
	r := newRig(t, resuming, nil)
	r.ok("one")
	if c := r.ok("two"); !slices.Contains(c.Args, "--continue") || c.Prompt != "two" {
		t.Errorf("%+v", c)
	}
	mine, conv := r.id, r.conv.Load()
	resp, err := acp.Call[acp.NewSessionResponse](t.Context(), r.a, acp.MethodSessionNew, &acp.NewSessionRequest{Cwd: r.ws})
	if err != nil {
		t.Fatal(err)
	}
	r.opened(resp.SessionID)
	r.ok("elsewhere")
	r.id = mine
	r.conv.Store(conv)
	if c := r.ok("three"); slices.Contains(c.Args, "--continue") || !strings.Contains(c.Prompt, "User: one") || strings.Contains(c.Prompt, "elsewhere") {
		t.Errorf("with another session between: %+v", c)
	}
	r.again(nil)
	if c := r.ok("four"); slices.Contains(c.Args, "--continue") || !strings.Contains(c.Prompt, "User: one") {
		t.Errorf("after a restart: %+v", c)
	}
}

func TestTwoSessionsAtOnceAreNotMistaken(t *testing.T) {
	now := time.Now().UTC().Format(time.RFC3339Nano)
	r := newRig(t, resuming, nil)
	r.put("1", "session 11111111-2222-3333-4444-555555555555 "+now+"\nsession 99999999-2222-3333-4444-555555555555 "+now+"\necho")
	r.ok("one")
	if c := r.ok("two"); slices.Contains(c.Args, "--resume") || slices.Contains(c.Args, "--continue") || !strings.Contains(c.Prompt, "User: one") {
		t.Errorf("%+v", c)
	}
}

func TestFailuresSayWhatToDoAndKeepTheMessage(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		script string
		reason program.Reason
		says   string
	}{
		"signed out":        {"err Error: No authentication information found.\nexit 1", program.SignedOut, "not signed in"},
		"an error":          {"err boom\nerr \nerr more\nexit 3", program.Failed, "boom"},
		"nothing":           {"exit 0", program.NoAnswer, "without an answer"},
		"blanks":            {`bytes "  \n\x1b[0m\n"`, program.NoAnswer, "without an answer"},
		"nothing and bad":   {"exit 7", program.Failed, "exit status 7"},
		"killed":            {"die", program.Killed, "SIGKILL"},
		"error, good exit":  {"say Error: the model is away", program.Failed, "the model is away"},
		"key of a provider": {"err Authentication failed with provider at http://x (HTTP 401).\nexit 1", program.Failed, "provider"},
		"too long, twice":   {"err Error: prompt is too long (413)\nexit 1", program.TooLong, "does not fit"},
	} {
		r := newRig(t, old, nil)
		r.put("1", c.script)
		r.put("2", c.script)
		f := r.fails("remember Ada", c.reason)
		if !strings.Contains(f.Error(), c.says) || strings.Contains(f.Error(), "\n") {
			t.Errorf("%s: %s", name, f)
		}
		if c.reason == program.SignedOut && !errors.Is(f, agent.ErrSignedOut) {
			t.Errorf("%s is not agent.ErrSignedOut", name)
		}
		r.put("2", "echo")
		r.put("3", "echo")
		if p := r.ok("and now").Prompt; p != "Previous conversation:\nUser: remember Ada\n\nUser: and now" {
			t.Errorf("%s: the next call is %q", name, p)
		}
	}
}

func TestJSONFailuresAreToldWell(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		script string
		reason program.Reason
		says   string
	}{
		"as an event":   {`say {"type":"session.error","data":{"errorType":"query","message":"Failed to get response","statusCode":500}}` + "\nexit 1", program.Failed, "Failed to get response"},
		"signed out":    {`say {"type":"session.error","data":{"errorType":"authentication","message":"Sign in again","statusCode":401}}` + "\nexit 1", program.SignedOut, "Sign in again"},
		"half a line":   {`bytes "{\"type\":\"assistant.message\",\"data\":{\"cont"` + "\nexit 1", program.Failed, "exit status 1"},
		"plain text":    {"say Segmentation fault", program.Failed, "Segmentation fault"},
		"only its turn": {`say {"type":"assistant.turn_start","data":{}}`, program.NoAnswer, "without an answer"},
	} {
		r := newRig(t, modern, nil)
		r.put("1", c.script)
		if f := r.fails("x", c.reason); !strings.Contains(f.Error(), c.says) {
			t.Errorf("%s: %s", name, f)
		}
	}
}

func TestToolCallsAreShownAsWithACP(t *testing.T) {
	r := newRig(t, modern, nil, `say {"type":"assistant.message_delta","data":{"messageId":"m","deltaContent":"let me see"}}
say {"type":"tool.execution_start","data":{"toolCallId":"c1","toolName":"editor-view","arguments":{"path":"/w/a.txt"}}}
say {"type":"tool.execution_complete","data":{"toolCallId":"c1","success":true,"result":{"content":"the text"},"toolTelemetry":{"metrics":{"context_token_limit":64000,"context_current_tokens":7259}}}}
say {"type":"tool.execution_start","data":{"toolCallId":"c2","toolName":"bash","arguments":{"command":"ls"}}}
say {"type":"tool.execution_complete","data":{"toolCallId":"c2","success":false,"error":{"message":"Permission denied","code":"denied"}}}
say {"type":"tool.execution_start","data":{"toolCallId":"c3","toolName":"bash","arguments":{"command":"rm"}}}
say {"type":"assistant.message_delta","data":{"messageId":"n","deltaContent":"fin","parentToolCallId":"c3"}}
say {"type":"assistant.message","data":{"messageId":"o","content":"done"}}`)
	r.ok("go")
	var calls, ends []string
	var used *acp.UsageUpdate
	for _, u := range r.heard {
		switch u := u.(type) {
		case *acp.ToolCall:
			calls = append(calls, u.Title+" "+string(*u.Kind))
		case *acp.ToolCallUpdate:
			ends = append(ends, string(u.ToolCallID)+" "+string(*u.Status))
		case *acp.UsageUpdate:
			used = u
		}
	}
	if !slices.Equal(calls, []string{"editor-view read", "bash execute", "bash execute"}) || !slices.Equal(ends, []string{"c1 completed", "c2 failed", "c3 failed"}) {
		t.Errorf("%q %q", calls, ends)
	}
	if r.said() != "let me seedone" {
		t.Errorf("said %q", r.said())
	}
	if used == nil || used.Used != 7259 || used.Size != 64000 {
		t.Errorf("usage: %+v", used)
	}
}

func TestACancelLeavesNothing(t *testing.T) {
	t.Parallel()
	for name, script := range map[string]string{"heeds it": "say never\nhang", "does not": "stubborn", "has a child": "child\nsay never\nstubborn"} {
		r := newRig(t, old, nil, script)
		done := make(chan acp.StopReason, 1)
		go func() {
			stop, err := r.prompt("remember Ada")
			if err != nil {
				t.Error(err)
			}
			done <- stop
		}()
		r.await(name, func() bool { return strings.Contains(r.said(), "never") })
		began := time.Now()
		if err := r.cancel(); err != nil {
			t.Fatal(err)
		}
		if stop := <-done; stop != acp.StopReasonCancelled {
			t.Errorf("%s: %s", name, stop)
		}
		if took := time.Since(began); took > await.Promptly {
			t.Errorf("%s: it took %s", name, took)
		}
		if p := r.ok("go on").Prompt; !strings.Contains(p, "User: remember Ada\nAssistant: never") {
			t.Errorf("%s: %q", name, p)
		}
	}
}

func TestAProgramThatRunsWildIsEnded(t *testing.T) {
	t.Parallel()
	for _, help := range []string{old, modern} {
		r := newRig(t, help, nil, "flood", `say {"type":"assistant.message","data":{"messageId":"o","content":"done"}}`)
		r.fails("x", program.RanWild)
		r.ok("again")
	}
}

func TestAGrandchildDoesNotHoldTheTurn(t *testing.T) {
	t.Parallel()
	r := newRig(t, old, nil, "child\nsay done")
	if r.ok("x"); r.said() != "done" {
		t.Errorf("said %q", r.said())
	}
}

func TestCharactersTornBetweenWritesAreWhole(t *testing.T) {
	r := newRig(t, old, nil, `bytes "gr\xc3"`+"\n"+`bytes "\xbc\xc3\x9fe \x1b"`+"\n"+`bytes "[3"`+"\n"+`bytes "1mrot\x1b[0"`+"\n"+`bytes "m \xf0\x9f"`+"\n"+`bytes "\x99\x82 \xff."`)
	r.ok("x")
	if got := r.said(); got != "grüße rot 🙂 \uFFFD." {
		t.Errorf("%q", got)
	}
}

func TestAnotherVersionBetweenTurnsGetsWhatItDoesNotKnow(t *testing.T) {
	say := func(text string) string {
		return `say {"type":"assistant.message","data":{"messageId":"n","content":"` + text + `"}}`
	}
	r := newRig(t, modern, nil, say("one"), "say two", say("three"))
	r.ok("first")
	r.put("help", old)
	r.a.detector = freshDetector()
	if c := r.ok("second"); slices.Contains(c.Args, "--resume") || c.Prompt != "Previous conversation:\nUser: first\nAssistant: one\n\nUser: second" {
		t.Errorf("%+v", c)
	}
	r.put("help", modern)
	r.a.detector = freshDetector()
	if c := r.ok("third"); !slices.Contains(c.Args, "--resume") || c.Prompt != "Previous conversation:\nUser: second\nAssistant: two\n\nUser: third" {
		t.Errorf("%+v", c)
	}
}

func TestOneTurnAtATime(t *testing.T) {
	r := newRig(t, old, nil, "say never\nhang")
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan struct{})
	go func() {
		defer close(done)
		_, _ = r.promptIn(ctx, "one")
	}()
	r.await("it runs", func() bool { return r.said() != "" })
	if _, err := r.prompt("two"); err == nil {
		t.Error("a second one was taken")
	}
	cancel()
	<-done
}

func TestNoPermissionIsGivenThatThePersonDidNotGive(t *testing.T) {
	t.Parallel()
	for _, help := range []string{old, resuming, modern} {
		r := newRig(t, help, func(c *Config) { c.Launch.Command = append(c.Launch.Command, "--model", "x") })
		r.put("always", "echo\n"+`say {"type":"assistant.message","data":{"messageId":"n","content":"x"}}`)
		r.ok("one")
		r.ok("two")
		for _, c := range r.calls() {
			for _, a := range c.Args {
				if strings.HasPrefix(a, "--allow") || a == "--yolo" || strings.HasPrefix(a, "--autopilot") {
					t.Errorf("%q", c.Args)
				}
			}
			if !slices.Contains(c.Args, "--model") {
				t.Errorf("the user's own options are gone: %q", c.Args)
			}
		}
	}
}
