package lspfront

import (
	"strings"
	"testing"
)

func form(schema, answer string) string {
	return `
expect@turn session/prompt
request elicitation/create {"sessionId":"$session","mode":"form","message":"Which one?","requestedSchema":` + schema + `}
answer ` + answer + `
reply@turn {"stopReason":"end_turn"}
`
}

// TestInputByMessage guards which forms a message can ask for, and what the agent is told of the others.
func TestInputByMessage(t *testing.T) {
	for name, c := range map[string]struct {
		schema, pick, answer string
		asked                bool
	}{
		"enum":      {`{"type":"object","properties":{"c":{"type":"string","enum":["red","blue"]}}}`, "blue", `{"action":"accept","content":{"c":"blue"}}`, true},
		"titled":    {`{"type":"object","properties":{"c":{"type":"string","oneOf":[{"const":"r","title":"Red"},{"const":"b","title":"Blue"}]}}}`, "Red", `{"action":"accept","content":{"c":"r"}}`, true},
		"boolean":   {`{"type":"object","properties":{"b":{"type":"boolean"}}}`, "Yes", `{"action":"accept","content":{"b":true}}`, true},
		"no":        {`{"type":"object","properties":{"b":{"type":"boolean"}}}`, "No", `{"action":"accept","content":{"b":false}}`, true},
		"closed":    {`{"type":"object","properties":{"b":{"type":"boolean"}}}`, "", `{"action":"cancel"}`, true},
		"free text": {`{"type":"object","properties":{"t":{"type":"string"}}}`, "", `{"action":"decline"}`, false},
		"two":       {`{"type":"object","properties":{"a":{"type":"boolean"},"b":{"type":"boolean"}}}`, "Yes", `{"action":"decline"}`, false},
	} {
		t.Run(name, func(t *testing.T) {
			r := newRig(t, setup{script: form(c.schema, c.answer)})
			r.allowing(c.pick)
			r.turn("go")
			if asked := len(r.sent("window/showMessageRequest")) > 0; asked != c.asked {
				t.Errorf("asked: %v", asked)
			}
		})
	}
}

// TestInputOfAnEditorWithoutQuestions guards that the agent hears no, and goes on.
func TestInputOfAnEditorWithoutQuestions(t *testing.T) {
	r := newRig(t, setup{script: form(`{"type":"object","properties":{"b":{"type":"boolean"}}}`, `{"action":"decline"}`)})
	r.on("window/showMessageRequest", mute)
	r.turn("go")
}

// TestURLsNeedConsent guards that the whole URL is shown, nothing is opened without a yes, and only web pages are.
func TestURLsNeedConsent(t *testing.T) {
	long := "https://example.com/" + strings.Repeat("a", 600) + "?end=1"
	for name, c := range map[string]struct {
		url, pick, answer string
		opened            bool
	}{
		"agreed":   {long, "Open", `{"action":"accept"}`, true},
		"refused":  {long, "Do not open", `{"action":"decline"}`, false},
		"closed":   {long, "", `{"action":"cancel"}`, false},
		"a file":   {"file:///etc/passwd", "Open", `{"action":"decline"}`, false},
		"a script": {"javascript:alert(1)", "Open", `{"action":"decline"}`, false},
		"too long": {"https://example.com/" + strings.Repeat("a", 2000), "Open", `{"action":"decline"}`, false},
	} {
		t.Run(name, func(t *testing.T) {
			r := newRig(t, setup{script: `
expect@turn session/prompt
request elicitation/create {"sessionId":"$session","mode":"url","elicitationId":"e","message":"Please look","url":"` + c.url + `"}
answer ` + c.answer + `
reply@turn {"stopReason":"end_turn"}
`})
			r.allowing(c.pick)
			r.turn("go")
			if shown := r.sent("window/showDocument"); (len(shown) > 0) != c.opened || c.opened && !strings.Contains(string(shown[0]), `"external":true`) {
				t.Errorf("opened: %s", shown)
			}
			for _, q := range r.sent("window/showMessageRequest") {
				if !strings.Contains(string(q), c.url) {
					t.Errorf("the URL is cut: %s", q)
				}
			}
		})
	}
}
