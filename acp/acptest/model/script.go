package model

import (
	"fmt"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// A Step is one answer of the model.
type Step struct {
	Text  string `json:"text,omitzero"`  // what it says, in Chunks pieces
	Tools []Tool `json:"tools,omitzero"` // what it calls then

	Chunks int    `json:"chunks,omitzero"` // 0: four
	Hold   string `json:"hold,omitzero"`   // waits after the first piece until the test calls [Server.Release] with this name

	Status  int    `json:"status,omitzero"`  // an HTTP status instead of an answer
	Message string `json:"message,omitzero"` // its error text
}

// A Tool is a call of a tool.
type Tool struct {
	Name string `json:"name"`
	Args any    `json:"args"` // what marshals to an object
}

// Say is an answer of text alone.
func Say(text string) Step { return Step{Text: text} }

// Call is an answer that calls one tool.
func Call(name string, args any) Step { return Step{Tools: []Tool{{name, args}}} }

const (
	scriptStart = "SCRIPT ["
	scriptEnd   = " ENDSCRIPT"
)

// Script is the text that makes the model say the steps, one a request. It can stand anywhere in a prompt. After the last
// step the model says "done".
func Script(steps ...Step) string {
	text, err := json.Marshal(steps, jsontext.EscapeForHTML(false))
	if err != nil {
		panic(fmt.Sprintf("a script that is no JSON: %v", err)) // Args of a test that cannot be marshalled
	}
	return strings.TrimSuffix(scriptStart, "[") + string(text) + scriptEnd
}

// stepFor finds the script in the newest user message that has one, and the step whose turn it is.
func stepFor(messages []Message) (step Step, scripted bool, err error) {
	for i := len(messages) - 1; i >= 0; i-- {
		if messages[i].Role != "user" {
			continue
		}
		said := messages[i].Text()
		at := strings.LastIndex(said, scriptStart)
		if at < 0 {
			continue
		}
		script, _, ok := strings.Cut(said[at+len(scriptStart)-1:], scriptEnd)
		if !ok {
			return step, true, fmt.Errorf("the script has no%s: %.200q", scriptEnd, said[at:])
		}
		var steps []Step
		if err := json.Unmarshal([]byte(script), &steps); err != nil {
			return step, true, fmt.Errorf("the script cannot be read: %w", err)
		}
		answers := 0
		for _, m := range messages[i+1:] {
			if m.Role == "assistant" {
				answers++
			}
		}
		if answers < len(steps) {
			return steps[answers], true, nil
		}
		return Say("done"), true, nil
	}
	return Say("ok"), false, nil
}
