package conversation

import (
	"strings"
	"testing"

	"github.com/copilot-bridge/copilot-bridge/acp/copilot"
)

// What Copilot writes to its own log becomes events with one sentence each, and the summary stays out of them.
func TestLogEventsAreSentences(t *testing.T) {
	for _, c := range []struct {
		kind string
		data map[string]any
		want string // the event's type
		text string
	}{
		{"session.compaction_start", map[string]any{"currentTokens": 13460.0, "tokenLimit": 16000.0}, "compaction_started", "13460 of 16000"},
		{"session.compaction_complete", map[string]any{"success": true, "messagesRemoved": 3.0, "tokensRemoved": 900.0, "summaryContent": "long"}, "compaction_completed", "3 messages (900 tokens)"},
		{"session.compaction_complete", map[string]any{"success": false, "error": "Compaction Cancelled", "outcomeReason": "owner_cancelled"}, "compaction_completed", "owner_cancelled"},
		{"session.truncation", map[string]any{"messagesRemovedDuringTruncation": 2.0, "tokensRemovedDuringTruncation": 2852.0}, "truncation", "2 old messages (2852 tokens)"},
		{"session.error", map[string]any{"message": "boom"}, "error", "boom"},
		{"session.model_change", map[string]any{"newModel": "big", "source": "user"}, "model_changed", "big"},
		{"session.model_change", map[string]any{"newModel": "big", "source": "startup"}, "", ""},
		{"session.shutdown", nil, "shutdown", "ended"},
		{"session.new_in_a_later_version", nil, "", ""},
		{"session.truncation", map[string]any{"messagesRemovedDuringTruncation": "two"}, "truncation", "0 old"},
	} {
		h := FromCopilot(copilot.LogEvent{Type: c.kind, Data: c.data})
		if h == nil {
			if c.want != "" {
				t.Errorf("%s is not told", c.kind)
			}
			continue
		}
		if h.Type != c.want || !strings.Contains(h.Message, c.text) || h.Data["summaryContent"] != nil {
			t.Errorf("%s: %+v", c.kind, h)
		}
	}
}
