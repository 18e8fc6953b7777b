package session_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/copilot-bridge/copilot-bridge/bridge/review"
)

// TestWithoutAStateFolderTheBridgeWorksAndSaysSoOnce: nothing is saved, nothing is believed, and all the rest works.
func TestWithoutAStateFolderTheBridgeWorksAndSaysSoOnce(t *testing.T) {
	t.Parallel()
	r := newRigWith(t, map[string]string{"a.txt": "one\n"}, func(c *Config) { c.Unsaved = errors.New("it belongs to another user") }, toolTurn).open()
	r.inTurn(func(l *link) {
		if text, err := r.edit(l, "a.txt", "one", "two"); err != nil {
			t.Errorf("%q %v", text, err)
		}
	})
	told := 0
	for _, ev := range r.events() {
		if st, ok := ev.(*StatusChanged); ok && st.Kind == StatusError && strings.Contains(st.Message, "another user") {
			told++
		}
	}
	if told != 1 {
		t.Errorf("told %d times", told)
	}
	if n := len(r.b.Config().Book.Files(review.Filter{})); n != 1 {
		t.Errorf("%d files in review", n)
	}
}
