package model

import (
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// A Request is a question that the model was asked (POST /v1/chat/completions).
type Request struct {
	Messages []Message      `json:"messages"`
	Tools    []ToolOffer    `json:"tools"`
	Stream   bool           `json:"stream"`
	Raw      jsontext.Value `json:"-"` // the whole body
}

// A Message is one of the conversation so far.
type Message struct {
	Role       string         `json:"role"`
	Content    jsontext.Value `json:"content"`
	ToolCallID string         `json:"tool_call_id"`
}

// Text is the text of the message, whether it is a string or a list of parts.
func (m Message) Text() string {
	var text string
	if json.Unmarshal(m.Content, &text) == nil {
		return text
	}
	var parts []struct {
		Text string `json:"text"`
	}
	var all strings.Builder
	if json.Unmarshal(m.Content, &parts) == nil {
		for _, part := range parts {
			all.WriteString(part.Text)
		}
	}
	return all.String()
}

// A ToolOffer is a tool that the model may call.
type ToolOffer struct {
	Function struct {
		Name        string         `json:"name"`
		Description string         `json:"description"`
		Parameters  jsontext.Value `json:"parameters"`
	} `json:"function"`
}

func (s *Server) keep(r Request) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.requests = append(s.requests, r)
}

// Requests are the questions so far, oldest first.
func (s *Server) Requests() []Request {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]Request(nil), s.requests...)
}

// ToolResults are the results of tools as the model was told them last, oldest first.
func (s *Server) ToolResults() []string {
	all := s.Requests()
	for i := len(all) - 1; i >= 0; i-- {
		var results []string
		for _, m := range all[i].Messages {
			if m.Role == "tool" {
				results = append(results, m.Text())
			}
		}
		if results != nil {
			return results
		}
	}
	return nil
}

// Saw says whether any message that the model was sent holds the text.
func (s *Server) Saw(text string) bool {
	for _, r := range s.Requests() {
		for _, m := range r.Messages {
			if strings.Contains(m.Text(), text) {
				return true
			}
		}
	}
	return false
}

// ToolNames are the tools that the model was ever offered.
func (s *Server) ToolNames() map[string]bool {
	names := map[string]bool{}
	for _, r := range s.Requests() {
		for _, tool := range r.Tools {
			names[tool.Function.Name] = true
		}
	}
	return names
}
