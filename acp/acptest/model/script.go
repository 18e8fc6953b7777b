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

// When makes the model say the steps after a message of the user's that has the text prompt in it and no script, as one has that
// is to look as a user would write it.
func (s *Server) When(prompt string, steps ...Step) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.scripts == nil {
		s.scripts = map[string]string{}
	}
	s.scripts[prompt] = Script(steps...)
}

// scriptFor is a text of the user's with the script that [Server.When] has for it.
func (s *Server) scriptFor(said string) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	if strings.Contains(said, scriptStart) {
		return said
	}
	for prompt, script := range s.scripts {
		if strings.Contains(said, prompt) {
			return script
		}
	}
	return said
}

// stepFor finds the script in the newest user message that has one, and the step whose turn it is.
func (s *Server) stepFor(messages []Message) (step Step, scripted bool, err error) {
	for i := len(messages) - 1; i >= 0; i-- {
		if messages[i].Role != "user" {
			continue
		}
		said := s.scriptFor(messages[i].Text())
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
