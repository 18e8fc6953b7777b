package fsproxy_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/rs/zerolog"

	"github.com/copilot-bridge/copilot-bridge/fsproxy"
	"github.com/copilot-bridge/copilot-bridge/fsproxy/fsproxytest"
)

// scene is an editor that takes one step at a time, with a clock of its own.
type scene struct {
	t      *testing.T
	files  *fsproxy.MemFiles
	over   *fsproxy.Overlay
	ed     *fsproxytest.Editor
	fs     *fsproxy.FS
	begun  []string
	ended  chan error
	result *fsproxy.WriteResult
}

func inScene(t *testing.T, kind fsproxytest.Kind, onDisk string, f func(s *scene)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		s := &scene{t: t, files: fsproxy.NewMemFiles(), ended: make(chan error, 2)}
		_ = s.files.Store(file, onDisk)
		s.over = fsproxy.NewOverlay(s.files.Source())
		s.ed = fsproxytest.New(kind, s.over, s.files)
		s.fs = fsproxy.NewOver(s.files, fsproxy.Config{Overlay: s.over, Editor: s.ed, Log: zerolog.Nop()})
		s.ed.Open(file)
		s.ed.Settle()
		f(s)
		s.ed.Settle()
		s.fs.Close()
	})
}

// start begins an edit and waits until the editor has been asked.
func (s *scene) start(ctx context.Context, old, new string) {
	go func() {
		r, err := s.fs.Edit(ctx, fsproxy.EditRequest{Path: file, Old: old, New: new, Begin: func(before *fsproxy.Snapshot, after string) error {
			s.begun = append(s.begun, before.Text.String()+" → "+after)
			return nil
		}})
		s.result = r
		s.ended <- err
	}()
	synctest.Wait()
}

func (s *scene) steps(steps ...func() bool) {
	s.t.Helper()
	for i, step := range steps {
		if !step() {
			s.t.Fatalf("step %d cannot be taken: %+v", i, s.ed.Pending())
		}
		synctest.Wait()
	}
}

// end waits for the edit, letting time pass as it must.
func (s *scene) end() error { return <-s.ended }

func (s *scene) buffer(want string) {
	s.t.Helper()
	if got, _ := s.ed.Text(file); got != want {
		s.t.Errorf("buffer %q, want %q", got, want)
	}
}

func (s *scene) typing(at int, put string) func() bool {
	return func() bool { s.ed.Type(file, at, put); return true }
}

func (s *scene) outcome(err error, want fsproxy.Outcome) {
	s.t.Helper()
	var e *fsproxy.EditError
	switch {
	case err == nil && s.result.Outcome != want:
		s.t.Errorf("outcome %v, want %v", s.result.Outcome, want)
	case err != nil && (!errors.As(err, &e) || e.Outcome != want):
		s.t.Errorf("got %v, want %v", err, want)
	}
}

func TestStaleEditIsMergedAndSentAgain(t *testing.T) {
	for _, kind := range []fsproxytest.Kind{fsproxytest.Honest, fsproxytest.Neovim, fsproxytest.Eglot, fsproxytest.Helix, fsproxytest.VSCode} {
		t.Run(kind.String(), func(t *testing.T) {
			inScene(t, kind, "one\ntwo\nthree\n", func(s *scene) {
				s.start(s.t.Context(), "two", "TWO")
				// The user types before the editor takes up the request, and the word of
				// it comes after the answer.
				s.steps(s.typing(0, "typed\n"), s.ed.Take, s.ed.Answer, s.ed.Deliver)
				if kind == fsproxytest.Neovim {
					time.Sleep(fsproxy.ShowTime) // it said "applied"; its text has to prove that
					synctest.Wait()
				}
				s.steps(s.ed.Take, s.ed.Answer, s.ed.Deliver)
				s.ed.Settle()
				s.outcome(s.end(), fsproxy.Merged)
				s.buffer("typed\none\nTWO\nthree\n")
				want := "one\ntwo\nthree\n → one\nTWO\nthree\n|typed\none\ntwo\nthree\n → typed\none\nTWO\nthree\n"
				if got := strings.Join(s.begun, "|"); got != want {
					t.Errorf("begin was told %q", got)
				}
				if onDisk, _ := s.files.Load(file); onDisk != "one\ntwo\nthree\n" || s.result.Saved {
					t.Errorf("what the user had just typed was saved: %q", onDisk)
				}
			})
		})
	}
}

func TestTypingAfterTheEditIsNoConcernOfIt(t *testing.T) {
	for _, kind := range fsproxytest.Kinds {
		t.Run(kind.String(), func(t *testing.T) {
			inScene(t, kind, "one\ntwo\nthree\n", func(s *scene) {
				s.start(s.t.Context(), "two", "TWO")
				s.steps(s.ed.Take)
				if kind == fsproxytest.Kak {
					s.steps(s.ed.MakeLate)
				}
				s.steps(s.typing(5, "x"), s.ed.Answer) // within what the edit put in
				for s.ed.Deliver() {
					synctest.Wait()
				}
				if err := s.end(); err != nil {
					t.Error(err)
				}
				s.buffer("one\nTxWO\nthree\n")
				if len(s.begun) != 1 {
					t.Errorf("begun %q", s.begun)
				}
			})
		})
	}
}

func TestEditAtTheWrongPlaceIsPutRight(t *testing.T) {
	inScene(t, fsproxytest.Kak, "one\ntwo\nthree\n", func(s *scene) {
		s.start(s.t.Context(), "two", "TWO")
		s.steps(s.ed.Take, s.ed.Answer, s.typing(0, "1\n"), s.ed.MakeLate)
		s.buffer("1\nTWO\ntwo\nthree\n")
		s.steps(s.ed.Deliver, s.ed.Deliver)
		time.Sleep(time.Second)
		synctest.Wait()
		s.steps(s.ed.Take, s.ed.Answer, s.ed.MakeLate)
		for s.ed.Deliver() {
			synctest.Wait()
		}
		s.outcome(s.end(), fsproxy.Merged)
		s.buffer("1\none\nTWO\nthree\n")
	})
}

func TestTextThatWentWithAnEditIsPutBack(t *testing.T) {
	inScene(t, fsproxytest.Zed, "one\ntwo\nthree\n", func(s *scene) {
		s.start(s.t.Context(), "two", "2")
		s.steps(s.typing(6, "typed"), s.ed.Deliver, s.ed.Take, s.ed.Answer)
		s.buffer("one\n2\nthree\n")
		s.steps(s.ed.Deliver)
		time.Sleep(time.Second)
		synctest.Wait()
		s.steps(s.ed.Take, s.ed.Answer, s.ed.Deliver)
		s.outcome(s.end(), fsproxy.Conflict)
		s.buffer("one\ntwtypedo\nthree\n")
	})
}

func TestPartOfAnEditIsCompleted(t *testing.T) {
	inScene(t, fsproxytest.Helix, "one\ntwo\nthree\nfour\n", func(s *scene) {
		s.ed.Stop = true
		s.start(s.t.Context(), "one\ntwo\nthree", "ONE\ntwo\nTHREE")
		s.steps(s.ed.Take, s.ed.Answer, s.ed.Deliver)
		s.buffer("one\ntwo\nTHREE\nfour\n")
		s.steps(s.ed.Take, s.ed.Answer, s.ed.Deliver, s.ed.Take, s.ed.Answer)
		s.outcome(s.end(), fsproxy.Applied)
		s.buffer("ONE\ntwo\nTHREE\nfour\n")
	})
}

func TestRefusalWithoutAReasonInTheText(t *testing.T) {
	inScene(t, fsproxytest.Honest, "one\n", func(s *scene) {
		s.over.Close(file) // the editor never opened what it is asked to edit
		s.over.Open(file, 1, "one\n")
		s.start(s.t.Context(), "one", "two")
		start := time.Now()
		s.steps(s.ed.Take, s.ed.Answer)
		err := s.end()
		s.outcome(err, fsproxy.Refused)
		if !errors.Is(err, fsproxy.ErrRefused) || time.Since(start) != fsproxy.ShowTime {
			t.Errorf("after %v: %v", time.Since(start), err)
		}
	})
}

func TestTypingFasterThanTheEditorEndsInARefusal(t *testing.T) {
	for _, kind := range []fsproxytest.Kind{fsproxytest.Honest, fsproxytest.Eglot} {
		inScene(t, kind, "one\ntwo\nthree\n", func(s *scene) {
			s.start(s.t.Context(), "two", "TWO")
			for range 3 {
				s.steps(s.typing(0, "x\n"), s.ed.Take, s.ed.Answer, s.ed.Deliver)
			}
			s.outcome(s.end(), fsproxy.Refused)
			s.buffer("x\nx\nx\none\ntwo\nthree\n")
			if len(s.begun) != 3 {
				t.Errorf("begun %d times", len(s.begun))
			}
		})
	}
}

func TestConflictWhileTheEditIsOnItsWay(t *testing.T) {
	for _, kind := range []fsproxytest.Kind{fsproxytest.Honest, fsproxytest.Neovim, fsproxytest.VSCode} {
		inScene(t, kind, "one\ntwo\nthree\n", func(s *scene) {
			s.start(s.t.Context(), "two", "TWO")
			s.steps(s.typing(7, "!"), s.ed.Take, s.ed.Answer, s.ed.Deliver)
			err := s.end()
			s.outcome(err, fsproxy.Conflict)
			if !errors.Is(err, fsproxy.ErrConflict) || !strings.Contains(err.Error(), "two!") || !strings.Contains(err.Error(), "TWO") {
				t.Errorf("%v", err)
			}
			s.buffer("one\ntwo!\nthree\n")
		})
	}
}

func TestEditorThatSaysYesAndShowsNothing(t *testing.T) {
	inScene(t, fsproxytest.Honest, "one\n", func(s *scene) {
		s.start(s.t.Context(), "one", "two")
		s.steps(s.ed.Take, s.ed.Answer) // and nothing is delivered
		err := s.end()
		s.outcome(err, fsproxy.Unknown)
		if !errors.Is(err, fsproxy.ErrUnknown) {
			t.Error(err)
		}
	})
}

func TestEditorThatNeverAnswers(t *testing.T) {
	inScene(t, fsproxytest.Honest, "one\n", func(s *scene) {
		start := time.Now()
		s.start(s.t.Context(), "one", "two")
		err := s.end()
		s.outcome(err, fsproxy.Unknown)
		if d := time.Since(start); d != fsproxy.MaxReply {
			t.Errorf("after %v", d)
		}
		if onDisk, _ := s.files.Load(file); onDisk != "one\n" {
			t.Errorf("disk %q", onDisk)
		}
		// The next edit is not held up by it.
		s.ed.Settle()
		s.start(s.t.Context(), "two", "three")
		s.steps(s.ed.Take, s.ed.Answer, s.ed.Deliver)
		s.ed.Settle()
		s.outcome(s.end(), fsproxy.Applied)
	})
}

// What the text shows needs no answer.
func TestTextCountsBeforeTheAnswer(t *testing.T) {
	inScene(t, fsproxytest.Honest, "one\n", func(s *scene) {
		s.ed.CannotSave = true
		start := time.Now()
		s.start(s.t.Context(), "one", "two")
		s.steps(s.ed.Take, s.ed.Deliver)
		s.outcome(s.end(), fsproxy.Applied)
		if d := time.Since(start); d != 0 {
			t.Errorf("after %v", d)
		}
		// But the next question waits for the answer to this one.
		s.start(s.t.Context(), "two", "three")
		if p := s.ed.Pending(); p.Requests != 0 {
			t.Error("two questions at once")
		}
		s.steps(s.ed.Answer)
		if p := s.ed.Pending(); p.Requests != 1 {
			t.Error("the second question was not asked")
		}
		s.steps(s.ed.Take, s.ed.Answer, s.ed.Deliver)
		s.outcome(s.end(), fsproxy.Applied)
	})
}

func TestAnswerAfterTenSecondsIsStillGood(t *testing.T) {
	inScene(t, fsproxytest.VSCode, "one\n", func(s *scene) {
		s.ed.CannotSave = true
		s.start(s.t.Context(), "one", "two")
		time.Sleep(fsproxy.SlowReply + time.Second)
		synctest.Wait()
		s.steps(s.ed.Take, s.ed.Answer, s.ed.Deliver)
		s.outcome(s.end(), fsproxy.Applied)
	})
}
