package transcript

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// history makes conversations out of a seed: turns with tools or without, that failed or were cut off, summaries in
// between, and now and then what only a damaged log holds.
type history struct {
	r       *rand.Rand
	c       conversation
	entries []entry
	calls   int
}

func newHistory(seed uint64) *history {
	return &history{r: rand.New(rand.NewPCG(seed, 7))}
}

func (h *history) put(e entry) {
	h.entries = append(h.entries, e)
	h.c.apply(e)
}

func (h *history) text(most int) string {
	words := []string{"alpha", "βeta", "User:", "\n", "🙂", "0", "Assistant: x", "...", "\t"}
	var b strings.Builder
	for range h.r.IntN(most + 1) {
		b.WriteString(words[h.r.IntN(len(words))])
	}
	return b.String()
}

func (h *history) say(r role, text, call string) {
	h.put(entry{Message: &message{Role: r, Text: text, Call: call, Turn: h.c.turn()}})
}

// turn is one turn. A message of the user's has a mark by which it is found again.
func (h *history) turn() {
	h.put(entry{Message: &message{Role: user, Text: fmt.Sprintf("m%d ", h.c.end()) + h.text(60), Turn: h.c.turn() + 1}})
	for range h.r.IntN(4) {
		h.calls++
		id := fmt.Sprint("c", h.calls)
		h.say(call, "view "+h.text(20), id)
		if h.r.IntN(8) > 0 {
			h.say(result, h.text(200), id)
		}
	}
	if h.r.IntN(10) > 0 {
		h.say(assistant, h.text(300), "")
	}
	if h.r.IntN(40) == 0 {
		h.say(result, "an orphan", "nobody")
	}
	if h.r.IntN(15) == 0 {
		h.put(entry{Limit: leastLimit + h.r.IntN(5000)})
	}
}

func (h *history) compact() {
	if len(h.c.messages) == 0 {
		return
	}
	until := h.c.first + h.r.IntN(len(h.c.messages)+1)
	done := compacted(&h.c, until, "S "+h.text(400), h.text(100), h.c.window(4000))
	h.put(entry{Compaction: &done})
}

func histories(t *testing.T, check func(t *testing.T, h *history)) {
	t.Helper()
	for seed := range uint64(150) {
		h := newHistory(seed)
		for range h.r.IntN(25) {
			h.turn()
			if h.r.IntN(6) == 0 {
				h.compact()
			}
			check(t, h)
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
	calls := map[string]bool{}
	for _, m := range out.messages {
		if m.Role == call {
			calls[m.Call] = true
		}
		if m.Role == result && !calls[m.Call] {
			t.Errorf("an orphaned result: %v", m)
		}
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
	if r.tokens() <= limit && len(out.messages) != len(withoutOrphans(r.messages)) {
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
	histories(t, func(t *testing.T, h *history) {
		limit := 300 + h.r.IntN(3000)
		r := request{system: h.text(5), summary: h.c.summary, messages: prune(h.c.messages, 1+h.r.IntN(12)), prompt: "the newest"}
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
	histories(t, func(t *testing.T, h *history) {
		r := request{summary: h.c.summary, messages: h.c.messages, prompt: "the newest"}
		out, c := truncate(r, 300+h.r.IntN(3000))
		isUser := func(m message) bool { return m.Role == user }
		users := func(l []message) int {
			return len(slices.DeleteFunc(slices.Clone(l), func(m message) bool { return !isUser(m) }))
		}
		if !c.clean && users(out.messages) < users(r.messages) && slices.ContainsFunc(out.messages, func(m message) bool { return !isUser(m) }) {
			t.Error("the user's words went while the assistant's stayed")
		}
	})
}

func TestASummaryRequestFitsAndHasItsInstruction(t *testing.T) {
	histories(t, func(t *testing.T, h *history) {
		limit := 700 + h.r.IntN(5000)
		r := summaryRequest(&h.c, h.c.end(), h.text(10), limit)
		text := r.text()
		if !strings.HasPrefix(text, summarize) || r.tokens() > limit {
			t.Errorf("%d tokens for a limit of %d", r.tokens(), limit)
		}
		if h.c.summary != nil && !strings.Contains(text, h.c.summary.Text) {
			t.Error("what an earlier summary said is lost")
		}
	})
}

// TestACompactionLeavesRoomAndKeepsWhatCameAfter: the boundary parts no result from its call, what came after it stays,
// and the summary with all that goes with it is bounded.
func TestACompactionLeavesRoomAndKeepsWhatCameAfter(t *testing.T) {
	histories(t, func(t *testing.T, h *history) {
		limit := 1000 + h.r.IntN(5000)
		until := h.c.first + h.r.IntN(len(h.c.messages)+1)
		before := h.c
		before.messages = slices.Clone(before.messages)
		done := compacted(&h.c, until, h.text(3000), h.text(3000), limit)
		after := before
		after.apply(entry{Compaction: &done})
		if done.Until < until || done.Until > before.end() || after.end() != before.end() {
			t.Fatalf("until %d of %d: %d, then %d", until, before.end(), done.Until, after.end())
		}
		if kept := before.messages[done.Until-before.first:]; len(after.messages) > 0 && !slices.Equal(kept, after.messages) {
			t.Error(cmp.Diff(kept, after.messages))
		}
		for _, m := range after.messages {
			if m.Role == result && m.Call != "nobody" && called(before.messages[:done.Until-before.first], m.Call) {
				t.Errorf("a result was parted from its call: %v", m)
			}
		}
		if size := (request{summary: after.summary, prompt: "x"}).tokens(); size > limit*3/4 {
			t.Errorf("the summary takes %d of %d tokens", size, limit)
		}
	})
}

// TestALogMakesTheSameRequestAgain: what the store holds, read back, is the same conversation to the letter.
func TestALogMakesTheSameRequestAgain(t *testing.T) {
	var of *history
	var again conversation // of all that was read back of it so far
	read := 0
	histories(t, func(t *testing.T, h *history) {
		if h != of {
			of, again, read = h, conversation{}, 0
		}
		for ; read < len(h.entries); read++ {
			kept, err := encode(h.entries[read])
			if err != nil {
				t.Fatal(err)
			}
			back, ok := decode(kept)
			if !ok {
				t.Fatalf("not read back: %s", kept.Body)
			}
			again.apply(back)
		}
		whole := func(c *conversation) string {
			s := session{a: &Agent{cfg: Config{MaxTurns: 7}}, conv: *c}
			r, _ := truncate(s.compose("the newest", c.end(), 0), c.window(2000))
			return r.text()
		}
		if want, got := whole(&h.c), whole(&again); want != got {
			t.Error(cmp.Diff(want, got))
		}
	})
}

func TestPruningKeepsTheNewestTurns(t *testing.T) {
	histories(t, func(t *testing.T, h *history) {
		n := 1 + h.r.IntN(12)
		out := prune(h.c.messages, n)
		turns := map[int]bool{}
		for _, m := range out {
			turns[m.Turn] = true
		}
		if len(turns) > n || !slices.Equal(out, h.c.messages[len(h.c.messages)-len(out):]) {
			t.Errorf("%d turns, not the newest %d", len(turns), n)
		}
		if len(out) < len(h.c.messages) && (len(turns) < n || turns[h.c.messages[len(h.c.messages)-len(out)-1].Turn]) {
			t.Error("a turn was torn, or fewer were kept than may be")
		}
	})
}

// TestSummariesComeOneAtATime drives the machine with everything that can happen, in any order: one summary at a time,
// each is done with once, and one that was given up is never applied.
func TestSummariesComeOneAtATime(t *testing.T) {
	for seed := range uint64(500) {
		r := rand.New(rand.NewPCG(seed, 11))
		var s summing
		until, over := map[int]int{}, map[int]bool{}
		open := 0
		for range 60 {
			switch r.IntN(3) {
			case 0:
				want := r.IntN(100)
				n, ok := s.begin(want)
				if ok != (open == 0) {
					t.Fatalf("seed %d: begun %v while %d is open", seed, ok, open)
				}
				if ok {
					open, until[n] = n, want
				}
			case 1:
				s.giveUp()
				open = 0
			case 2:
				n := r.IntN(len(until) + 2)
				got, ok := s.done(n)
				if ok != (open == n && open > 0 && !over[n]) || ok && got != until[n] {
					t.Fatalf("seed %d: done(%d) = %d, %v; open is %d", seed, n, got, ok, open)
				}
				if ok {
					over[n], open = true, 0
				}
			}
		}
	}
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
			got := clip(text, size)
			if len(got) > size || len(text) <= size && got != text || strings.ToValidUTF8(got, "?") != got {
				t.Fatalf("clip(%q, %d) = %q", text, size, got)
			}
			if len(text) > size && size > 40 && !strings.Contains(got, "...<truncated>...") {
				t.Fatalf("no mark: %q", got)
			}
		}
	}
}
