package transcript

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/copilot-bridge/copilot-bridge/bridge/transcript/program"

	"github.com/google/go-cmp/cmp"

	"github.com/copilot-bridge/copilot-bridge/acp"
	"github.com/copilot-bridge/copilot-bridge/bridge/conversation"
	"github.com/copilot-bridge/copilot-bridge/bridge/store"
)

// telling makes conversations out of a seed: turns with tools or without, that failed or were cut off, that were sent to the
// model in other words, or again, and summaries in between. It keeps what the agent would have to send by itself.
type telling struct {
	r     *rand.Rand
	talk  *conversation.Conversation
	st    state
	turns []string
	calls int
}

func newTelling(seed uint64) *telling {
	return &telling{r: rand.New(rand.NewPCG(seed, 7)), talk: conversation.New(conversation.Config{ID: "s"})}
}

func (h *telling) text(most int) string {
	words := []string{"alpha", "βeta", "User:", "\n", "🙂", "0", "Assistant: x", "...", "\t"}
	var b strings.Builder
	for range h.r.IntN(most + 1) {
		b.WriteString(words[h.r.IntN(len(words))])
	}
	return b.String()
}

// turn is one turn.
func (h *telling) turn() {
	turn := fmt.Sprintf("t%d", len(h.turns))
	h.turns = append(h.turns, turn)
	show := func(u acp.SessionUpdate) {
		h.talk.Add(&conversation.Message{Turn: turn, Message: acp.NewUpdate("", u)})
	}
	text := turn + " " + h.text(60)
	if h.r.IntN(6) == 0 {
		text = "go on" // which may be what was said before
	}
	h.talk.AddPrompt(turn, []acp.ContentBlock{acp.Text(text)}, nil)
	if h.r.IntN(5) == 0 {
		h.talk.AddSent(turn, conversation.Sent{Text: text + "file:" + h.text(50), Again: h.r.IntN(3) == 0})
	}
	for range h.r.IntN(4) {
		h.calls++
		id := acp.ToolCallID(fmt.Sprint("c", h.calls))
		show(&acp.ToolCall{ToolCallID: id, Title: "view " + h.text(20)})
		if h.r.IntN(8) > 0 {
			show(&acp.ToolCallUpdate{ToolCallID: id, Status: new(acp.ToolCallStatusCompleted), Content: []acp.ToolCallContent{&acp.Content{Content: acp.Text(h.text(200))}}})
		}
	}
	if h.r.IntN(10) > 0 {
		show(&acp.AgentMessageChunk{ContentChunk: acp.ContentChunk{Content: acp.Text(h.text(300))}})
	}
	if h.r.IntN(40) == 0 {
		show(&acp.ToolCallUpdate{ToolCallID: "nobody's", Status: new(acp.ToolCallStatusCompleted)})
	}
	h.talk.AddEnd(turn, conversation.End{StopReason: acp.StopReasonEndTurn})
	if h.r.IntN(15) == 0 {
		h.st.Limit = program.LeastLimit + h.r.IntN(5000)
	}
}

// past is what the agent makes of it.
func (h *telling) past(t *testing.T) *history {
	t.Helper()
	s := &session{a: &Agent{}, state: h.st, conv: newTalk(h.talk)}
	p, err := s.past(t.Context(), &prompt{text: "the newest"})
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func (h *telling) window() int {
	if h.st.Limit > 0 {
		return min(h.st.Limit, 4000)
	}
	return 4000
}

func (h *telling) compact(t *testing.T) {
	p := h.past(t)
	if len(p.messages) == 0 {
		return
	}
	h.st.Summary, h.st.Until = compacted(p, "S "+h.text(400), h.text(100), h.window()), p.last
}

func histories(t *testing.T, check func(t *testing.T, h *telling, p *history)) {
	t.Helper()
	for seed := range uint64(150) {
		h := newTelling(seed)
		for range h.r.IntN(25) {
			h.turn()
			if h.r.IntN(6) == 0 {
				h.compact(t)
			}
			check(t, h, h.past(t))
		}
		if t.Failed() {
			t.Fatalf("seed %d", seed)
		}
	}
}

// checkFits is what holds for every request that leaves truncate.
func checkFits(t *testing.T, r, out request, limit int) {
	t.Helper()
	text := out.text()
	if len(text) != out.size() {
		t.Errorf("its size is %d, its text has %d", out.size(), len(text))
	}
	if !strings.HasSuffix(text, r.prompt) || !strings.HasPrefix(text, r.system) {
		t.Error("the newest message or the system part is missing")
	}
	if r.summary != nil && (out.summary == nil || !strings.Contains(text, r.summary.Text)) {
		t.Error("the summary is missing")
	}
	least := request{system: r.system, prompt: r.prompt}
	if r.summary != nil {
		s := *r.summary
		s.Users = nil
		least.summary = &s
	}
	if out.tokens() > limit && least.tokens() < int(float64(limit)*headroom) {
		t.Errorf("%d tokens do not fit into %d, though %d would do", out.tokens(), limit, least.tokens())
	}
	if r.tokens() <= limit && len(out.messages) != len(r.messages) {
		t.Error("something was left out that fitted")
	}
	at := 0
	for _, m := range out.messages { // what is left is in its order
		for at < len(r.messages) && r.messages[at] != m {
			at++
		}
		if at++; at > len(r.messages) {
			t.Errorf("%v is new, or out of order", m)
		}
	}
}

func TestWhateverTheHistoryARequestIsWhole(t *testing.T) {
	histories(t, func(t *testing.T, h *telling, p *history) {
		limit := 300 + h.r.IntN(3000)
		r := p.request("the newest", "", 1+h.r.IntN(12))
		r.system = h.text(5)
		out, c := truncate(r, limit)
		checkFits(t, r, out, limit)
		if c.after != out.tokens() || c.messagesRemoved != len(r.messages)-len(out.messages) {
			t.Errorf("what is told of it is wrong: %+v", c)
		}
		again, _ := truncate(out, limit)
		if again.text() != out.text() {
			t.Error("truncating again changes it")
		}
	})
}

func TestAssistantTextGoesBeforeTheUsersDoes(t *testing.T) {
	histories(t, func(t *testing.T, h *telling, p *history) {
		r := p.whole("the newest")
		out, _ := truncate(r, 300+h.r.IntN(3000))
		isUser := func(m message) bool { return m.Role == user }
		users := func(l []message) int {
			return len(slices.DeleteFunc(slices.Clone(l), func(m message) bool { return !isUser(m) }))
		}
		if users(out.messages) < users(r.messages) && slices.ContainsFunc(out.messages, func(m message) bool { return !isUser(m) }) {
			t.Error("the user's words went while the assistant's stayed")
		}
	})
}

func TestASummaryRequestFitsAndHasItsInstruction(t *testing.T) {
	histories(t, func(t *testing.T, h *telling, p *history) {
		limit := 700 + h.r.IntN(5000)
		r := summaryRequest(p, h.text(10), limit)
		text := r.text()
		if !strings.HasPrefix(text, summaryInstruction) || r.tokens() > limit {
			t.Errorf("%d tokens for a limit of %d", r.tokens(), limit)
		}
		if p.summary != nil && !strings.Contains(text, p.summary.Text) {
			t.Error("what an earlier summary said is lost")
		}
	})
}

// TestACompactionLeavesRoomAndKeepsWhatComesAfter: the summary with all that goes with it is bounded, it stands for the
// turns that it was made of and for no other.
func TestACompactionLeavesRoomAndKeepsWhatComesAfter(t *testing.T) {
	histories(t, func(t *testing.T, h *telling, before *history) {
		limit := 1000 + h.r.IntN(5000)
		keep := h.st
		defer func() { h.st = keep }()
		h.st.Summary, h.st.Until = compacted(before, h.text(3000), h.text(3000), limit), before.last
		if after := h.past(t); len(after.messages) != 0 {
			t.Errorf("what was summed up is still there: %v", after.messages)
		}
		if size := (request{summary: h.st.Summary, prompt: "x"}).tokens(); size > limit*3/4 {
			t.Errorf("the summary takes %d of %d tokens", size, limit)
		}
		h.turn()
		after := h.past(t)
		h.st = keep
		whole := h.past(t)
		n, m := len(whole.messages), len(after.messages)
		if m == 0 || n < m || !slices.EqualFunc(whole.messages[n-m:], after.messages, func(a, b message) bool { return a.Role == b.Role && a.Text == b.Text }) {
			t.Error(cmp.Diff(fmt.Sprint(whole.messages), fmt.Sprint(after.messages)))
		}
	})
}

// TestAProgramIsToldWhatItDoesNotKnow: all that was said after the turn that it knows, and the summary if it knows less
// than that stands for.
func TestAProgramIsToldWhatItDoesNotKnow(t *testing.T) {
	histories(t, func(t *testing.T, h *telling, p *history) {
		folded := slices.Index(h.turns, h.st.Until) // -1: nothing
		for i, turn := range h.turns {
			sum, messages := p.after(turn)
			if (sum != nil) != (i < folded) {
				t.Errorf("it knows turn %d, the summary goes to %d, and it is told it: %v", i, folded, sum != nil)
			}
			for _, m := range messages {
				for j, known := range h.turns[:i+1] {
					if j > folded && m.Role == user && strings.HasPrefix(m.Text, known+" ") && i >= folded {
						t.Errorf("it knows turn %d and is told what was said in %d", i, j)
					}
				}
			}
		}
	})
}

// TestAnotherRunMakesTheSameRequest: what is on disk, read back, leads to the same words to the letter.
func TestAnotherRunMakesTheSameRequest(t *testing.T) {
	for seed := range uint64(12) {
		disk := store.Open(store.Config{Dir: t.TempDir()})
		h := newTelling(seed)
		h.talk = conversation.New(conversation.Config{ID: "s", Store: disk})
		if err := h.talk.Create(store.Meta{Cwd: "/"}); err != nil {
			t.Fatal(err)
		}
		for range 8 {
			h.turn()
			if h.r.IntN(4) == 0 {
				h.compact(t)
			}
			s := &session{a: &Agent{}, conv: newTalk(h.talk)}
			s.change(func(st *state) { *st = h.st })
		}
		words := func() string {
			out, _ := truncate(h.past(t).request("the newest", "", 7), 2000)
			return out.text()
		}
		want := words()
		h.talk.Close()
		for _, fromDisk := range []bool{false, true} {
			saved, err := disk.Load("s")
			if err != nil {
				t.Fatal(err)
			}
			h.talk = conversation.New(conversation.Config{ID: "s", Store: disk, DiskOnly: fromDisk})
			if _, _, err := h.talk.Restore(saved); err != nil {
				t.Fatal(err)
			}
			s := &session{a: &Agent{}, conv: newTalk(h.talk)}
			if !s.restore() {
				t.Fatal("there is no state")
			}
			h.st = s.state
			if got := words(); got != want {
				t.Errorf("seed %d, from disk %v: %s", seed, fromDisk, cmp.Diff(want, got))
			}
			h.talk.Close()
		}
	}
}

func TestPruningKeepsTheNewestTurns(t *testing.T) {
	histories(t, func(t *testing.T, h *telling, p *history) {
		n := 1 + h.r.IntN(12)
		out := prune(p.messages, n)
		turns := map[int]bool{}
		for _, m := range out {
			turns[m.Turn] = true
		}
		if len(turns) > n || !slices.Equal(out, p.messages[len(p.messages)-len(out):]) {
			t.Errorf("%d turns, not the newest %d", len(turns), n)
		}
		if len(out) < len(p.messages) && (len(turns) < n || turns[p.messages[len(p.messages)-len(out)-1].Turn]) {
			t.Error("a turn was torn, or fewer were kept than may be")
		}
	})
}

func TestWhenASummaryIsMade(t *testing.T) {
	th := thresholdsOf(nil)
	for _, c := range []struct {
		use             float64
		messages        int
		running, forced bool
		want            step
	}{
		{0.79, 10, false, false, send}, {0.80, 10, false, false, background}, {0.80, 10, true, false, send}, {0.94, 4, false, false, background},
		{0.80, 3, false, false, send}, {0.95, 4, false, false, waitFor}, {0.95, 4, true, false, waitFor}, {2, 3, false, false, send},
		{0.1, 1, false, true, waitFor}, {9, 0, false, true, send},
	} {
		if got := th.next(c.use, c.messages, c.running, c.forced); got != c.want {
			t.Errorf("%+v: %d", c, got)
		}
	}
	th = thresholdsOf([]string{"COPILOT_BACKGROUND_COMPACTION_THRESHOLD=0.5", "COPILOT_BUFFER_EXHAUSTION_THRESHOLD=0.6", "COPILOT_BUFFER_EXHAUSTION_THRESHOLD=much", "COPILOT_BACKGROUND_COMPACTION_THRESHOLD=-1"})
	if th != (thresholds{0.5, 0.6}) {
		t.Errorf("from the environment: %+v", th)
	}
}

func TestClipMarksWhatIsLeftOutAndCutsNoCharacter(t *testing.T) {
	for size := range 200 {
		for _, text := range []string{"", "short", strings.Repeat("🙂é", 60), strings.Repeat("x", 300)} {
			got := program.Clip(text, size)
			if len(got) > size || len(text) <= size && got != text || strings.ToValidUTF8(got, "?") != got {
				t.Fatalf("program.Clip(%q, %d) = %q", text, size, got)
			}
			if len(text) > size && size > 40 && !strings.Contains(got, "...<truncated>...") {
				t.Fatalf("no mark: %q", got)
			}
		}
	}
}
