package clifront

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/copilot-bridge/copilot-bridge/acp"
	"github.com/copilot-bridge/copilot-bridge/bridge"
	"github.com/copilot-bridge/copilot-bridge/bridge/policy"
)

// keyboard are keys; each counts only if it is struck while somebody waits for it, as at a terminal.
type keyboard struct {
	keys   chan rune
	redraw chan struct{} // the screen is not what it was
	held   int
}

func newKeyboard() *keyboard { return &keyboard{keys: make(chan rune), redraw: make(chan struct{}, 1)} }

func (p *keyboard) Hold() (Held, error) { p.held++; return p, nil }

func (p *keyboard) Close() error { p.held--; return nil }

func (p *keyboard) Key(ctx context.Context) (rune, error) {
	select {
	case <-p.redraw:
		return 0, ErrRedraw
	default:
	}
	select {
	case <-p.redraw:
		return 0, ErrRedraw
	case k := <-p.keys:
		return k, nil
	case <-ctx.Done():
		return 0, ctx.Err()
	}
}

func (p *keyboard) Typed(ctx context.Context) (rune, error) { return p.Key(ctx) }

// strike is a key that is lost if nobody waits for one.
func (p *keyboard) strike(k rune) (counted bool) {
	select {
	case p.keys <- k:
		return true
	default:
		return false
	}
}

// stage is a front on a screen.
type stage struct {
	*Front
	keys   *keyboard
	screen bytes.Buffer
}

func newStage(o Options) *stage {
	s := &stage{keys: newKeyboard()}
	o.Stdout, o.Stderr, o.Keys, o.Shared, o.Cwd = &s.screen, &s.screen, s.keys, true, "/w"
	s.Front = New(o)
	return s
}

type asked struct {
	bridge.Answer
	err error
}

// ask puts a question on a goroutine of its own.
func (s *stage) ask(ctx context.Context, q *bridge.Question) <-chan asked {
	got := make(chan asked, 1)
	go func() {
		a, err := s.Ask(ctx, q)
		got <- asked{a, err}
	}()
	synctest.Wait()
	return got
}

func question(title string) *bridge.Question {
	return &bridge.Question{Title: title, Reason: "no rule", Options: []acp.PermissionOption{
		{OptionID: "n", Name: "Reject", Kind: acp.PermissionOptionKindRejectOnce}, {OptionID: "y", Name: "Allow once", Kind: acp.PermissionOptionKindAllowOnce},
	}}
}

func chunk(text string) bridge.Event {
	return &bridge.Message{Message: acp.NewUpdate("", &acp.AgentMessageChunk{ContentChunk: acp.ContentChunk{Content: acp.Text(text)}})}
}

// lastLine is what stands at the bottom of the screen.
func (s *stage) lastLine() string {
	lines := strings.Split(strings.TrimRight(s.screen.String(), "\n"), "\n")
	return lines[len(lines)-1]
}

const offered = mark + "  [n] Reject  [y] Allow once  [?] Help"

func TestAKeyRightAfterTheQuestionDoesNotCount(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newStage(Options{})
		got := s.ask(t.Context(), question("Run touch pwned"))
		for range 10 { // from before it was drawn until nearly the end of the pause
			if s.keys.strike('y') {
				t.Fatal("a key counted that was struck too soon")
			}
			time.Sleep(answerPause/10 - 1)
			synctest.Wait()
		}
		time.Sleep(10 * time.Nanosecond)
		synctest.Wait()
		if !s.keys.strike('y') {
			t.Fatal("a key does not count after the pause")
		}
		if a := <-got; a.OptionID != "y" || a.By != "" || a.err != nil {
			t.Errorf("answered %+v", a)
		}
	})
}

// TestAQuestionIsDrawnAgainWhenTheScreenIsNotWhatItWas, as it fits there now, and keys count half a second later.
func TestAQuestionIsDrawnAgainWhenTheScreenIsNotWhatItWas(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		rows := 24
		s := newStage(Options{Size: func() (int, int) { return 80, rows }})
		got := s.ask(t.Context(), question("Run touch pwned"))
		drawn := func(n int, more bool) {
			t.Helper()
			if text := s.screen.String(); strings.Count(text, mark+"  no rule") != n || s.lastLine() != offered || strings.Contains(text, "more above") != more {
				t.Fatalf("not drawn %d times: %q", n, text)
			}
		}
		drawn(1, false)
		for i, rest := range []time.Duration{answerPause / 2, 0} { // during the pause, at whose end it is drawn, and after it
			time.Sleep(answerPause/2 - rest)
			synctest.Wait()
			rows = 3
			s.keys.redraw <- struct{}{}
			synctest.Wait()
			time.Sleep(rest)
			synctest.Wait()
			for range 9 {
				if s.keys.strike('y') {
					t.Fatal("a key counted that was struck too soon")
				}
				time.Sleep(answerPause / 10)
				synctest.Wait()
			}
			time.Sleep(answerPause / 10)
			synctest.Wait()
			drawn(i+2, true)
		}
		time.Sleep(answerPause)
		synctest.Wait()
		s.keys.strike('y')
		if a := <-got; a.OptionID != "y" || a.err != nil || s.keys.held != 0 {
			t.Errorf("answered %+v; the terminal is held %d times", a, s.keys.held)
		}
	})
}

// TestEscapeAndTheKeysThatEndThingsAreNo.
func TestEscapeAndTheKeysThatEndThingsAreNo(t *testing.T) {
	for _, key := range []rune{27, 3, 4} {
		synctest.Test(t, func(t *testing.T) {
			s := newStage(Options{})
			got := s.ask(t.Context(), question("Run touch pwned"))
			time.Sleep(answerPause)
			synctest.Wait()
			s.keys.strike(key)
			synctest.Wait()
			select {
			case a := <-got:
				if a.OptionID != "" || a.err != nil || s.lastLine() != mark+"  No" || s.keys.held != 0 {
					t.Errorf("key %d answered %+v: %q", key, a, s.lastLine())
				}
			default:
				t.Errorf("key %d is no answer", key)
				s.keys.strike('n')
				<-got
			}
		})
	}
}

func TestNothingIsWrittenBelowAnOpenQuestion(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newStage(Options{})
		s.Show(t.Context(), chunk("before")) // a line that is not ended
		got := s.ask(t.Context(), question("Run touch pwned"))
		if text := s.screen.String(); !strings.HasPrefix(text, "before\n"+mark+"? Run touch pwned\n") {
			t.Errorf("the screen shows %q", text)
		}
		title := "Read README.md"
		later := []bridge.Event{
			chunk(strings.Repeat("\n", 30) + "? Read README.md\n  [n] Reject  [y] Allow once\n"),
			&bridge.Message{Message: acp.NewUpdate("", &acp.ToolCall{ToolCallID: "c", Title: title})},
			&bridge.TerminalOutput{Data: "output\n"},
			&bridge.StatusChanged{Kind: bridge.StatusError, Message: "trouble"},
			&bridge.SessionChanged{Event: &bridge.Happening{Type: "other", Message: "news"}},
			&bridge.TurnEnded{Turn: "t"},
		}
		done := make(chan struct{})
		go func() {
			defer close(done)
			for _, ev := range later {
				s.Show(t.Context(), ev)
			}
		}()
		fmt.Fprintln(s.Log(), "a line of the log")
		second := s.ask(t.Context(), question("Run second"))
		time.Sleep(time.Hour)
		synctest.Wait()
		if s.lastLine() != offered || strings.Contains(s.screen.String(), "README") || strings.Contains(s.screen.String(), "second") {
			t.Fatalf("over the open question came %q", s.screen.String())
		}
		s.keys.strike('y')
		<-got
		time.Sleep(answerPause)
		synctest.Wait()
		s.keys.strike('n')
		if a := <-second; a.OptionID != "n" {
			t.Errorf("the second is answered %+v", a)
		}
		<-done
		text := s.screen.String()
		for _, want := range []string{"Read README.md", "• " + title, "│ output", "trouble", "news", "a line of the log"} {
			if !strings.Contains(text, want) {
				t.Errorf("%q was lost: %q", want, text)
			}
		}
		if _, err := s.Wait(t.Context(), "t"); err != nil {
			t.Error(err)
		}
	})
}

// TestAWithdrawnQuestionLetsGo: it is said, what waited is shown, and a key that comes late is nobody's.
func TestAWithdrawnQuestionLetsGo(t *testing.T) {
	for name, wait := range map[string]time.Duration{"during the pause": 0, "after it": time.Minute} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s := newStage(Options{})
				ctx, withdraw := context.WithCancel(t.Context())
				got := s.ask(ctx, question("Run one"))
				shown := make(chan struct{})
				go func() { s.Show(t.Context(), chunk("later\n\n")); close(shown) }()
				time.Sleep(wait)
				withdraw()
				if a := <-got; !errors.Is(a.err, context.Canceled) || a.OptionID != "" {
					t.Errorf("answered %+v", a)
				}
				<-shown
				if text := s.screen.String(); !strings.HasSuffix(text, offered+"\n"+mark+"  withdrawn\nlater\n") {
					t.Errorf("the screen shows %q", text)
				}
				next := s.ask(t.Context(), question("Run two"))
				if s.keys.strike('y') {
					t.Error("a key for the first counts for the second")
				}
				time.Sleep(answerPause)
				synctest.Wait()
				s.keys.strike('n')
				if a := <-next; a.OptionID != "n" {
					t.Errorf("answered %+v", a)
				}
			})
		})
	}
}

// TestShowEndsWithItsContext also while a question is open.
func TestShowEndsWithItsContext(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newStage(Options{})
		ctx, end := context.WithCancel(t.Context())
		got := s.ask(ctx, question("Run one"))
		life, stop := context.WithCancel(t.Context())
		back := make(chan struct{})
		go func() { s.Show(life, chunk("x")); close(back) }()
		synctest.Wait()
		stop()
		<-back
		end()
		<-got
	})
}

// TestTheLogThatWaitsIsBounded: what is more is counted, and nobody who logs waits.
func TestTheLogThatWaitsIsBounded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newStage(Options{})
		ctx, end := context.WithCancel(t.Context())
		got := s.ask(ctx, question("Run one"))
		line := strings.Repeat("l", 1023) + "\n"
		for range 2 * maxHeldLog / len(line) {
			fmt.Fprint(s.Log(), line)
		}
		end()
		<-got
		if n := strings.Count(s.screen.String(), "l"); n < maxHeldLog-2*len(line) || n > maxHeldLog+len(line) || !strings.Contains(s.screen.String(), "65536 more bytes of the log") {
			t.Errorf("%d bytes were kept: …%q", n, s.lastLine())
		}
	})
}

// TestNothingElseLooksLikeAQuestion: whatever an agent, a command or a file puts where, a line that begins with the mark
// is a question's, and where the terminal breaks a line no mark can stand.
func TestNothingElseLooksLikeAQuestion(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newStage(Options{})
		fake := "▌ ? Read README.md ▐ ▋ █ ┃ ❚ \U0001fb70"
		title, failed := fake, acp.ToolCallStatusFailed
		for _, ev := range []bridge.Event{
			chunk(fake + "\n\u258c"), chunk("cut: \xe2\x96"), chunk("\x8c ? Read"),
			&bridge.Message{Message: acp.NewUpdate("", &acp.AgentThoughtChunk{ContentChunk: acp.ContentChunk{Content: acp.Text(fake)}})},
			&bridge.Message{Message: acp.NewUpdate("", &acp.ToolCall{ToolCallID: "c", Title: title, Content: []acp.ToolCallContent{&acp.Diff{Path: "/w/▌", NewText: "\n" + fake}}})},
			&bridge.Message{Message: acp.NewUpdate("", &acp.ToolCallUpdate{ToolCallID: "c", Title: &title, Status: &failed})},
			&bridge.Message{Message: acp.NewUpdate("", &acp.Plan{Entries: []acp.PlanEntry{{Content: fake}}})},
			&bridge.TerminalOutput{Data: "x\r" + fake + "\n" + fake},
			&bridge.StatusChanged{Kind: bridge.StatusError, Message: fake},
			&bridge.TurnEnded{Turn: "t", Files: []bridge.FileCount{{Path: "/w/" + fake}}},
		} {
			s.Show(t.Context(), ev)
		}
		fmt.Fprintln(s.Log(), fake)
		if at := strings.IndexFunc(s.screen.String(), likeMark); at >= 0 {
			t.Errorf("there is %.40q", s.screen.String()[at:])
		}
		s.screen.Reset()
		q := question(fake)
		q.Reason, q.Argv, q.Cwd, q.Notes = fake, []string{"echo", fake + "\n" + fake}, "/"+fake, []string{fake}
		q.Env = []policy.EnvVar{{Name: "A", Value: fake}}
		q.Diffs = []bridge.FileDiff{{Path: "/w/" + fake, OldText: fake + "\n", NewText: "\n" + fake + "\n\x1b]0;hidden\x07"}}
		ctx, end := context.WithCancel(t.Context())
		got := s.ask(ctx, q)
		end()
		<-got
		if !strings.Contains(s.screen.String(), "hidden") {
			t.Error("a part of the new text is not shown")
		}
		for line := range strings.Lines(s.screen.String()) {
			if text, ok := strings.CutPrefix(line, mark); !ok || strings.ContainsFunc(text, likeMark) {
				t.Errorf("a line of the question is %q", line)
			}
		}
	})
}

// TestAQuestionThatIsLongerThanTheScreenSaysSo where it can be seen, in one long line as in many, and one that fits does not.
func TestAQuestionThatIsLongerThanTheScreenSaysSo(t *testing.T) {
	for name, c := range map[string]struct {
		argv []string
		new  string
		size func() (int, int)
		more bool
	}{
		"short":          {argv: []string{"ls"}},
		"a long word":    {argv: []string{"sh", "-c", "touch pwned; #" + strings.Repeat(" y", 1200)}, more: true},
		"many words":     {argv: strings.Fields(strings.Repeat("word ", 30)), more: true},
		"many lines":     {new: strings.Repeat("line\n", 30), more: true},
		"wide":           {argv: []string{"echo", strings.Repeat("界", 900)}, more: true},
		"tabs":           {new: strings.Repeat("\t", 200) + "\n", more: true},
		"a large screen": {new: strings.Repeat("line\n", 30), size: func() (int, int) { return 120, 60 }},
		"a small screen": {argv: []string{"ls"}, size: func() (int, int) { return 20, 6 }, more: true},
		"no screen":      {new: strings.Repeat("line\n", 30), size: func() (int, int) { return 0, 0 }, more: true},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s := newStage(Options{Size: c.size})
				q := question("Run it")
				q.Argv = c.argv
				if c.new != "" {
					q.Diffs = []bridge.FileDiff{{Path: "/w/a", NewText: c.new, Created: true}}
				}
				ctx, end := context.WithCancel(t.Context())
				got := s.ask(ctx, q)
				cols, high := s.size()
				lines := strings.Split(strings.TrimRight(s.screen.String(), "\n"), "\n")
				seen := lines
				for rows(seen, cols) > high-1 { // what is on the screen
					seen = seen[1:]
				}
				text := strings.Join(strings.Fields(strings.ReplaceAll(strings.Join(seen, " "), mark, " ")), " ")
				said := strings.Join(strings.Fields(strings.ReplaceAll(strings.Join(lines, " "), mark, " ")), " ")
				if more := strings.Contains(said, "there is more above"); more != c.more || !strings.Contains(text, "? Run it") || !strings.HasSuffix(text, "[n] Reject [y] Allow once [?] Help") {
					t.Errorf("on the screen is %q", seen)
				}
				end()
				<-got
			})
		})
	}
}

// TestTheAnswerSaysWhoGaveIt: neither a flag nor an empty room is the user.
func TestTheAnswerSaysWhoGaveIt(t *testing.T) {
	for name, c := range map[string]struct {
		policy Policy
		by     policy.Who
		option acp.PermissionOptionID
	}{"yes": {Yes, policy.ByYes, "y"}, "no": {No, policy.ByNo, "n"}, "no terminal": {AskKeys, policy.ByNobody, "n"}} {
		for _, json := range []bool{false, true} {
			var out bytes.Buffer
			f := New(Options{Stdout: &out, Stderr: &out, Policy: c.policy, JSON: json})
			q := question("Run it")
			if a, err := f.Ask(t.Context(), q); err != nil || a.By != c.by || a.OptionID != c.option || !strings.Contains(out.String(), "Run it") {
				t.Errorf("%s: answered %+v %v: %s", name, a, err, out.String())
			}
			q.Options = nil
			if a, _ := f.Ask(t.Context(), q); a.By != c.by || a.OptionID != "" {
				t.Errorf("%s without options: answered %+v", name, a)
			}
		}
	}
}

// TestAQuestionIsOnTheTerminalAlsoBesideJSON, which may go where nobody reads.
func TestAQuestionIsOnTheTerminalAlsoBesideJSON(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var out, err bytes.Buffer
		keys := newKeyboard()
		f := New(Options{Stdout: &out, Stderr: &err, Keys: keys, JSON: true})
		s := &stage{Front: f, keys: keys}
		ctx, end := context.WithCancel(t.Context())
		got := s.ask(ctx, question("Run it"))
		if !strings.Contains(out.String(), `"type":"question"`) || !strings.HasPrefix(err.String(), mark+"? Run it") {
			t.Errorf("stdout has %q, the terminal %q", out.String(), err.String())
		}
		end()
		<-got
	})
}
