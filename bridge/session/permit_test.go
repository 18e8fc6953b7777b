package session_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/copilot-bridge/copilot-bridge/acp"
	"github.com/copilot-bridge/copilot-bridge/bridge/review"
)

const options4 = `"options":[{"optionId":"aa","name":"Always","kind":"allow_always"},{"optionId":"y","name":"Yes","kind":"allow_once"},{"optionId":"n","name":"No","kind":"reject_once"},{"optionId":"nn","name":"Never","kind":"reject_always"}]`

func TestAYesThatComesAfterTheCancelIsNoYes(t *testing.T) {
	t.Parallel()
	r := newRig(t, map[string]string{"a.txt": "one\n"}, hello+`
expect@p session/prompt
request fs/write_text_file {"sessionId":"s1","path":"$cwd/a.txt","content":"two"}
expect session/cancel
refused
reply@p {"stopReason":"cancelled"}`).open()
	asking := make(chan struct{})
	r.screen.ask = func(ctx context.Context, _ *Question) (Answer, error) {
		close(asking)
		<-ctx.Done() // the front withdraws the question, and the user's yes crosses it
		return Answer{OptionID: optOnce}, nil
	}
	turn := r.prompt("go")
	<-asking
	r.b.Cancel(r.session, Cancellation{Turn: turn})
	if end := r.ended(turn); end.StopReason != acp.StopReasonCancelled {
		t.Errorf("ended with %s", end.StopReason)
	}
	if got := r.disk("a.txt"); got != "one\n" {
		t.Errorf("the file is %q", got)
	}
	if files := r.b.Review(r.ctx, review.Filter{}); len(files) > 0 {
		t.Errorf("there is something to review: %v", files)
	}
}

func TestAPermissionOpenAtACancelIsAnsweredCancelled(t *testing.T) {
	t.Parallel()
	r := newRig(t, map[string]string{"a.txt": "one\n"}, hello+`
expect@p session/prompt
request session/request_permission {"sessionId":"s1","toolCall":{"toolCallId":"c","kind":"edit","locations":[{"path":"$cwd/a.txt"}]},`+options4+`}
expect session/cancel
answer {"outcome":{"outcome":"cancelled"}}
reply@p {"stopReason":"cancelled"}`).open()
	asking := make(chan struct{})
	r.screen.ask = func(ctx context.Context, _ *Question) (Answer, error) {
		close(asking)
		<-ctx.Done()
		return Answer{OptionID: optOnce}, nil
	}
	turn := r.prompt("go")
	<-asking
	r.b.Cancel(r.session, Cancellation{Turn: turn})
	r.ended(turn)
	events := r.events()
	if last, ok := events[len(events)-1].(*StatusChanged); !ok || last.Kind != StatusOK {
		t.Errorf("the last event is %s: a question that ended late speaks of work", printed(events[len(events)-1]))
	}
}

// TestAnAgentIsNeverToldAlways holds for every answer of the user: an allow_always opens all later writes of a
// Copilot session.
func TestAnAgentIsNeverToldAlways(t *testing.T) {
	t.Parallel()
	cases := map[string]struct {
		ask     func(context.Context, *Question) (Answer, error)
		offered string
		want    string
	}{
		"once":                     {yes, options4, `"selected","optionId":"y"`},
		"always":                   {func(context.Context, *Question) (Answer, error) { return Answer{OptionID: optAlways}, nil }, options4, `"selected","optionId":"y"`},
		"no":                       {no, options4, `"selected","optionId":"n"`},
		"closed":                   {func(context.Context, *Question) (Answer, error) { return Answer{}, nil }, options4, `"selected","optionId":"n"`},
		"an option nobody offered": {func(context.Context, *Question) (Answer, error) { return Answer{OptionID: "aa"}, nil }, options4, `"selected","optionId":"n"`},
		"an error":                 {func(context.Context, *Question) (Answer, error) { return Answer{OptionID: optOnce}, errors.New("gone") }, options4, `"selected","optionId":"n"`},
		"yes, but only always is on offer": {
			yes, `"options":[{"optionId":"aa","name":"Always","kind":"allow_always"}]`, `"cancelled"`,
		},
		"no, and there is no word for it": {no, `"options":[{"optionId":"y","name":"Yes","kind":"allow_once"}]`, `"cancelled"`},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			r := newRig(t, map[string]string{"a.txt": "one\n"}, hello+`
expect session/prompt
request session/request_permission {"sessionId":"s1","toolCall":{"toolCallId":"c","kind":"edit","locations":[{"path":"$cwd/a.txt"}]},`+c.offered+`}
answer {"outcome":{"outcome":`+c.want+`}}
reply {"stopReason":"end_turn"}`).open()
			r.screen.ask = c.ask
			r.run("go")
		})
	}
}

func TestAYesIsGoodForOneWrite(t *testing.T) {
	t.Parallel()
	ask := func(kind string) string {
		shown := map[string]string{"edit": `"content":[{"type":"diff","path":"$cwd/a.txt","oldText":"one\n","newText":"two"}],`}[kind]
		return `request session/request_permission {"sessionId":"s1","toolCall":{"toolCallId":"c",` + shown + `"kind":"` + kind + `","locations":[{"path":"$cwd/a.txt"}]},` + options4 + "}\nanswer {\"outcome\":{\"outcome\":\"selected\"}}\n"
	}
	write := func(text string) string {
		return `request fs/write_text_file {"sessionId":"s1","path":"$cwd/a.txt","content":"` + text + "\"}\n"
	}
	cases := map[string]struct {
		script string
		asked  int
		want   string
	}{
		"the write that was asked about":   {ask("edit") + write("two") + "answer\n", 1, "two"},
		"the second one asks again":        {ask("edit") + write("two") + "answer\n" + write("three") + "refused\n", 2, "two"},
		"a yes to reading is none":         {ask("read") + write("two") + "refused\n", 1, "one\n"},
		"nor is one from the turn before":  {ask("edit") + "reply@p {\"stopReason\":\"end_turn\"}\nexpect@p session/prompt\n" + write("two") + "refused\n", 2, "one\n"},
		"a write that nobody asked about":  {write("two") + "refused\n", 1, "one\n"},
		"another file than was asked for":  {ask("edit") + strings.ReplaceAll(write("two"), "a.txt", "b.txt") + "refused\n", 2, "one\n"},
		"a path that is spelled otherwise": {ask("edit") + strings.ReplaceAll(write("two"), "a.txt", "./sub/../a.txt") + "answer\n", 1, "two"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			r := newRig(t, map[string]string{"a.txt": "one\n", "b.txt": "b\n", "sub/x": ""}, hello+"expect@p session/prompt\n"+c.script+"reply@p {\"stopReason\":\"end_turn\"}").open()
			first := true
			r.screen.ask = func(ctx context.Context, q *Question) (Answer, error) {
				if first && q.ToolCall.ToolCallID == "c" {
					first = false
					return yes(ctx, q)
				}
				return no(ctx, q)
			}
			r.run("go")
			if strings.Contains(c.script, "expect@p") {
				r.run("again")
			}
			if got := r.disk("a.txt"); got != c.want {
				t.Errorf("the file is %q, want %q", got, c.want)
			}
			if got := len(r.screen.questions()); got != c.asked {
				t.Errorf("asked %d times, want %d", got, c.asked)
			}
		})
	}
}

func TestALinkThatIsTurnedAfterTheYesHasNone(t *testing.T) {
	t.Parallel()
	r := newRig(t, map[string]string{"real.txt": "one\n", ".env": "SECRET=1\n"}, hello+`
expect session/prompt
request session/request_permission {"sessionId":"s1","toolCall":{"toolCallId":"c","kind":"edit","content":[{"type":"diff","path":"$cwd/link.txt","oldText":"one\n","newText":"two"}]},`+options4+`}
answer {"outcome":{"outcome":"selected","optionId":"y"}}
mark granted
wait turned
request fs/write_text_file {"sessionId":"s1","path":"$cwd/link.txt","content":"two"}
refused
reply {"stopReason":"end_turn"}`)
	symlink(t, "real.txt", r.path("link.txt"))
	r.open()
	turn := r.prompt("go")
	r.await("granted")
	r.screen.ask = no
	symlink(t, ".env", r.path("link.txt"))
	r.set("turned")
	r.ended(turn)
	if got := r.disk(".env"); got != "SECRET=1\n" {
		t.Errorf("the secret file is %q", got)
	}
}

func TestTheAgentsOwnWordsDoNotDecideWhatIsAsked(t *testing.T) {
	t.Parallel()
	// Copilot calls a create outside of its folders a read; a command hides behind any kind.
	cases := map[string]struct{ call, title, reason string }{
		"a command":        {`"kind":"read","title":"List","rawInput":{"command":"rm -rf /"}`, "Run rm -rf /", ""},
		"a diff":           {`"kind":"read","title":"Look","content":[{"type":"diff","path":"$cwd/a.txt","oldText":"one\n","newText":"two\n"}]`, "Edit a.txt", ""},
		"a control file":   {`"kind":"edit","title":"Edit","locations":[{"path":"$cwd/.git/hooks/pre-commit"}]`, "Edit .git/hooks/pre-commit", "decides what runs"},
		"a file in a list": {`"kind":"edit","title":"Edit","locations":[{"path":"$cwd/a.txt"}],"rawInput":{"edits":[{"file_path":"$cwd/.git/config","new_string":"x"}]}`, "Edit a.txt, .git/config", "not wholly understood"},
		"a path outside":   {`"kind":"read","title":"Access","rawInput":{"path":"/etc/hosts"}`, "Read /etc/hosts", "outside the session's folders"},
		"nothing known":    {`"title":"Something"`, "Something", ""},
		"a hidden newline": {`"title":"Read\na.txt","rawInput":{"x":1}`, "Read⏎a.txt", ""},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			r := newRig(t, map[string]string{"a.txt": "one\n"}, hello+`
expect session/prompt
request session/request_permission {"sessionId":"s1","toolCall":{"toolCallId":"c",`+c.call+`},`+options4+`}
answer {"outcome":{"outcome":"selected","optionId":"n"}}
reply {"stopReason":"end_turn"}`).open()
			r.screen.ask = no
			r.run("go")
			q := r.screen.questions()
			if len(q) != 1 {
				t.Fatalf("asked %d times", len(q))
			}
			if q[0].Title != c.title || (q[0].Reason == "") != (c.reason == "") || !strings.Contains(q[0].Reason, c.reason) || q[0].Options[0].Kind != acp.PermissionOptionKindRejectOnce {
				t.Errorf("the question is %+v", q[0])
			}
			if strings.Contains(c.call, "command") && (len(q[0].Argv) != 3 || q[0].Argv[2] != "rm -rf /") {
				t.Errorf("the command is not shown: %q", q[0].Argv)
			}
		})
	}
}

func TestAReadInsideAsksNobody(t *testing.T) {
	t.Parallel()
	r := newRig(t, map[string]string{"a.txt": "one\ntwo\nthree"}, hello+`
expect session/prompt
request session/request_permission {"sessionId":"s1","toolCall":{"toolCallId":"c","kind":"read","locations":[{"path":"$cwd/a.txt"}]},`+options4+`}
answer {"outcome":{"outcome":"selected","optionId":"y"}}
request fs/read_text_file {"sessionId":"s1","path":"$cwd/a.txt","line":2,"limit":1}
answer {"content":"two\n"}
request fs/read_text_file {"sessionId":"s1","path":"$cwd/new.txt"}
refused -32002
reply {"stopReason":"end_turn"}`).open()
	r.run("go")
	if q := r.screen.questions(); len(q) > 0 {
		t.Errorf("asked %q", q[0].Title)
	}
}

func TestNothingIsChangedInPlanMode(t *testing.T) {
	t.Parallel()
	r := newRig(t, map[string]string{"a.txt": "one\n"}, `handshake
session s1 {"modes":{"currentModeId":"x#plan","availableModes":[{"id":"x#plan","name":"Plan"}]}}
stub session/close
expect session/prompt
request fs/write_text_file {"sessionId":"s1","path":"$cwd/a.txt","content":"two"}
refused
request terminal/create {"sessionId":"s1","command":"touch","args":["$cwd/b.txt"]}
refused
request session/request_permission {"sessionId":"s1","toolCall":{"toolCallId":"c","kind":"edit","locations":[{"path":"$cwd/a.txt"}]},`+options4+`}
answer {"outcome":{"outcome":"selected","optionId":"n"}}
reply {"stopReason":"end_turn"}`).open()
	r.run("go")
	if q := r.screen.questions(); len(q) > 0 || r.disk("a.txt") != "one\n" {
		t.Errorf("asked %d times, the file is %q", len(q), r.disk("a.txt"))
	}
}
