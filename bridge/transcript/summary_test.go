package transcript

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/copilot-bridge/copilot-bridge/bridge/transcript/program"

	"github.com/copilot-bridge/copilot-bridge/acp"
	"github.com/copilot-bridge/copilot-bridge/acp/copilot"
	"github.com/copilot-bridge/copilot-bridge/bridge/conversation"
)

// long is a script whose answer takes some 600 tokens.
var long = "echo " + strings.Repeat("x", 480)

// ended is the events of summaries that came to an end, by their outcome.
func (r *rig) ended() (out []string) {
	for _, e := range r.told("compaction_completed") {
		out = append(out, e.Data["outcome"].(string))
	}
	return out
}

func TestAFullContextIsSummedUpInTheBackgroundAndThenWaitedFor(t *testing.T) {
	t.Parallel()
	r := newRig(t, old, func(c *Config) { c.TokenLimit = 1700 })
	r.put("always", long)
	r.put("summary", "say # Ada's question\nsay She is Ada.")
	r.ok("my name is Ada") // 610 tokens
	r.ok("two")            // 1,230
	if len(r.told("compaction_started")) != 0 {
		t.Fatal("it was begun too soon")
	}
	r.ok("three") // 1,230 and the message are 72 %; four messages
	r.ok("four")  // 1,850: over the limit, so it is waited for
	r.await("a summary", func() bool { return len(r.ended()) > 0 })
	p := r.last().Prompt
	if !strings.Contains(p, "Summary of its earlier part:\n# Ada's question\nShe is Ada.") || !strings.Contains(p, "- my name is Ada\n") || strings.Contains(p, "Assistant:") {
		t.Errorf("%q", p)
	}
	e := r.told("compaction_completed")[0].Data
	if e["success"] != true || e["messagesRemoved"] != 6 || e["checkpointNumber"] != 1 {
		t.Errorf("%v", e)
	}
	folder := r.conv.Load().Folder()
	list, err := copilot.Checkpoints(r.conv.Load().Folder())
	if err != nil || len(list) != 1 || filepath.Base(list[0].Path) != "001-ada-s-question.md" {
		t.Fatalf("%v %v", list, err)
	}
	if got := string(mustRead(t, list[0].Path)); got != "# Ada's question\nShe is Ada.\n" {
		t.Errorf("%q", got)
	}
	if got := string(mustRead(t, filepath.Join(folder, "checkpoints", "index.md"))); !strings.Contains(got, "| # | Title | File |") || !strings.Contains(got, "| 1 | Ada's question | [001-ada-s-question.md](001-ada-s-question.md) |") {
		t.Error(got)
	}
	before := r.last().Prompt
	r.put("always", "say nothing new")
	r.again(func(c *Config) { c.TokenLimit = 1700 })
	after := r.ok("four").Prompt
	if !strings.HasPrefix(after, strings.TrimSuffix(before, "\nUser: four")) {
		t.Errorf("after a restart it is another request:\n%q\n%q", before, after)
	}
}

// TestASummaryInTheBackgroundDoesNotHoldTheTurn: it is begun at 80 %, the turn goes on, and the next request has it.
func TestASummaryInTheBackgroundDoesNotHoldTheTurn(t *testing.T) {
	t.Parallel()
	r := newRig(t, old, func(c *Config) { c.TokenLimit = 1450 })
	r.put("always", long)
	r.put("summary", "say the gist")
	r.ok("one")
	r.ok("two")
	r.ok("three") // 1,230 of 1,450: 85 %
	if !strings.Contains(r.last().Prompt, "Assistant:") {
		t.Error("the turn waited")
	}
	if e := r.told("compaction_started"); len(e) != 1 || e[0].Data["trigger"] != "background" {
		t.Fatalf("%v", e)
	}
	r.await("the summary", func() bool { return len(r.ended()) == 1 })
	if p := r.ok("four").Prompt; !strings.Contains(p, "the gist") || !strings.Contains(p, "User: three\nAssistant: you said") || strings.Contains(p, "User: two") {
		t.Errorf("%q", p)
	}
}

func TestARefusedRequestIsSummedUpAndSentOnceMore(t *testing.T) {
	t.Parallel()
	for name, script := range map[string]string{"names its limit": "limit 1500\n" + long, "does not": "full 6000\n" + long} {
		r := newRig(t, old, nil)
		r.put("always", script)
		r.put("summary", strings.Split(script, "\n")[0]+"\nsay SUMMARY: the user is Ada")
		for _, text := range []string{"I am Ada", "two", "three", "four", "five"} {
			r.ok(text)
		}
		p := r.last().Prompt
		if !strings.Contains(p, "the user is Ada") || !strings.HasSuffix(p, "User: five") {
			t.Errorf("%s: %q", name, p)
		}
		if list, err := copilot.Checkpoints(r.conv.Load().Folder()); err != nil || len(list) == 0 {
			t.Errorf("%s: %v %v", name, list, err)
		}
		refused := slices.ContainsFunc(r.calls(), func(c fakeCall) bool { return len(c.Prompt) > 6000 })
		if !refused {
			t.Errorf("%s: nothing was ever refused", name)
		}
		if len(r.calls()) > 7 {
			t.Errorf("%s: %d calls for 5 turns", name, len(r.calls()))
		}
		r.again(nil) // what the program has named is remembered
		s, err := r.a.session(r.id)
		if err != nil {
			t.Fatal(err)
		}
		if got := s.limit(); name == "names its limit" && got != 1500 || name != "names its limit" && got != DefaultLimit {
			t.Errorf("%s: the limit is %d", name, got)
		}
	}
}

func TestASummaryThatFailsLeavesEverythingAsItWas(t *testing.T) {
	t.Parallel()
	for name, script := range map[string]string{"empty": "exit 0", "blank": `bytes " \n\n"`, "an error": "err boom\nexit 1"} {
		r := newRig(t, old, func(c *Config) { c.TokenLimit = 1700 })
		r.put("always", long)
		r.put("summary", script)
		for _, text := range []string{"one", "two", "three", "four"} {
			r.ok(text)
		}
		if got := r.ended(); !slices.Contains(got, "failed") || slices.Contains(got, "completed") {
			t.Errorf("%s: %q", name, got)
		}
		p := r.last().Prompt
		if !strings.Contains(p, "User: one") || len(p) > 1700*4 || len(r.told("truncation")) == 0 {
			t.Errorf("%s: %d bytes, truncated %d times: %q", name, len(p), len(r.told("truncation")), p[:min(len(p), 200)])
		}
		if list, _ := copilot.Checkpoints(r.conv.Load().Folder()); len(list) != 0 {
			t.Errorf("%s: there is a checkpoint", name)
		}
	}
}

func TestTruncationDoesNotChangeWhatIsStored(t *testing.T) {
	t.Parallel()
	r := newRig(t, old, func(c *Config) { c.TokenLimit = 600 })
	r.put("always", long)
	r.put("summary", "exit 1")
	r.ok("one")
	r.ok("two")
	if e := r.told("truncation"); len(e) != 1 || e[0].Data["messagesRemovedDuringTruncation"] != 1 {
		t.Fatalf("%v", e)
	}
	r.put("summary", "say all of it")
	r.again(nil) // there is room again
	if p := r.ok("three").Prompt; !strings.Contains(p, "Assistant: you said one") || !strings.Contains(p, "Assistant: you said two") {
		t.Errorf("%q", p)
	}
}

func TestByHand(t *testing.T) {
	t.Parallel()
	r := newRig(t, old, nil)
	r.put("summary", "say the gist")
	r.fails("/compact", program.Failed) // nothing was said
	r.ok("one")
	n := len(r.calls())
	if _, err := r.prompt("/compact the names, please"); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(r.said(), "Compacted conversation history and removed 2 messages and ") || len(r.calls()) != n {
		t.Errorf("said %q", r.said())
	}
	asked := fakeCalls(r.dir)
	if p := asked[len(asked)-1].Prompt; !strings.Contains(p, "the names, please") || !strings.Contains(p, "User: one") {
		t.Errorf("%q", p)
	}
	if p := r.ok("/compacting is a word").Prompt; !strings.Contains(p, "the gist") || !strings.HasSuffix(p, "/compacting is a word") {
		t.Errorf("%q", p)
	}
}

func TestASecondSummaryKeepsWhatTheUserSaidBeforeTheFirst(t *testing.T) {
	t.Parallel()
	r := newRig(t, old, nil)
	r.put("summary", "say the gist")
	for _, text := range []string{"one", "two"} {
		r.ok(text)
		if _, err := r.prompt("/compact"); err != nil {
			t.Fatal(err)
		}
	}
	if p := r.ok("three").Prompt; !strings.Contains(p, "- one\n- two\n") {
		t.Errorf("%q", p)
	}
	if list, err := copilot.Checkpoints(r.conv.Load().Folder()); err != nil || len(list) != 2 {
		t.Errorf("%v %v", list, err)
	}
}

// TestASessionThatKnowsLessThanTheSummaryGetsIt: the program's session is older than what was summed up meanwhile.
func TestASessionThatKnowsLessThanTheSummaryGetsIt(t *testing.T) {
	h := &history{summary: &summary{Text: "gist"}, until: "c"}
	for _, turn := range []string{"a", "b", "c", "d"} {
		h.add(conversation.Said{Turn: turn, Prompt: []acp.ContentBlock{acp.Text(turn)}})
	}
	h.leave()
	for known, want := range map[string]string{"": "gist", "a": "gist", "b": "gist", "c": "", "d": ""} {
		text := h.request("new", known, 9).text()
		if strings.Contains(text, "gist") != (want != "") || strings.Contains(text, "User: d") != (known != "d") || strings.Contains(text, "User: b") {
			t.Errorf("known %s: %q", known, text)
		}
	}
}

func TestAbortByHandThrowsTheSummaryAway(t *testing.T) {
	t.Parallel()
	r := newRig(t, old, nil)
	r.put("summary", "say half of\nhang")
	r.ok("one")
	done := make(chan acp.StopReason, 1)
	go func() {
		stop, err := r.prompt("/compact")
		if err != nil {
			t.Error(err)
		}
		done <- stop
	}()
	r.await("it is begun", func() bool { return len(r.told("compaction_started")) == 1 })
	if err := r.cancel(); err != nil {
		t.Fatal(err)
	}
	if stop := <-done; stop != acp.StopReasonCancelled {
		t.Error(stop)
	}
	if got := r.ended(); !slices.Equal(got, []string{"cancelled"}) {
		t.Errorf("%q", got)
	}
	if p := r.ok("two").Prompt; strings.Contains(p, "half of") || !strings.Contains(p, "User: one") {
		t.Errorf("%q", p)
	}
}

// TestClosingEndsASummary: the session is closed, or the agent, while a summary is made in the background.
func TestClosingEndsASummary(t *testing.T) {
	t.Parallel()
	for _, whole := range []bool{false, true} {
		r := newRig(t, old, func(c *Config) { c.TokenLimit = 1450 })
		r.put("always", long)
		r.put("summary", "stubborn")
		r.ok("one")
		r.ok("two")
		r.ok("three")
		var err error
		if whole {
			err = r.a.Close(t.Context())
		} else {
			err = r.closeSession()
		}
		if got := r.ended(); err != nil || !slices.Equal(got, []string{"cancelled"}) {
			t.Errorf("%v, %q", err, got)
		}
	}
}

func TestWhatIsTooLongByItselfIsNotSentTwice(t *testing.T) {
	t.Parallel()
	for _, help := range []string{old, modern} {
		r := newRig(t, help, nil)
		r.put("always", "limit 300")
		if r.fails(strings.Repeat("long ", 1000), program.TooLong); len(r.calls()) != 1 || len(r.told("history_lost")) != 0 {
			t.Errorf("%d calls, told %v", len(r.calls()), r.told("history_lost"))
		}
	}
}

func TestAToolThatRanIsNotRunAgainAfterARefusal(t *testing.T) {
	t.Parallel()
	r := newRig(t, modern, nil, `say {"type":"tool.execution_start","data":{"toolCallId":"c","toolName":"editor-edit","arguments":{}}}
say {"type":"tool.execution_complete","data":{"toolCallId":"c","success":true}}
say {"type":"session.error","data":{"message":"maximum context length is 8000 tokens"}}
exit 1`)
	if f := r.fails("edit it", program.TooLong); f.Limit != 8000 || len(r.calls()) != 1 {
		t.Errorf("%+v after %d calls", f, len(r.calls()))
	}
}

func TestThePlanGoesIntoTheSummary(t *testing.T) {
	dir := t.TempDir()
	const id = "11111111-2222-3333-4444-555555555555"
	folder := filepath.Join(dir, "session-state", id)
	if err := os.MkdirAll(folder, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(folder, "plan.md"), []byte("1. do it\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	plan := copilot.Plan([]string{"COPILOT_HOME=" + dir}, id)
	sum := compacted(&history{messages: []message{{Role: user, Text: "x", Turn: 1}}}, "gist", plan, 1000)
	if text := (request{summary: sum, prompt: "y"}).text(); !strings.Contains(text, "The plan:\n1. do it\n") {
		t.Error(text)
	}
}
