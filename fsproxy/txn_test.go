package fsproxy_test

import (
	"context"
	"errors"
	"fmt"
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

func inScene(t *testing.T, kind fsproxytest.Kind, disk string, f func(s *scene)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		s := &scene{t: t, files: fsproxy.NewMemFiles(), ended: make(chan error, 2)}
		_ = s.files.Store(file, disk)
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
				// The person types before the editor takes up the request, and the word of
				// it comes after the answer.
				s.steps(s.typing(0, "typed\n"), s.ed.Take, s.ed.Answer, s.ed.Deliver)
				if kind == fsproxytest.Neovim {
					time.Sleep(fsproxy.SettleTime) // it said "applied"; its text has to prove that
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
				if disk, _ := s.files.Load(file); disk != "one\ntwo\nthree\n" || s.result.Saved {
					t.Errorf("what the person had just typed was saved: %q", disk)
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
		if !errors.Is(err, fsproxy.ErrRefused) || time.Since(start) != fsproxy.SettleTime {
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
		if disk, _ := s.files.Load(file); disk != "one\n" {
			t.Errorf("disk %q", disk)
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

// The person closes the file between the question and the edit.
func TestFileClosedWhileTheEditIsOnItsWay(t *testing.T) {
	for _, kind := range fsproxytest.Kinds {
		t.Run(kind.String(), func(t *testing.T) {
			inScene(t, kind, "one\ntwo\n", func(s *scene) {
				s.start(s.t.Context(), "two", "TWO")
				s.ed.Close(file)
				s.steps(s.ed.Take, s.ed.Deliver, s.ed.Answer)
				s.outcome(s.end(), fsproxy.Applied)
				if disk, _ := s.files.Load(file); disk != "one\nTWO\n" || !s.result.Saved {
					t.Errorf("disk %q, %+v", disk, s.result)
				}
			})
		})
	}
}

func TestFileClosedWithTheEdit(t *testing.T) {
	inScene(t, fsproxytest.Honest, "one\ntwo\n", func(s *scene) {
		s.start(s.t.Context(), "two", "TWO")
		s.steps(s.ed.Take)
		s.ed.Close(file) // without saving: what we were told to write is written all the same
		s.steps(s.ed.Deliver, s.ed.Deliver, s.ed.Answer)
		s.outcome(s.end(), fsproxy.Applied)
		if disk, _ := s.files.Load(file); disk != "one\nTWO\n" {
			t.Errorf("disk %q", disk)
		}
	})
	inScene(t, fsproxytest.Honest, "one\ntwo\n", func(s *scene) {
		s.start(s.t.Context(), "two", "TWO")
		s.steps(s.ed.Take)
		if err := s.ed.SaveFile(file); err != nil {
			t.Fatal(err)
		}
		s.ed.Close(file)
		for s.ed.Deliver() {
			synctest.Wait()
		}
		s.steps(s.ed.Answer)
		if err := s.end(); err != nil || !s.result.Saved {
			t.Errorf("%+v, %v", s.result, err)
		}
		if disk, _ := s.files.Load(file); disk != "one\nTWO\n" {
			t.Errorf("disk %q", disk)
		}
	})
}

// A file opened while it is saved on disk does not keep the old text.
func TestFileOpenedWhileItIsSaved(t *testing.T) {
	inScene(t, fsproxytest.Honest, "one\ntwo\n", func(s *scene) {
		s.ed.Close(file)
		s.steps(s.ed.Deliver)
		s.ed.Open(file) // the word of it is on the way
		s.start(s.t.Context(), "two", "TWO")
		s.outcome(s.end(), fsproxy.Applied)
		s.steps(s.ed.Deliver, s.ed.Take, s.ed.Answer, s.ed.Deliver)
		s.buffer("one\nTWO\n")
		if snap, _ := s.over.Lookup(file); snap.Dirty {
			t.Error("the buffer counts as unsaved")
		}
	})
}

func TestCancelledBeforeItIsSentChangesNothing(t *testing.T) {
	inScene(t, fsproxytest.Honest, "one\ntwo\n", func(s *scene) {
		s.start(s.t.Context(), "one", "ONE") // has the editor's attention
		ctx, cancel := context.WithCancel(s.t.Context())
		done := make(chan error, 1)
		go func() {
			_, err := s.fs.Write(ctx, fsproxy.WriteRequest{Path: "/w/b", Text: "b"})
			done <- err
			_, err = s.fs.Edit(ctx, fsproxy.EditRequest{Path: file, Old: "two", New: "TWO"})
			done <- err
		}()
		if err := <-done; err != nil {
			t.Errorf("another file, on disk: %v", err)
		}
		synctest.Wait()
		cancel()
		if err := <-done; !errors.Is(err, context.Canceled) {
			t.Error(err)
		}
		s.steps(s.ed.Take, s.ed.Answer, s.ed.Deliver, s.ed.Take, s.ed.Answer, s.ed.Deliver)
		s.outcome(s.end(), fsproxy.Applied)
		s.buffer("ONE\ntwo\n")
	})
}

// What was sent cannot be taken back: a cancel waits for the truth.
func TestCancelledAfterItIsSentTellsTheTruth(t *testing.T) {
	inScene(t, fsproxytest.Honest, "one\ntwo\n", func(s *scene) {
		ctx, cancel := context.WithCancel(s.t.Context())
		s.start(ctx, "two", "TWO")
		cancel()
		synctest.Wait()
		s.steps(s.ed.Take, s.ed.Answer, s.ed.Deliver)
		s.outcome(s.end(), fsproxy.Applied)
		s.buffer("one\nTWO\n")
	})
}

func TestBeforeImageIsTheTextAtThatMoment(t *testing.T) {
	inScene(t, fsproxytest.Honest, "one\ntwo\n", func(s *scene) {
		s.ed.Auto = true
		n := 0
		r, err := s.fs.Edit(s.t.Context(), fsproxy.EditRequest{Path: file, Old: "two", New: "TWO", Begin: func(before *fsproxy.Snapshot, after string) error {
			if n++; n == 1 {
				s.ed.Type(file, 0, "typed while the journal is written\n")
			}
			s.begun = append(s.begun, before.Text.String())
			return nil
		}})
		if err != nil || r.Before.Text.String() != s.begun[len(s.begun)-1] || len(s.begun) != 2 {
			t.Errorf("%v, begun %q", err, s.begun)
		}
		s.buffer("typed while the journal is written\none\nTWO\n")
	})
}

func TestWritersOfOneFileWaitForEachOther(t *testing.T) {
	inScene(t, fsproxytest.Honest, "0\n", func(s *scene) {
		s.ed.Auto = true
		const n = 50
		errs := make(chan error, n)
		for i := range n {
			go func() {
				_, err := s.fs.Edit(s.t.Context(), fsproxy.EditRequest{Path: file, Old: "0", New: fmt.Sprintf("%c0", 'A'+i)})
				errs <- err
			}()
		}
		for range n {
			if err := <-errs; err != nil {
				t.Error(err)
			}
		}
		got, _ := s.ed.Text(file)
		if len(got) != n+2 {
			t.Errorf("%q", got)
		}
	})
}
