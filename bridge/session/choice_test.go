package session_test

import (
	"context"
	"strings"
	"testing"

	"github.com/copilot-bridge/copilot-bridge/acp"
	"github.com/copilot-bridge/copilot-bridge/bridge/review"
	"github.com/copilot-bridge/copilot-bridge/bridge/tools"
)

// picking answers a question with some of its parts, counted from 0.
func picking(which ...int) func(context.Context, *Question) (Answer, error) {
	return func(_ context.Context, q *Question) (Answer, error) {
		a := Answer{OptionID: optOnce, Hunks: []string{}}
		for _, n := range which {
			a.Hunks = append(a.Hunks, q.Diffs[0].Hunks[n].ID)
		}
		return a, nil
	}
}

const (
	fiveLines = "one\ntwo\nthree\nfour\nfive\n"
	oddCaps   = "ONE\ntwo\nTHREE\nfour\nFIVE\n"
)

func TestOnlyTheChosenPartsAreMade(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		pick []int
		want string // on disk; "" for a refusal
		left []string
	}{
		"the first":          {[]int{0}, "ONE\ntwo\nthree\nfour\nfive\n", []string{"+THREE", "+FIVE"}},
		"the last":           {[]int{2}, "one\ntwo\nthree\nfour\nFIVE\n", []string{"+ONE", "+THREE"}},
		"two, in any order":  {[]int{2, 0}, "ONE\ntwo\nthree\nfour\nFIVE\n", []string{"+THREE"}},
		"one, said twice":    {[]int{1, 1}, "one\ntwo\nTHREE\nfour\nfive\n", []string{"-one\n+ONE", "-five\n+FIVE"}},
		"all":                {[]int{0, 1, 2}, oddCaps, nil},
		"none":               {nil, "", nil},
		"all, named by none": {[]int{-1}, oddCaps, nil},
	} {
		for _, road := range []string{"edit", "fs/write_text_file"} {
			for _, where := range []string{"disk", "buffer", "unsaved"} {
				t.Run(name+", "+road+", "+where, func(t *testing.T) {
					r := newRig(t, map[string]string{"a.txt": fiveLines}, toolTurn).open()
					switch where {
					case "buffer":
						r.buffer("a.txt")
					case "unsaved":
						r.buffer("a.txt", fiveLines+"mine\n")
					}
					r.screen.ask = picking(c.pick...)
					if len(c.pick) == 1 && c.pick[0] < 0 {
						r.screen.ask = yes
					}
					var text string
					var err error
					end := r.inTurn(func(l *link) { text, err = r.change(l, road, fiveLines, oddCaps) })
					tail := map[bool]string{true: "mine\n"}[where == "unsaved"]
					want := c.want + tail
					got := r.bufferText("a.txt")
					if where == "disk" {
						got = r.disk("a.txt")
					}
					if c.want == "" {
						want = fiveLines + tail
						if err == nil || !strings.Contains(err.Error(), "declined") {
							t.Errorf("answered %q, %v", text, err)
						}
					}
					if got != want {
						t.Errorf("the file is %q, want %q", got, want)
					}
					if err != nil {
						text += err.Error()
					}
					for _, s := range c.left {
						if !strings.Contains(text, s) || !strings.Contains(text, "The user allowed only") {
							t.Errorf("the model is not told of %q: %s", s, text)
						}
					}
					if c.left == nil && strings.Contains(text, "allowed only") {
						t.Errorf("the model is told %s", text)
					}
					files := r.b.Review(r.ctx, review.Filter{Turn: end.Turn})
					if c.want == "" {
						if len(files) > 0 {
							t.Errorf("there is something to review: %v", files)
						}
						return
					}
					hunks := 0
					for _, f := range files {
						hunks += len(f.Hunks)
					}
					if want := strings.Count(c.want, "ONE") + strings.Count(c.want, "THREE") + strings.Count(c.want, "FIVE"); hunks != want {
						t.Errorf("%d hunks to review, want %d: %v", hunks, want, files)
					}
					if _, bad := r.b.Undo(r.ctx, review.Selector{Turn: end.Turn}); len(bad) > 0 {
						t.Fatal(bad)
					}
					if got := r.disk("a.txt"); got != fiveLines {
						t.Errorf("undone, the disk holds %q", got)
					}
				})
			}
		}
	}
}

// change changes a.txt from one text to another, by one of the roads.
func (r *rig) change(l *link, road, old, text string) (string, error) {
	if road == "edit" {
		return r.edit(l, "a.txt", old, text)
	}
	s := r.theSession()
	ctx, cancel := s.During(r.ctx)
	defer cancel()
	_, err := s.Host().WriteTextFile(ctx, &acp.WriteTextFileRequest{Path: r.path("a.txt"), Content: text})
	return "", err
}

func TestPartsThatWereNotOfferedAreANo(t *testing.T) {
	t.Parallel()
	for name, answer := range map[string]func(*Question) Answer{
		"an id of nobody": func(*Question) Answer { return Answer{OptionID: optOnce, Hunks: []string{"x"}} },
		"an empty id":     func(*Question) Answer { return Answer{OptionID: optOnce, Hunks: []string{""}} },
		"one good, one bad": func(q *Question) Answer {
			return Answer{OptionID: optOnce, Hunks: []string{q.Diffs[0].Hunks[0].ID, "x"}}
		},
		"of a question before":       func(q *Question) Answer { return Answer{OptionID: optOnce, Hunks: []string{"q-0.1"}} },
		"an empty list, and always":  func(*Question) Answer { return Answer{OptionID: optAlways, Hunks: []string{}} },
		"good ones, but it is a no":  func(q *Question) Answer { return Answer{OptionID: optReject, Hunks: []string{q.Diffs[0].Hunks[0].ID}} },
		"good ones without a choice": func(q *Question) Answer { return Answer{Hunks: []string{q.Diffs[0].Hunks[0].ID}} },
	} {
		t.Run(name, func(t *testing.T) {
			r := newRig(t, map[string]string{"a.txt": fiveLines}, toolTurn).open()
			r.screen.ask = func(_ context.Context, q *Question) (Answer, error) { return answer(q), nil }
			r.inTurn(func(l *link) {
				if text, err := r.edit(l, "a.txt", fiveLines, oddCaps); err == nil {
					t.Errorf("answered %q", text)
				}
			})
			if got := r.disk("a.txt"); got != fiveLines {
				t.Errorf("the file is %q", got)
			}
			if list, err := r.b.Remembered(); err != nil || len(list) > 0 {
				t.Errorf("remembered %v, %v", list, err)
			}
		})
	}
}

// TestQuestionsWithoutPartsAreAllOrNothing guards commands, which have no parts: an answer that names some is to
// something else.
func TestQuestionsWithoutPartsAreAllOrNothing(t *testing.T) {
	t.Parallel()
	for name, hunks := range map[string][]string{"an empty list": {}, "an id": {"q.1"}} {
		t.Run(name, func(t *testing.T) {
			r := newRig(t, nil, toolTurn).open()
			r.screen.ask = func(context.Context, *Question) (Answer, error) { return Answer{OptionID: optOnce, Hunks: hunks}, nil }
			r.inTurn(func(l *link) {
				if text, err := l.Bash(r.ctx, caller(), tools.BashArgs{Command: "touch " + r.path("made"), Mode: tools.BashSync}, nil); err == nil {
					t.Errorf("answered %q", text)
				}
			})
			if got := r.disk("made"); !strings.Contains(got, "no such file") {
				t.Errorf("the command ran: %q", got)
			}
		})
	}
}

func TestAYesToSomePartsIsNotRemembered(t *testing.T) {
	t.Parallel()
	r := newRig(t, map[string]string{"a.txt": fiveLines}, toolTurn).open()
	r.screen.ask = func(ctx context.Context, q *Question) (Answer, error) {
		a, err := picking(0)(ctx, q)
		a.OptionID, a.Words = optAlways, "only the first"
		return a, err
	}
	r.inTurn(func(l *link) {
		if text, err := r.edit(l, "a.txt", fiveLines, oddCaps); err != nil || !strings.Contains(text, "only the first") {
			t.Errorf("answered %q, %v", text, err)
		}
	})
	if list, _ := r.b.Remembered(); len(list) > 0 {
		t.Errorf("remembered %v", list)
	}
}

// TestThePersonTypesWhilePartsAreChosen guards their text: it stays, wherever it is typed, and a part that meets it is a
// conflict.
func TestThePersonTypesWhilePartsAreChosen(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		at    int
		typed string
		want  string
		fails bool
	}{
		"above":                {0, "mine\n", "mine\nONE\ntwo\nthree\nfour\nFIVE\n", false},
		"below":                {len(fiveLines), "mine\n", "ONE\ntwo\nthree\nfour\nFIVE\nmine\n", false},
		"where it was refused": {len("one\ntwo\n"), "my ", "ONE\ntwo\nmy three\nfour\nFIVE\n", false},
		"where it was allowed": {len("one\ntwo\nthree\nfour\nfi"), "MY", "one\ntwo\nthree\nfour\nfiMYve\n", true},
	} {
		for _, road := range []string{"edit", "fs/write_text_file"} {
			t.Run(name+", "+road, func(t *testing.T) {
				r := newRig(t, map[string]string{"a.txt": fiveLines}, toolTurn).open()
				r.buffer("a.txt")
				r.screen.ask = func(ctx context.Context, q *Question) (Answer, error) {
					r.editor.Type(r.path("a.txt"), c.at, c.typed)
					return picking(0, 2)(ctx, q)
				}
				r.inTurn(func(l *link) {
					text, err := r.change(l, road, fiveLines, oddCaps)
					conflict := err != nil && !strings.Contains(err.Error(), "allowed only")
					if conflict != c.fails {
						t.Errorf("answered %q, %v", text, err)
					}
				})
				if got := r.bufferText("a.txt"); got != c.want {
					t.Errorf("the buffer holds %q, want %q", got, c.want)
				}
			})
		}
	}
}

// TestAWholeFileIsShownAsItWillBe guards a question about a write by an agent that read the file before the user went on
// typing: what they typed is not shown as taken away, because it is not.
func TestAWholeFileIsShownAsItWillBe(t *testing.T) {
	t.Parallel()
	r := newRig(t, map[string]string{"a.txt": fiveLines}, toolTurn).open()
	r.buffer("a.txt")
	r.screen.ask = picking(1)
	r.inTurn(func(l *link) {
		if _, err := l.View(r.ctx, caller(), tools.ViewArgs{Path: r.path("a.txt")}); err != nil {
			t.Fatal(err)
		}
		r.editor.Type(r.path("a.txt"), 0, "mine\n")
		if _, err := r.change(l, "fs/write_text_file", "", oddCaps); err == nil || !strings.Contains(err.Error(), "allowed only 1 of 3") {
			t.Errorf("answered %v", err)
		}
		d := r.screen.questions()[0].Diffs[0]
		if d.OldText != "mine\n"+fiveLines || d.NewText != "mine\n"+oddCaps {
			t.Errorf("shown %+v", d)
		}
		// It has another text in mind now, and must not take the whole file back to it.
		r.screen.ask = yes
		if _, err := r.change(l, "fs/write_text_file", "", "one\nsix\n"); err == nil {
			for _, h := range r.screen.questions()[1].Diffs[0].Hunks {
				if strings.Contains(h.OldText, "mine") {
					t.Errorf("it takes away what was typed: %+v", h)
				}
			}
		}
	})
	if got := r.bufferText("a.txt"); !strings.HasPrefix(got, "mine\n") {
		t.Errorf("the buffer holds %q", got)
	}
}
