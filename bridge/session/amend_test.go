package session_test

import (
	"context"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/copilot-bridge/copilot-bridge/acp"
	"github.com/copilot-bridge/copilot-bridge/bridge/review"
	"github.com/copilot-bridge/copilot-bridge/bridge/tools"
)

// amending answers a question with a text of the user's.
func amending(text string) func(context.Context, *Question) (Answer, error) {
	return func(context.Context, *Question) (Answer, error) {
		return Answer{OptionID: optOnce, NewText: &text}, nil
	}
}

// The text that the user made of a change is what is written, the model reads the difference, and an undo takes all of it back.
func TestAnAmendedTextIsWhatIsWritten(t *testing.T) {
	t.Parallel()
	const mine = "ONE\ntwo and a half\nTHREE\nfour\n"
	for _, road := range []string{"edit", "fs/write_text_file"} {
		for _, where := range []string{"disk", "buffer", "unsaved"} {
			t.Run(road+", "+where, func(t *testing.T) {
				r := newRig(t, map[string]string{"a.txt": fiveLines}, toolTurn).open()
				old := fiveLines
				switch where {
				case "buffer":
					r.buffer("a.txt")
				case "unsaved":
					old = fiveLines + "mine\n"
					r.buffer("a.txt", old)
				}
				r.screen.ask = amending(mine)
				var text string
				end := r.inTurn(func(l *link) {
					got, err := r.change(l, road, fiveLines, oddCaps)
					if text = got; err != nil {
						text += err.Error()
					}
				})
				got := r.bufferText("a.txt")
				if where == "disk" {
					got = r.disk("a.txt")
				}
				if got != mine {
					t.Errorf("the file is %q", got)
				}
				if d := r.screen.questions()[0].Diffs[0]; !d.Amendable || d.OldText != old || len(r.screen.questions()) != 1 {
					t.Errorf("asked %d times, %+v", len(r.screen.questions()), d)
				}
				for _, s := range []string{"-FIVE", "+two and a half", "-two\n", "The user changed your text"} {
					if !strings.Contains(text, s) {
						t.Errorf("the model is not told of %q: %s", s, text)
					}
				}
				if _, bad := r.b.Undo(r.ctx, review.Selector{Turn: end.Turn}); len(bad) > 0 {
					t.Fatal(bad)
				}
				if got := r.bufferText("a.txt"); where != "disk" && got != old || r.disk("a.txt") != fiveLines {
					t.Errorf("undone, the buffer holds %q, the disk %q", got, r.disk("a.txt"))
				}
			})
		}
	}
}

func TestANewFileIsAmended(t *testing.T) {
	t.Parallel()
	r := newRig(t, nil, toolTurn).open()
	r.screen.ask = amending("the user's\n")
	r.inTurn(func(l *link) {
		text, err := l.Create(r.ctx, caller(), tools.CreateArgs{Path: r.path("deep/new.txt"), Text: "the agent's\n"})
		if err != nil || !strings.Contains(text, "-the agent's\n+the user's") || !strings.Contains(text, "11 characters") {
			t.Errorf("the model reads %q, %v", text, err)
		}
	})
	if got := r.disk("deep/new.txt"); got != "the user's\n" {
		t.Errorf("the file is %q", got)
	}
}

// Nothing but an option that allows, beside one text for a change that can be amended, is a yes.
func TestAnAmendedTextThatCannotBeIsANo(t *testing.T) {
	t.Parallel()
	evil := "evil\n"
	for name, answer := range map[string]func(*Question) Answer{
		"beside a no":                func(*Question) Answer { return Answer{OptionID: optReject, NewText: &evil} },
		"without a choice":           func(*Question) Answer { return Answer{NewText: &evil} },
		"beside what is not offered": func(*Question) Answer { return Answer{OptionID: "allow", NewText: &evil} },
		"with all parts": func(q *Question) Answer {
			return Answer{OptionID: optOnce, NewText: &evil, Hunks: []string{q.Diffs[0].Hunks[0].ID, q.Diffs[0].Hunks[1].ID, q.Diffs[0].Hunks[2].ID}}
		},
		"with no part":              func(*Question) Answer { return Answer{OptionID: optOnce, NewText: &evil, Hunks: []string{}} },
		"the text as it is":         func(q *Question) Answer { return Answer{OptionID: optOnce, NewText: &q.Diffs[0].OldText} },
		"the text as it is, always": func(q *Question) Answer { return Answer{OptionID: optAlways, NewText: &q.Diffs[0].OldText} },
	} {
		t.Run(name, func(t *testing.T) {
			r := newRig(t, map[string]string{"a.txt": fiveLines}, toolTurn).open()
			r.screen.ask = func(_ context.Context, q *Question) (Answer, error) { return answer(q), nil }
			r.inTurn(func(l *link) {
				if text, err := r.edit(l, "a.txt", fiveLines, oddCaps); err == nil {
					t.Errorf("answered %q", text)
				}
			})
			if list, err := r.b.Remembered(); r.disk("a.txt") != fiveLines || err != nil || len(list) > 0 {
				t.Errorf("the file is %q, remembered %v, %v", r.disk("a.txt"), list, err)
			}
		})
	}
}

// A question about anything but one change that the bridge makes itself takes no text.
func TestOnlyAChangeThatTheBridgeMakesIsAmended(t *testing.T) {
	t.Parallel()
	r := newRig(t, map[string]string{"a.txt": fiveLines, ".env": "A=1\n"}, toolTurn).open()
	r.screen.ask = amending("evil\n")
	kind := acp.ToolKindEdit
	r.inTurn(func(l *link) {
		if text, err := l.Bash(r.ctx, caller(), tools.BashArgs{Command: "touch ran", Mode: tools.BashSync}, nil); err == nil {
			t.Errorf("a command: %q", text)
		}
		if text, err := l.View(r.ctx, caller(), tools.ViewArgs{Path: r.path(".env")}); err == nil {
			t.Errorf("a read: %q", text)
		}
		old := fiveLines
		resp := r.theSession().RequestPermission(r.ctx, &acp.RequestPermissionRequest{
			ToolCall: acp.ToolCallUpdate{ToolCallID: "c", Kind: &kind, Content: []acp.ToolCallContent{&acp.Diff{Path: r.path("a.txt"), OldText: &old, NewText: oddCaps}}},
			Options:  []acp.PermissionOption{{OptionID: "y", Kind: acp.PermissionOptionKindAllowOnce}, {OptionID: "n", Kind: acp.PermissionOptionKindRejectOnce}},
		})
		if o, ok := resp.(*acp.RequestPermissionResponse).Outcome.(*acp.SelectedPermissionOutcome); !ok || o.OptionID != "n" {
			t.Errorf("a question of the agent's own: %+v", resp)
		}
	})
	for _, q := range r.screen.questions() {
		if slices.ContainsFunc(q.Diffs, func(d FileDiff) bool { return d.Amendable }) {
			t.Errorf("offered: %+v", q)
		}
	}
	if len(r.screen.questions()) != 3 || r.disk("a.txt") != fiveLines || r.disk("ran") == "" {
		t.Errorf("asked %d times, the file is %q", len(r.screen.questions()), r.disk("a.txt"))
	}
}

// What the user typed in the buffer meanwhile stays. With any other change the answer was one to a text that is gone: nothing is
// written, and the agent's text is not put up again.
func TestAStaleAmendedTextIsANo(t *testing.T) {
	t.Parallel()
	mine := strings.Replace(fiveLines, "three", "3", 1)
	for name, c := range map[string]struct {
		open bool
		then func(r *rig)
		want string
		yes  bool
	}{
		"typed elsewhere":     {true, func(r *rig) { r.editor.Type(r.path("a.txt"), 0, "above\n") }, "above\n" + mine, true},
		"typed in that line":  {true, func(r *rig) { r.editor.Type(r.path("a.txt"), len("one\ntwo\n"), "MY ") }, strings.Replace(fiveLines, "three", "MY three", 1), false},
		"changed on disk":     {false, func(r *rig) { r.put("a.txt", "other\n"+fiveLines) }, "other\n" + fiveLines, false},
		"removed":             {false, func(r *rig) { os.Remove(r.path("a.txt")) }, "", false},
		"became a link":       {false, func(r *rig) { os.Remove(r.path("a.txt")); os.Symlink(r.path("b.txt"), r.path("a.txt")) }, "b\n", false},
		"changed to the same": {false, func(r *rig) { r.put("a.txt", oddCaps) }, oddCaps, false},
	} {
		for _, road := range []string{"edit", "fs/write_text_file"} {
			t.Run(name+", "+road, func(t *testing.T) {
				r := newRig(t, map[string]string{"a.txt": fiveLines, "b.txt": "b\n"}, toolTurn).open()
				if c.open {
					r.buffer("a.txt")
				}
				r.screen.ask = func(context.Context, *Question) (Answer, error) {
					c.then(r)
					return Answer{OptionID: optOnce, NewText: &mine}, nil
				}
				r.inTurn(func(l *link) {
					text, err := r.change(l, road, fiveLines, oddCaps)
					if err != nil {
						text += err.Error()
					}
					if got := strings.Contains(text, "The user changed your text"); got != c.yes {
						t.Errorf("the model reads %q", text)
					}
				})
				got := r.bufferText("a.txt")
				if !c.open {
					got = r.disk("a.txt")
				}
				if got != c.want && (c.want != "" || !strings.HasPrefix(got, "(")) {
					t.Errorf("the file is %q", got)
				}
				if n := len(r.screen.questions()); n != 1 {
					t.Errorf("asked %d times", n)
				}
			})
		}
	}
}

// A control file decides what runs: a text of the user's for it is asked about as any other, with all that the question says.
func TestAnAmendedControlFileIsAskedAboutAsSuch(t *testing.T) {
	t.Parallel()
	const mine = "{\"$schema\": \"https://example.org/s\"}\n"
	for name, c := range map[string]struct {
		second Answer
		want   string
		asked  int
	}{
		"allowed":       {Answer{OptionID: optOnce}, mine, 2},
		"declined":      {Answer{OptionID: optReject}, "{}\n", 2},
		"closed":        {Answer{}, "{}\n", 2},
		"sent again":    {Answer{OptionID: optOnce, NewText: ptr(mine)}, mine, 2},
		"as proposed":   {Answer{OptionID: optOnce, NewText: ptr("{\"a\": 1}\n")}, "{\"a\": 1}\n", 3},
		"never at rest": {Answer{OptionID: optOnce, NewText: ptr("?")}, "{}\n", 3},
	} {
		t.Run(name, func(t *testing.T) {
			r := newRigWith(t, map[string]string{".vscode/settings.json": "{}\n"}, func(c *Config) { c.Rules = everythingAllowed }, toolTurn).open()
			n := 0
			r.screen.ask = func(context.Context, *Question) (Answer, error) {
				n++
				switch {
				case n == 1:
					return Answer{OptionID: optOnce, NewText: ptr(mine)}, nil
				case n == 2:
					return c.second, nil
				case name == "never at rest":
					return Answer{OptionID: optOnce, NewText: ptr("!")}, nil
				}
				return Answer{OptionID: optOnce}, nil
			}
			r.inTurn(func(l *link) {
				text, err := r.edit(l, ".vscode/settings.json", "{}", "{\"a\": 1}")
				if told := err == nil && strings.Contains(text, "The user changed your text"); told != (c.want == mine) {
					t.Errorf("the model reads %q, %v", text, err)
				}
			})
			if got := r.disk(".vscode/settings.json"); got != c.want || n != c.asked {
				t.Errorf("the file is %q, asked %d times", got, n)
			}
			q := r.screen.questions()[1]
			if d := q.Diffs[0]; d.NewText != mine || d.OldText != "{}\n" || !strings.Contains(q.Reason, "decides what runs") || !strings.Contains(strings.Join(q.Notes, " "), "example.org") {
				t.Errorf("asked %+v", q)
			}
		})
	}
}

func ptr(s string) *string { return &s }

// The file keeps its line ends when the editor that amends it knows only one kind, and a text that came back as it was is a plain yes.
func TestAnAmendedTextKeepsTheLineEnds(t *testing.T) {
	t.Parallel()
	const disk = "one\r\ntwo\r\nthree"
	for name, c := range map[string]struct {
		text, want string
		amended    bool
	}{
		"amended":          {"one\n2\nthree", "one\r\n2\r\nthree", true},
		"amended with its": {"one\r\n2\r\nthree", "one\r\n2\r\nthree", true},
		"as it was":        {"one\nTWO\nthree", "one\r\nTWO\r\nthree", false},
	} {
		t.Run(name, func(t *testing.T) {
			r := newRig(t, map[string]string{"a.txt": disk}, toolTurn).open()
			r.screen.ask = amending(c.text)
			r.inTurn(func(l *link) {
				text, err := r.edit(l, "a.txt", "two", "TWO")
				if err != nil || strings.Contains(text, "The user changed") != c.amended {
					t.Errorf("the model reads %q, %v", text, err)
				}
			})
			if got := r.disk("a.txt"); got != c.want {
				t.Errorf("the file is %q", got)
			}
		})
	}
}
