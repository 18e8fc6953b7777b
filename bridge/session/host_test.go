package session_test

import (
	"context"
	"strings"
	"testing"

	"github.com/copilot-bridge/copilot-bridge/acp"
	"github.com/copilot-bridge/copilot-bridge/bridge/host"
	"github.com/copilot-bridge/copilot-bridge/bridge/review"
	"github.com/copilot-bridge/copilot-bridge/bridge/tools"
)

// toolTurn is a script with a turn that lasts until the marker done.
const toolTurn = hello + `
expect@p session/prompt
mark running
wait done
reply@p {"stopReason":"end_turn"}`

// inTurn runs f while a turn is running.
func (r *rig) inTurn(f func(l *link)) *TurnEnded {
	r.t.Helper()
	turn := r.prompt("go")
	r.await("running")
	f(r.link())
	r.set("done")
	return r.ended(turn)
}

func (r *rig) edit(l *link, name, old, text string) (string, error) {
	return r.editAt(l, r.path(name), old, text)
}

func (r *rig) editAt(l *link, path, old, text string) (string, error) {
	return l.Edit(r.ctx, caller(), tools.EditArgs{Path: path, Old: old, New: text})
}

func TestViewShowsWhatTheEditorShows(t *testing.T) {
	t.Parallel()
	r := newRig(t, map[string]string{"a.txt": "on disk\n", "sub/b.txt": "b\n", "bad.txt": "\xff\xfe", ".env": "SECRET=1\n"}, toolTurn).open()
	r.buffer("a.txt", "in the buffer\nsecond\n")
	r.buffer("new.txt", "not on disk yet\n")
	big := strings.Repeat("a line of some length\n", 2000)
	r.buffer("sub/b.txt", big)
	view := func(l *link, name string, rng *tools.Range) string {
		text, err := l.View(r.ctx, caller(), tools.ViewArgs{Path: name, Range: rng})
		if err != nil {
			return "error: " + err.Error()
		}
		return text
	}
	r.inTurn(func(l *link) {
		for name, c := range map[string]struct {
			path string
			rng  *tools.Range
			want string
		}{
			"unsaved":            {r.path("a.txt"), nil, "in the buffer\nsecond\n"},
			"a range":            {r.path("a.txt"), &tools.Range{Start: 2, End: -1}, "second\n"},
			"relative":           {"a.txt", &tools.Range{Start: 1, End: 1}, "in the buffer"},
			"not on disk":        {r.path("new.txt"), nil, "not on disk yet\n"},
			"a folder":           {r.path("sub"), nil, "b.txt"},
			"missing":            {r.path("none.txt"), nil, "error: " + tools.NoSuchPath(r.path("none.txt"))},
			"too large":          {r.path("sub/b.txt"), nil, "error: " + tools.TooLarge(len(big))},
			"a range of a large": {r.path("sub/b.txt"), &tools.Range{Start: 1999, End: 2000}, "a line of some length\na line of some length"},
			"not text":           {r.path("bad.txt"), nil, "error: "},
			"no path":            {"", nil, "error: the path is empty"},
		} {
			if got := view(l, c.path, c.rng); got != c.want && !(strings.HasPrefix(c.want, "error: ") && strings.HasPrefix(got, c.want)) {
				t.Errorf("%s: %q, want %q", name, got, c.want)
			}
		}
		if q := r.screen.questions(); len(q) > 0 {
			t.Errorf("asked %q", q[0].Title)
		}
		r.screen.ask = no
		for _, path := range []string{r.path(".env"), "/etc/hosts", r.path("../x")} {
			if got := view(l, path, nil); !strings.HasPrefix(got, "error: The user declined") {
				t.Errorf("%s: %q", path, got)
			}
		}
		if n := len(r.screen.questions()); n != 3 {
			t.Errorf("asked %d times about a secret and two paths outside", n)
		}
	})
}

func TestEditsReachBuffersAndDisk(t *testing.T) {
	t.Parallel()
	cases := map[string]struct {
		disk       string
		unsaved    string // "" means closed, "=" open and clean
		old, new   string
		wantErr    string
		buffer     string // what the buffer holds then
		wantOnDisk string
	}{
		"closed":               {"one\ntwo\n", "", "two", "TWO", "", "", "one\nTWO\n"},
		"clean":                {"one\ntwo\n", "=", "two", "TWO", "", "one\nTWO\n", "one\nTWO\n"},
		"dirty":                {"one\ntwo\n", "one\ntwo\nmine\n", "two", "TWO", "", "one\nTWO\nmine\n", "one\ntwo\n"},
		"LF into CRLF":         {"one\r\ntwo\r\nthree\r\n", "=", "one\ntwo\n", "1\n2\n", "", "1\r\n2\r\nthree\r\n", "1\r\n2\r\nthree\r\n"},
		"LF into closed CRLF":  {"\uFEFFone\r\ntwo\r\nlast", "", "two\nlast", "2\nlast", "", "", "\uFEFFone\r\n2\r\nlast"},
		"no match":             {"one\n", "=", "two", "TWO", "No match found", "one\n", "one\n"},
		"matches unsaved only": {"one\n", "two\n", "one", "ONE", "No match found", "two\n", "one\n"},
		"ambiguous":            {"x\nx\n", "", "x", "y", "Ambiguous match", "", "x\nx\n"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			r := newRig(t, map[string]string{"a.txt": c.disk}, toolTurn).open()
			switch c.unsaved {
			case "":
			case "=":
				r.buffer("a.txt")
			default:
				r.buffer("a.txt", c.unsaved)
			}
			end := r.inTurn(func(l *link) {
				text, err := r.edit(l, "a.txt", c.old, c.new)
				switch {
				case c.wantErr != "" && (err == nil || !strings.Contains(err.Error(), c.wantErr)):
					t.Errorf("answered %q, %v", text, err)
				case c.wantErr == "" && (err != nil || !strings.HasPrefix(text, tools.EditDone(r.path("a.txt")))):
					t.Errorf("answered %q, %v", text, err)
				}
			})
			if got := r.disk("a.txt"); got != c.wantOnDisk {
				t.Errorf("on disk: %q, want %q", got, c.wantOnDisk)
			}
			if c.unsaved != "" && r.bufferText("a.txt") != c.buffer {
				t.Errorf("in the buffer: %q, want %q", r.bufferText("a.txt"), c.buffer)
			}
			files := r.b.Review(r.ctx, review.Filter{Turn: end.Turn})
			if c.wantErr != "" {
				if len(files) > 0 || len(end.Files) > 0 {
					t.Errorf("an edit that failed is in review: %v", files)
				}
				return
			}
			if len(files) != 1 || len(end.Files) != 1 {
				t.Fatalf("in review: %v, counted %v", files, end.Files)
			}
			// Undone, everything is as it was.
			if _, bad := r.b.Undo(r.ctx, review.Selector{Turn: end.Turn}); len(bad) > 0 {
				t.Fatalf("undo: %v", bad)
			}
			want := strings.TrimPrefix(c.disk, host.ByteOrderMark)
			if c.unsaved != "" && c.unsaved != "=" {
				want = c.unsaved
			}
			if got := r.bufferText("a.txt"); c.unsaved != "" && got != want {
				t.Errorf("undone, the buffer holds %q, want %q", got, want)
			}
			if got := r.disk("a.txt"); got != c.disk {
				t.Errorf("undone, the disk holds %q, want %q", got, c.disk)
			}
		})
	}
}

func TestTheFileIsClosedBetweenTheQuestionAndTheEdit(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ unsaved, wantDisk string }{
		"clean":          {"", "one\nTWO\n"},
		"dirty, saved":   {"one\ntwo\nmine\n", "one\nTWO\nmine\n"},
		"dirty, dropped": {"one\ntwo\nlost\n", "one\nTWO\n"},
	} {
		t.Run(name, func(t *testing.T) {
			r := newRig(t, map[string]string{"a.txt": "one\ntwo\n"}, toolTurn).open()
			if c.unsaved == "" {
				r.buffer("a.txt")
			} else {
				r.buffer("a.txt", c.unsaved)
			}
			r.screen.ask = func(ctx context.Context, q *Question) (Answer, error) {
				if name == "dirty, saved" {
					if err := r.editor.SaveFile(r.path("a.txt")); err != nil {
						t.Error(err)
					}
				}
				r.editor.Close(r.path("a.txt"))
				return yes(ctx, q)
			}
			r.inTurn(func(l *link) {
				if text, err := r.edit(l, "a.txt", "two", "TWO"); err != nil {
					t.Errorf("answered %q, %v", text, err)
				}
			})
			if got := r.disk("a.txt"); got != c.wantDisk {
				t.Errorf("on disk: %q, want %q", got, c.wantDisk)
			}
		})
	}
}

func TestTheUserTypesBetweenTheQuestionAndTheEdit(t *testing.T) {
	t.Parallel()
	r := newRig(t, map[string]string{"a.txt": "one\ntwo\n"}, toolTurn).open()
	r.buffer("a.txt")
	r.screen.ask = func(ctx context.Context, q *Question) (Answer, error) {
		r.editor.Type(r.path("a.txt"), 0, "typed\n")
		return yes(ctx, q)
	}
	r.inTurn(func(l *link) {
		if _, err := r.edit(l, "a.txt", "two", "TWO"); err != nil {
			t.Error(err)
		}
	})
	if got := r.bufferText("a.txt"); got != "typed\none\nTWO\n" {
		t.Errorf("the buffer holds %q", got)
	}
}

func TestCreate(t *testing.T) {
	t.Parallel()
	r := newRig(t, map[string]string{"a.txt": "one\n", "sub/x": ""}, toolTurn).open()
	r.buffer("open.txt", "a new buffer\n")
	end := r.inTurn(func(l *link) {
		create := func(name, text string) string {
			s, err := l.Create(r.ctx, caller(), tools.CreateArgs{Path: r.path(name), Text: text})
			if err != nil {
				return err.Error()
			}
			return s
		}
		for name, want := range map[string]string{
			"a.txt":          tools.AlreadyExists(r.path("a.txt"), false),
			"sub":            tools.AlreadyExists(r.path("sub"), true),
			"open.txt":       tools.AlreadyExists(r.path("open.txt"), false),
			"deep/er/n.txt":  tools.CreateDone(r.path("deep/er/n.txt"), "text\n"),
			"sub/empty.file": tools.CreateDone(r.path("sub/empty.file"), "text\n"),
		} {
			if got := create(name, "text\n"); got != want {
				t.Errorf("%s: %q, want %q", name, got, want)
			}
		}
	})
	if got := r.disk("deep/er/n.txt"); got != "text\n" {
		t.Errorf("made %q", got)
	}
	if _, bad := r.b.Undo(r.ctx, review.Selector{Turn: end.Turn}); len(bad) > 0 {
		t.Fatal(bad)
	}
	if got := r.disk("deep"); !strings.Contains(got, "no such file") {
		t.Errorf("the folder that was made for the file is still there: %s", got)
	}
}

func TestToolsAreRefusedInPlanModeAndWithoutASession(t *testing.T) {
	t.Parallel()
	r := newRig(t, map[string]string{"a.txt": "one\n"}, strings.Replace(toolTurn, "session s1", `session s1 {"modes":{"currentModeId":"x#plan","availableModes":[]}}`, 1)).open()
	r.inTurn(func(l *link) {
		_, err1 := r.edit(l, "a.txt", "one", "two")
		_, err2 := l.Create(r.ctx, caller(), tools.CreateArgs{Path: r.path("n.txt")})
		_, err3 := l.Bash(r.ctx, caller(), tools.BashArgs{Command: "touch " + r.path("t.txt"), Mode: tools.BashSync}, func(string) {})
		for _, err := range []error{err1, err2, err3} {
			if err == nil || !strings.Contains(err.Error(), "plan mode") {
				t.Errorf("answered %v", err)
			}
		}
		if text, err := l.View(r.ctx, caller(), tools.ViewArgs{Path: "a.txt"}); err != nil || text != "one\n" {
			t.Errorf("reading: %q, %v", text, err)
		}
		ctx, cancel := context.WithCancel(r.ctx)
		cancel()
		if _, err := l.View(ctx, tools.Caller{AgentSession: "unheard of"}, tools.ViewArgs{Path: "a.txt"}); err == nil {
			t.Error("an unknown session reads")
		}
	})
	if got := r.disk("a.txt"); got != "one\n" {
		t.Errorf("the file is %q", got)
	}
}

func TestARefusalIsReadByTheModelAndTheTurnGoesOn(t *testing.T) {
	t.Parallel()
	r := newRig(t, map[string]string{"a.txt": "one\n"}, toolTurn).open()
	r.screen.ask = func(context.Context, *Question) (Answer, error) {
		return Answer{OptionID: optReject, Words: "use b.txt"}, nil
	}
	end := r.inTurn(func(l *link) {
		if _, err := r.edit(l, "a.txt", "one", "two"); err == nil || !strings.Contains(err.Error(), "use b.txt") {
			t.Errorf("answered %v", err)
		}
	})
	if end.StopReason != acp.StopReasonEndTurn || r.disk("a.txt") != "one\n" {
		t.Errorf("ended with %s, the file is %q", end.StopReason, r.disk("a.txt"))
	}
}

func TestACancelEndsToolsThatAsk(t *testing.T) {
	t.Parallel()
	r := newRig(t, map[string]string{"a.txt": "one\n"}, hello+"expect@p session/prompt\nmark running\nexpect session/cancel\nreply@p {\"stopReason\":\"cancelled\"}").open()
	asking := make(chan struct{})
	r.screen.ask = func(ctx context.Context, _ *Question) (Answer, error) {
		close(asking)
		<-ctx.Done()
		return Answer{OptionID: optOnce}, nil
	}
	turn := r.prompt("go")
	r.await("running")
	l := r.link()
	got := make(chan error, 1)
	go func() { _, err := r.edit(l, "a.txt", "one", "two"); got <- err }()
	<-asking
	r.b.Cancel(r.session, Cancellation{Turn: turn})
	if err := <-got; err == nil || !strings.Contains(err.Error(), "cancelled") {
		t.Errorf("answered %v", err)
	}
	r.ended(turn)
	if got := r.disk("a.txt"); got != "one\n" {
		t.Errorf("the file is %q", got)
	}
}

func TestDiagnosticsAndSelection(t *testing.T) {
	t.Parallel()
	r := newRig(t, map[string]string{"a.txt": "one\n"}, toolTurn).open()
	r.inTurn(func(l *link) {
		if _, err := l.Diagnostics(r.ctx, caller(), tools.DiagnosticsArgs{}); err == nil || !strings.Contains(err.Error(), "does not pass diagnostics on") {
			t.Errorf("an editor without: %v", err)
		}
		if _, err := l.Selection(r.ctx, caller()); err == nil || !strings.Contains(err.Error(), "ask the user") {
			t.Errorf("an editor without: %v", err)
		}
		r.screen.diagnostics = func(paths []string) ([]FileDiagnostics, error) {
			return []FileDiagnostics{{Path: r.path("a.txt"), Items: []Diagnostic{{Line: 1, Column: 2, Severity: "error", Source: "vet", Code: "E1", Message: "wrong"}}}}, nil
		}
		r.screen.selection = func() (*Selection, error) {
			return &Selection{Path: r.path("a.txt"), StartLine: 1, EndLine: 1, Text: "one"}, nil
		}
		if got, err := l.Diagnostics(r.ctx, caller(), tools.DiagnosticsArgs{Path: "a.txt"}); err != nil || got != "a.txt:1:2: error: wrong [vet E1]\n" {
			t.Errorf("%q, %v", got, err)
		}
		if got, err := l.Selection(r.ctx, caller()); err != nil || !strings.HasSuffix(got, "lines 1 to 1:\none") {
			t.Errorf("%q, %v", got, err)
		}
		r.screen.ask = no
		r.screen.selection = func() (*Selection, error) { return &Selection{Path: "/etc/hosts", StartLine: 1}, nil }
		if got, err := l.Selection(r.ctx, caller()); err == nil {
			t.Errorf("a selection outside is told without a question: %q", got)
		}
	})
}

func TestTheQuestionNamesItsToolCall(t *testing.T) {
	t.Parallel()
	r := newRig(t, map[string]string{"a.txt": "one\n"}, hello+`
expect@p session/prompt
update tool_call {"toolCallId":"call-7","title":"editor-edit","rawInput":{"path":"$cwd/a.txt","old_str":"one","new_str":"two"}}
mark running
wait done
reply@p {"stopReason":"end_turn"}`).open()
	r.inTurn(func(l *link) {
		if _, err := r.edit(l, "a.txt", "one", "two"); err != nil {
			t.Error(err)
		}
	})
	q := r.screen.questions()
	if len(q) != 1 || q[0].ToolCall.ToolCallID != "call-7" || q[0].Turn == "" || len(q[0].Diffs) != 1 || q[0].Diffs[0].NewText != "two\n" {
		t.Errorf("the questions: %+v", q)
	}
}
