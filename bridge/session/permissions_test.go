package session_test

import (
	"context"
	"errors"
	"testing"
)

func TestAnAnswerForGoodCanBeTakenBack(t *testing.T) {
	t.Parallel()
	r := newRig(t, map[string]string{"a.txt": "one\n"}, toolTurn).open()
	r.screen.ask = func(context.Context, *Question) (Answer, error) { return Answer{OptionID: optAlways}, nil }
	r.inTurn(func(l *link) {
		for i, step := range []string{"one", "two", "three"} {
			if _, err := r.edit(l, "a.txt", step, []string{"two", "three", "four"}[i]); err != nil {
				t.Fatal(err)
			}
			if i == 1 { // the second one was not asked about
				list, err := r.b.Remembered()
				if err != nil || len(list) != 1 || len(r.screen.questions()) != 1 {
					t.Fatalf("%+v %v, asked %d times", list, err, len(r.screen.questions()))
				}
				if err := r.b.Revoke(list[0].ID); err != nil {
					t.Fatal(err)
				}
			}
		}
	})
	if n := len(r.screen.questions()); n != 2 {
		t.Errorf("asked %d times, want 2", n)
	}
	var e *Error
	if err := r.b.Revoke("p99"); !errors.As(err, &e) || e.Hint == "" {
		t.Errorf("%v", err)
	}
}
