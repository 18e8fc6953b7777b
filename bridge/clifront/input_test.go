package clifront

import (
	"context"
	"errors"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/copilot-bridge/copilot-bridge/acp"
	"github.com/copilot-bridge/copilot-bridge/bridge"
)

func form(other bool) *acp.ElicitationSchema {
	out := &acp.ElicitationSchema{Properties: map[string]acp.ElicitationPropertySchema{
		"answer": &acp.StringPropertySchema{OneOf: []acp.EnumOption{{Const: "sqlite", Title: "sqlite"}, {Const: "pg\x1b", Title: "pg<U+001B>"}}},
	}}
	if other {
		out.Properties["other"] = &acp.StringPropertySchema{}
	}
	return out
}

// TestAQuestionOfTheAgentsIsAnsweredByKeys: by the number of an option, by words that are typed, or not at all.
func TestAQuestionOfTheAgentsIsAnsweredByKeys(t *testing.T) {
	for name, c := range map[string]struct {
		other  bool
		keys   string
		action bridge.InputAction
		field  string
		value  string
	}{
		"an option":           {false, "2", bridge.InputAccept, "answer", "pg\x1b"},
		"no option, then one": {false, "39o1", bridge.InputAccept, "answer", "sqlite"},
		"words":               {true, "oneithxy\x7f\x7fer\r", bridge.InputAccept, "other", "neither"},
		"no words yet":        {true, "o\r \rx\n", bridge.InputAccept, "other", "x"},
		"numbers in words":    {true, "o12\r", bridge.InputAccept, "other", "12"},
		"closed":              {true, "\x1b", bridge.InputCancel, "", ""},
		"closed in the words": {true, "oabc\x03", bridge.InputCancel, "", ""},
	} {
		synctest.Test(t, func(t *testing.T) {
			s := newStage(Options{})
			got := make(chan bridge.InputAnswer, 1)
			go func() {
				a, err := s.Input(t.Context(), &bridge.InputRequest{Message: "Which?", Schema: form(c.other)})
				if err != nil {
					t.Errorf("%s: %v", name, err)
				}
				got <- a
			}()
			for _, k := range c.keys {
				time.Sleep(2 * answerPause)
				synctest.Wait()
				if !s.keys.strike(k) {
					t.Fatalf("%s: %q does not count", name, k)
				}
				synctest.Wait()
			}
			a := <-got
			if value, _ := a.Content[c.field].(string); a.Action != c.action || value != c.value || s.keys.held != 0 {
				t.Errorf("%s: %+v", name, a)
			}
			if text := s.screen.String(); !strings.Contains(text, "? Which?") || strings.Contains(text, "pg\x1b") || strings.Contains(text, "[o]") != c.other {
				t.Errorf("%s: the screen shows %q", name, text)
			}
		})
	}
}

// TestNobodyIsAskedWhereNobodyIs: --yes and --no answer permission questions only, and a form that is no choice is not asked.
func TestNobodyIsAskedWhereNobodyIs(t *testing.T) {
	for name, o := range map[string]Options{"--yes": {Policy: Yes}, "--no": {Policy: No}} {
		s := newStage(o)
		if _, err := s.Input(t.Context(), &bridge.InputRequest{Schema: form(true)}); !errors.Is(err, bridge.ErrUnsupported) || s.CanAsk() {
			t.Errorf("%s: %v", name, err)
		}
	}
	s := newStage(Options{})
	free := &acp.ElicitationSchema{Properties: map[string]acp.ElicitationPropertySchema{"name": &acp.StringPropertySchema{}}}
	if _, err := s.Input(t.Context(), &bridge.InputRequest{Schema: free}); !errors.Is(err, bridge.ErrUnsupported) || !s.CanAsk() {
		t.Errorf("a form: %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := s.Input(ctx, &bridge.InputRequest{Schema: form(true)}); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}
