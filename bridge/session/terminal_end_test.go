package session_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/copilot-bridge/copilot-bridge/acp"
	"github.com/copilot-bridge/copilot-bridge/bridge/tools"
	"github.com/copilot-bridge/copilot-bridge/internal/await"
	"github.com/copilot-bridge/copilot-bridge/internal/guard"
	"github.com/copilot-bridge/copilot-bridge/terminalproxy"
)

// cancelLimit is how soon after a cancel nothing of a command is left: the two seconds that it has to clean up, and what
// a busy machine adds.
const cancelLimit = guard.KillGrace + await.Promptly

func quoted(s string) string { return strings.ReplaceAll(strings.ReplaceAll(s, `"`, `\"`), "$", "$$") }

func TestACancelEndsACommandOfTheBashTool(t *testing.T) {
	r, turn := atWork(t, nil, plain)
	type answer struct {
		text string
		err  error
	}
	answered := make(chan answer, 1)
	go func() {
		text, err := r.link().Bash(r.ctx, caller(), tools.BashArgs{Command: stubborn, Mode: tools.BashSync, InitialWait: time.Minute}, nil)
		answered <- answer{text, err}
	}()
	pids := r.pids("pids", 2)
	began := time.Now()
	r.b.Cancel(r.session, Cancellation{Turn: turn})
	a := <-answered
	took := time.Since(began)
	if a.err == nil || took > cancelLimit {
		t.Errorf("%q, %v after %v", a.text, a.err, took)
	}
	if living(pids) {
		t.Error("the answer was there before the end of the command")
	}
	r.finish(turn)
	t.Logf("gone after %v", took.Round(time.Millisecond))
}

func TestACancelEndsTheTerminalsOfItsTurn(t *testing.T) {
	r := newRig(t, nil, hello+`
expect@p session/prompt
request@c terminal/create {"sessionId":"s1","command":"`+quoted(stubborn)+`"}
answer@c
request@w terminal/wait_for_exit {"sessionId":"s1","terminalId":"$terminal"}
mark runs
expect session/cancel
answer@w {"signal":"SIGKILL"}
request@o terminal/output {"sessionId":"s1","terminalId":"$terminal"}
answer@o {"exitStatus":{"signal":"SIGKILL"}}
request@r terminal/release {"sessionId":"s1","terminalId":"$terminal"}
answer@r
reply@p {"stopReason":"cancelled"}`).open()
	turn := r.prompt("go")
	r.await("runs")
	pids := r.pids("pids", 2)
	began := time.Now()
	r.b.Cancel(r.session, Cancellation{Turn: turn})
	r.eventually("the tree is gone", func() bool { return !living(pids) })
	took := time.Since(began)
	if took > cancelLimit {
		t.Errorf("gone only after %v", took)
	}
	if end := r.ended(turn); end.StopReason != acp.StopReasonCancelled {
		t.Errorf("%s, %v", end.StopReason, r.failures())
	}
	t.Logf("gone after %v", took.Round(time.Millisecond))
}

// What the model has put in the background goes on after a cancel: a server is not part of the turn that started it.
func TestACancelLeavesBackgroundCommands(t *testing.T) {
	t.Parallel()
	r, turn := atWork(t, nil, plain)
	r.async("server", "echo $$ >pids; exec sleep 300")
	pids := r.pids("pids", 1)
	r.b.Cancel(r.session, Cancellation{Turn: turn})
	r.finish(turn)
	if !living(pids) {
		t.Error("it was ended")
	}
}

func TestTerminalsEndWithTheAgent(t *testing.T) {
	t.Parallel()
	r := newRig(t, nil, hello+`
expect@p session/prompt
request@c terminal/create {"sessionId":"s1","command":"`+quoted(stubborn)+`"}
answer@c
mark runs
wait die
close`, working).open()
	turn := r.prompt("go")
	r.await("runs")
	pids := r.pids("pids", 2)
	r.set("die")
	if end := r.ended(turn); end.Err == nil {
		t.Error("the turn did not fail")
	}
	r.eventually("the tree is gone", func() bool { return !living(pids) })
	r.eventually("no terminal is listed", func() bool { return len(r.b.Terminals("")) == 0 })
}

func TestTerminalsEndWithTheirSession(t *testing.T) {
	t.Parallel()
	r := newRig(t, nil, hello+`
ignore session/cancel
expect@p session/prompt
request@c terminal/create {"sessionId":"s1","command":"`+quoted(stubborn)+`"}
answer@c
request@w terminal/wait_for_exit {"sessionId":"s1","terminalId":"$terminal"}
mark runs`).open()
	r.prompt("go")
	r.await("runs")
	pids := r.pids("pids", 2)
	if err := r.b.CloseSession(r.ctx, r.session); err != nil { // somebody still waits for the exit
		t.Error(err)
	}
	if living(pids) {
		t.Error("a command outlived its session")
	}
}

func TestTerminalsEndWithTheBridge(t *testing.T) {
	r, _ := atWork(t, nil, plain)
	r.async("server", stubborn)
	pids := r.pids("pids", 2)
	began := time.Now()
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	if err := r.b.Close(ctx); err != nil {
		t.Log(err)
	}
	if living(pids) {
		t.Error("a command outlived the bridge")
	}
	if took := time.Since(began); took > cancelLimit {
		t.Errorf("it took %v", took)
	}
}

// An editor that has stopped reading holds up neither the command nor its end, and output is joined meanwhile.
func TestAnEditorThatDoesNotReadHoldsUpNoCommand(t *testing.T) {
	t.Parallel()
	gate := make(chan struct{})
	r, turn := atWork(t, nil, func(c *Config) {
		c.Editor.(*screen).show = func(ctx context.Context, ev Event) {
			if _, ok := ev.(*TerminalOutput); ok {
				select {
				case <-gate:
				case <-ctx.Done():
				}
			}
		}
	})
	text := r.bash("head -c 50000000 /dev/zero | tr '\\0' x; echo; echo end")
	if !strings.Contains(text, "end") {
		t.Errorf("the model read %q", text)
	}
	close(gate)
	r.finish(turn)
	r.eventually("the end is shown", func() bool { _, exits := outputOf(r.events(), ""); return len(exits) == 1 })
	if shown, _ := outputOf(r.events(), ""); len(shown) > terminalproxy.DefaultOutputLimit+1<<20 || !strings.HasSuffix(shown, "\nend\n") {
		t.Errorf("%d bytes waited for the editor", len(shown))
	}
}

func TestTooManyCommandsIsAnErrorOnBothRoads(t *testing.T) {
	t.Parallel()
	r := newRig(t, nil, hello+`
expect@p session/prompt
`+strings.Repeat("request@t terminal/create {\"sessionId\":\"s1\",\"command\":\"sleep 300\"}\nanswer@t\n", terminalproxy.MaxTerminals)+`
request@c terminal/create {"sessionId":"s1","command":"sleep 300"}
refused@c
mark full
wait done
reply@p {"stopReason":"end_turn"}`).open()
	turn := r.prompt("go")
	r.await("full")
	_, err := r.link().Bash(r.ctx, caller(), tools.BashArgs{Command: "true", Mode: tools.BashSync}, nil)
	if !errors.Is(err, terminalproxy.ErrTooManyTerminals) || !strings.Contains(err.Error(), "release one, or stop a command") {
		t.Errorf("the tool says %v", err)
	}
	r.finish(turn)
}

// Commands that go on after a turn are said to, and their end too.
func TestTheStatusNamesCommandsThatGoOn(t *testing.T) {
	t.Parallel()
	r, turn := atWork(t, nil, plain)
	r.async("server", "until [ -e stop ]; do sleep 0.01; done; echo late >late.txt")
	r.finish(turn)
	status := func() string {
		last := ""
		for _, ev := range r.events() {
			if s, ok := ev.(*StatusChanged); ok {
				last = printed(s)
			}
		}
		return last
	}
	r.eventually("the status names it", func() bool { return strings.HasPrefix(status(), "status busy ready; still running: until [") })
	r.put("stop", "")
	r.eventually("it is ready", func() bool { return status() == "status ok ready" })
	// What it changed at last belongs to the turn that started it.
	r.eventually("its change is in review", func() bool {
		return strings.Contains(strings.Join(r.review(), "\n"), `create late.txt: "" → "late\n"`)
	})
}

func TestWhatTheUserKeepsReachesCommands(t *testing.T) {
	t.Parallel()
	env := []string{"PATH=/usr/bin:/bin", "GH_TOKEN=g", "GITHUB_TOKEN=h", "COPILOT_HOME=c", "NPM_TOKEN=n", "AWS_SECRET_KEY=a", "MY_SECRET=m", "PLAIN=p"}
	r, turn := atWork(t, nil, func(c *Config) { c.Env, c.KeepEnv = env, []string{"NPM_TOKEN"} })
	got := r.bash("env | grep -E 'TOKEN|COPILOT|KEY|SECRET|PLAIN' | sort")
	if want := "NPM_TOKEN=n\nPLAIN=p\n"; !strings.HasPrefix(got, want) {
		t.Errorf("the command has %q", got)
	}
	r.finish(turn)
}
