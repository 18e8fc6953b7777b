package conversation

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/copilot-bridge/copilot-bridge/acp"
)

// LostPrompt is a prompt that the agent has not answered and that the user did not cancel: the agent or the bridge ended
// in the middle of it, or it waited for its turn when the bridge ended. It is never sent again by itself.
type LostPrompt struct {
	Turn   string
	Prompt []acp.ContentBlock
	Refs   []ContextRef
	Sent   bool // the agent may have read it and may have acted on it
	Over   bool // its end was told, and it was offered then
}

// Interrupted offers the prompt to the user, who may send it again.
func (l *LostPrompt) Interrupted(message string) *Happening {
	blocks := []any{}
	for _, b := range l.Prompt {
		if raw, err := acp.Marshal(b); err == nil {
			blocks = append(blocks, jsontext.Value(raw))
		}
	}
	return &Happening{Type: "turn_interrupted", Message: message, Said: true,
		Data: map[string]any{"turnId": l.Turn, "prompt": PromptText(l.Prompt), "blocks": blocks, "sent": l.Sent}}
}

// BridgeEnded says what became of a prompt that was lost with the bridge.
func (l *LostPrompt) BridgeEnded() string {
	if l.Sent {
		return l.SendAgain("the last turn was cut off when the bridge or the editor ended; everything up to then is kept.")
	}
	return l.SendAgain("a prompt was still waiting when the bridge or the editor ended.")
}

// SendAgain asks whether a prompt is to be sent again, and says why: a sentence for the user that begins with a small letter.
func (l *LostPrompt) SendAgain(why string) string {
	first, size := utf8.DecodeRuneInString(why)
	why = string(unicode.ToUpper(first)) + why[size:]
	if l.Sent {
		return "Interrupted. Send again? " + why
	}
	return "Not sent. Send again? " + why
}

// Lose notes prompts that can be sent again; beyond maxLost the oldest go, which stay in the transcript.
func (c *Conversation) Lose(list ...LostPrompt) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.lost = append(c.lost, list...)
	c.lost = c.lost[max(0, len(c.lost)-maxLost):]
}

// TakeLost takes out the lost prompt of a turn, with turn "" the one that was lost last; false if there is none. Who
// cannot send it gives it back with [Conversation.Lose].
func (c *Conversation) TakeLost(turn string) (LostPrompt, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for at, l := range slices.Backward(c.lost) {
		if turn == "" || l.Turn == turn {
			c.lost = append(c.lost[:at:at], c.lost[at+1:]...)
			return l, true
		}
	}
	return LostPrompt{}, false
}

// Survives says what there is of a turn that was cut off.
func Survives(files []FileCount) string {
	const maxNamed = 3
	var names []string
	for _, f := range files {
		names = append(names, filepath.Base(f.Path))
	}
	said := "what it had said is kept"
	switch n := len(names); {
	case n == 0:
		return said
	case n > maxNamed:
		return fmt.Sprintf("%s, and so are its changes to %s and %d more files, to be reviewed or undone", said, strings.Join(names[:maxNamed], ", "), n-maxNamed)
	default:
		return said + ", and so are its changes to " + strings.Join(names, ", ") + ", to be reviewed or undone"
	}
}
