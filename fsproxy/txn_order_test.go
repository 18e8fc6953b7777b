package fsproxy_test

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"testing/synctest"

	"github.com/copilot-bridge/copilot-bridge/fsproxy"
	"github.com/copilot-bridge/copilot-bridge/fsproxy/fsproxytest"
)

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
