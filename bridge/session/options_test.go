package session_test

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/copilot-bridge/copilot-bridge/bridge/policy"
)

// TestOptionsThatCannotBeToldApartAreRefused on every face: the user is not asked, and it is in the log.
func TestOptionsThatCannotBeToldApartAreRefused(t *testing.T) {
	t.Parallel()
	many := make([]string, 17)
	for i := range many {
		many[i] = fmt.Sprintf(`{"optionId":"o%d","name":"Allow","kind":"allow_once"}`, i)
	}
	for name, options := range map[string]string{
		"one id":        `{"optionId":"y","name":"Allow","kind":"allow_once"},{"optionId":"y","name":"Reject","kind":"reject_once"}`,
		"spelled alike": `{"optionId":"y","name":"Allow","kind":"allow_once"},{"optionId":"Y\u200b","name":"Reject","kind":"reject_once"}`,
		"no id":         `{"optionId":"","name":"Allow","kind":"allow_once"}`,
		"too many":      strings.Join(many, ","),
	} {
		t.Run(name, func(t *testing.T) {
			state := t.TempDir()
			r := newRigWith(t, map[string]string{"a.txt": "one\n"}, func(c *Config) { c.StateDir = state }, hello+`
expect session/prompt
request session/request_permission {"sessionId":"s1","toolCall":{"toolCallId":"c","kind":"edit","locations":[{"path":"$cwd/a.txt"}]},"options":[`+options+`]}
refused
reply {"stopReason":"end_turn"}`).open()
			asked := 0
			r.screen.ask = func(context.Context, *Question) (Answer, error) { asked++; return Answer{OptionID: optOnce}, nil }
			r.run("go")
			log, _ := policy.ReadAudit(filepath.Join(state, policy.AuditFile), 10)
			if asked > 0 || len(log) != 1 || log[0].Verdict != policy.Deny || log[0].Who != policy.ByNobody {
				t.Errorf("asked %d times, the log has %+v", asked, log)
			}
		})
	}
}

// TestTheLogSaysWhoDecided: "--yes" and nobody are no user, and what was allowed says what for.
func TestTheLogSaysWhoDecided(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		answer  Answer
		verdict policy.Verdict
		who     policy.Who
		why     string
	}{
		"once":   {Answer{OptionID: optOnce}, policy.Allow, "user", "the user allowed this once; it was asked because no rule"},
		"always": {Answer{OptionID: optAlways}, policy.Allow, "user", "the user allowed this always; it was asked because no rule"},
		"no":     {Answer{OptionID: optReject}, policy.Deny, "user", "the user declined this; it was asked because no rule"},
		"yes":    {Answer{OptionID: optOnce, By: policy.ByYes}, policy.Allow, "--yes", "--yes allowed this once; it was asked because no rule"},
		"--no":   {Answer{OptionID: optReject, By: policy.ByNo}, policy.Deny, "--no", "--no declined this"},
		"nobody": {Answer{By: policy.ByNobody}, policy.Deny, "nobody", "there was nobody to ask"},
	} {
		t.Run(name, func(t *testing.T) {
			state := t.TempDir()
			r := newRigWith(t, map[string]string{"a.txt": "one\n"}, func(c *Config) { c.StateDir = state }, toolTurn).open()
			r.screen.ask = func(context.Context, *Question) (Answer, error) { return c.answer, nil }
			r.inTurn(func(l *link) { r.edit(l, "a.txt", "one", "two") })
			log, _ := policy.ReadAudit(filepath.Join(state, policy.AuditFile), 10)
			if len(log) != 1 || log[0].Verdict != c.verdict || log[0].Who != c.who || !strings.Contains(log[0].Why, c.why) {
				t.Errorf("the log has %+v", log)
			}
		})
	}
}
