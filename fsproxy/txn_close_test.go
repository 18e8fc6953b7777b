package fsproxy_test

import (
	"testing"
	"testing/synctest"

	"github.com/copilot-bridge/copilot-bridge/fsproxy"
	"github.com/copilot-bridge/copilot-bridge/fsproxy/fsproxytest"
)

// The user closes the file between the question and the edit.
func TestFileClosedWhileTheEditIsOnItsWay(t *testing.T) {
	for _, kind := range fsproxytest.Kinds {
		t.Run(kind.String(), func(t *testing.T) {
			inScene(t, kind, "one\ntwo\n", func(s *scene) {
				s.start(s.t.Context(), "two", "TWO")
				s.ed.Close(file)
				s.steps(s.ed.Take, s.ed.Deliver, s.ed.Answer)
				s.outcome(s.end(), fsproxy.Applied)
				if onDisk, _ := s.files.Load(file); onDisk != "one\nTWO\n" || !s.result.Saved {
					t.Errorf("disk %q, %+v", onDisk, s.result)
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
		if onDisk, _ := s.files.Load(file); onDisk != "one\nTWO\n" {
			t.Errorf("disk %q", onDisk)
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
		if onDisk, _ := s.files.Load(file); onDisk != "one\nTWO\n" {
			t.Errorf("disk %q", onDisk)
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
