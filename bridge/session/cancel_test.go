package session_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/copilot-bridge/copilot-bridge/acp"
	"github.com/copilot-bridge/copilot-bridge/bridge/tools"
	"github.com/copilot-bridge/copilot-bridge/internal/await"
)

// stops is how a scripted agent heeds a cancel: its prompt p ends as cancelled. A session that is closed says it too.
const stops = "\nexpect session/cancel\nreply@p {\"stopReason\":\"cancelled\"}"

const writesA = "\nrequest fs/write_text_file {\"sessionId\":\"$session\",\"path\":\"$cwd/a.txt\",\"content\":\"two\\n\"}"

// steps are the places of a turn at which it can be cancelled. Each runs the turn up to there; after is what is done
// once the cancel was given.
var steps = map[string]struct {
	script string
	buffer bool // a.txt is open, and the editor is slow
	to     func(r *rig, turn string, arrived <-chan struct{}) (after func())
	ended  bool // by itself, before the cancel
	asks   bool // a user who does not answer in time; else one who says yes
}{
	"queued": {script: "\nignore session/cancel\nexpect@first session/prompt {\"prompt\":[{\"text\":\"first\"}]}\nmark there\nwait go\nreply@first {\"stopReason\":\"end_turn\"}\nmark answered", to: func(r *rig, _ string, arrived <-chan struct{}) func() {
		r.await("there")
		return func() {
			r.set("go")
			r.await("answered") // the first prompt is not part of the end that is waited for
		}
	}},
	"streaming": {script: "\nexpect@p session/prompt\nsay half\nmark there" + stops, to: func(r *rig, _ string, arrived <-chan struct{}) func() {
		r.await("there")
		return nil
	}},
	"a question open": {asks: true, script: "\nexpect@p session/prompt" + writesA + "\nfind session/cancel\nrefused\nreply@p {\"stopReason\":\"cancelled\"}", to: func(r *rig, _ string, arrived <-chan struct{}) func() {
		await.Receive(r.t, "the question", arrived)
		return nil
	}},
	"a write under way": {script: "\nexpect@p session/prompt" + writesA + "\nmark there\nfind session/cancel\nreply@p {\"stopReason\":\"cancelled\"}", to: func(r *rig, _ string, arrived <-chan struct{}) func() {
		r.await("there") // asked; whether it is done by now is anybody's guess
		return nil
	}},
	"an edit with the editor": {buffer: true, script: "\nexpect@p session/prompt" + writesA + "\nfind session/cancel\nreply@p {\"stopReason\":\"cancelled\"}", to: func(r *rig, _ string, arrived <-chan struct{}) func() {
		await.Receive(r.t, "the edit", arrived)
		return func() {
			r.editor.Settle()
			go func() { // whatever it is asked for from now on is done
				for {
					select {
					case <-arrived:
						r.editor.Settle()
					case <-r.ctx.Done():
						return
					}
				}
			}()
		}
	}},
	"a command running": {script: "\nexpect@p session/prompt\nmark there" + stops, to: func(r *rig, _ string, arrived <-chan struct{}) func() {
		r.await("there")
		l, ran := r.link(), make(chan struct{})
		go func() {
			defer close(ran)
			l.Bash(r.ctx, caller(), tools.BashArgs{Command: "echo up; sleep 600", Mode: tools.BashSync, InitialWait: time.Minute}, nil)
		}()
		// Not r.until: what the command prints may be shown before it is in the list, and nothing is shown after that.
		await.Until(r.t, "the command", func() bool { return len(r.b.Terminals(r.session)) > 0 })
		return func() { <-ran }
	}},
	"between a result and the answer": {script: "\nexpect@p session/prompt" + writesA + "\nanswer\nmark there" + stops, to: func(r *rig, _ string, arrived <-chan struct{}) func() {
		r.await("there")
		return nil
	}},
	"after the end": {ended: true, script: "\nexpect@p session/prompt\nreply@p {\"stopReason\":\"end_turn\"}", to: func(r *rig, turn string, _ <-chan struct{}) func() {
		r.ended(turn)
		return nil
	}},
}

// a turn can be cancelled at each of its steps, by its name, with all others, or with its session: it has exactly
// one end, no question and no command outlives it, and a file is as it was or as it was to be. (That a cancel comes before
// the prompt was sent is TestACancelWhileTheAgentStarts.)
func TestACancelAtEachStep(t *testing.T) {
	t.Parallel()
	for name, step := range steps {
		for how, cancel := range map[string]func(r *rig, turn string) error{
			"the turn":    func(r *rig, turn string) error { return r.b.Cancel(r.session, Cancellation{Turn: turn}) },
			"all":         func(r *rig, _ string) error { return r.b.Cancel(r.session, Cancellation{}) },
			"the session": func(r *rig, _ string) error { return r.b.CloseSession(r.ctx, r.session) },
		} {
			t.Run(name+", "+how, func(t *testing.T) {
				script := step.script
				if how == "the session" { // which is all that the agent hears of it
					for _, verb := range []string{"\nexpect session/cancel", "\nfind session/cancel"} {
						script, _, _ = strings.Cut(script, verb)
					}
					script += "\nignore session/cancel"
				}
				r := newRig(t, map[string]string{"a.txt": "one\n"}, "handshake\nstub session/close\nignore $/cancel_request\nsession s1"+script)
				r.scripts[0] = strings.ReplaceAll(r.scripts[0], "$cwd", r.dir)
				r.open()
				if step.buffer {
					r.buffer("a.txt")
					r.editor.Auto = false
				}
				arrived := r.editor.Arrivals()
				if step.asks {
					asking := make(chan struct{}, 9)
					arrived = asking
					r.screen.ask = func(ctx context.Context, _ *Question) (Answer, error) {
						asking <- struct{}{}
						<-ctx.Done()
						return Answer{OptionID: optOnce}, nil // too late
					}
				}
				if name == "queued" {
					r.prompt("first")
				}
				turn := r.prompt("go")
				after := step.to(r, turn, arrived)
				cancelled := make(chan error, 1)
				go func() { cancelled <- cancel(r, turn) }()
				if !step.buffer {
					if err := <-cancelled; err != nil {
						t.Fatal(err)
					}
					cancelled <- nil
					if how != "the session" {
						r.theSession().Settled()
					}
				}
				if after != nil {
					after() // an editor that has an edit answers in the end
				}
				if err := <-cancelled; err != nil {
					t.Fatal(err)
				}
				if end := r.ended(turn); step.ended != (end.StopReason == acp.StopReasonEndTurn) {
					t.Errorf("ended with %s, %v", end.StopReason, end.Err)
				}
				n := 0
				for _, e := range ends(r.events()) {
					if e.Turn == turn {
						n++
					}
				}
				if n != 1 {
					t.Errorf("%d ends", n)
				}
				r.until("the end of the commands", func([]Event) bool {
					for _, i := range r.b.Terminals("") {
						if i.Exit == nil {
							return false
						}
					}
					return true
				})
				r.eventually("a.txt as it was or as it was to be", func() bool { // the editor may be in the midst of saving it
					text := r.disk("a.txt")
					return text == "one\n" || text == "two\n"
				})
			})
		}
	}
}

// a cancel of what is not there or over, and a second one, have no effect on what comes next. (One while the agent
// is started anew is TestACancelWhileTheSessionIsLoadedLosesNothing.)
func TestCancelsWithoutAnEffect(t *testing.T) {
	t.Parallel()
	r := newRig(t, nil, hello+"expect@p session/prompt\nmark there"+stops+"\nexpect session/prompt {\"prompt\":[{\"text\":\"last\"}]}\nreply {\"stopReason\":\"end_turn\"}").open()
	if err := r.b.Cancel("s-unknown", Cancellation{}); asError(err).Code != CodeSessionNotFound {
		t.Errorf("a session that is not there: %v", err)
	}
	for _, turn := range []string{"", "t-unknown"} {
		if err := r.b.Cancel(r.session, Cancellation{Turn: turn}); err != nil {
			t.Errorf("%q: %v", turn, err)
		}
	}
	turn := r.prompt("one")
	r.await("there")
	for range 2 { // of another turn, which is no second cancel of this one
		if err := r.b.Cancel(r.session, Cancellation{Turn: "t-unknown"}); err != nil {
			t.Error(err)
		}
	}
	if err := r.b.Cancel(r.session, Cancellation{Turn: turn}); err != nil {
		t.Error(err)
	}
	r.ended(turn)
	if err := r.b.Cancel(r.session, Cancellation{Turn: turn}); err != nil {
		t.Error(err)
	}
	r.run("last")
}

// an agent that gives two sessions the same id is refused the second one; the first goes on.
func TestTwoSessionsWithOneID(t *testing.T) {
	t.Parallel()
	r := newRig(t, nil, hello+"session s1\nexpect session/prompt {\"sessionId\":\"s1\",\"prompt\":[{\"text\":\"go on\"}]}\nsay mine\nreply {\"stopReason\":\"end_turn\"}").open()
	if _, err := r.b.NewSession(r.ctx, NewSessionRequest{Cwd: r.dir}); err == nil || !strings.Contains(err.Error(), "same id") {
		t.Fatalf("the second session: %v", err)
	}
	r.run("go on")
	if text := said(r.events()); !strings.Contains(text, "mine") {
		t.Errorf("said %q", text)
	}
}
