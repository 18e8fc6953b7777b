package acp

import "github.com/go-json-experiment/json/jsontext"

// Members that are in no stable schema but on the wire of agents today. They are in Extra, and typed here for those who
// show them.

// MethodSessionSetModel chooses a model by its id. It was never stable and is gone from the schema; Copilot CLI 1.0.102
// still answers it. Newer agents have a configuration option of category model.
const MethodSessionSetModel = "session/set_model"

// SetSessionModelRequest is the wish for another model (session/set_model).
type SetSessionModelRequest struct {
	SessionID SessionID `json:"sessionId"`
	ModelID   string    `json:"modelId"`
}

// SessionModels are the models of a session and the current one, as agents give them beside modes in the answer to
// session/new and session/load.
type SessionModels struct {
	Available []SessionModel `json:"availableModels"`
	Current   string         `json:"currentModelId"`
}

// SessionModel is a model that can be chosen.
type SessionModel struct {
	ID          string  `json:"modelId"`
	Name        string  `json:"name"`
	Description *string `json:"description,omitempty"`
}

// Models finds the models in the Extra of the answer to session/new, session/load or session/resume; nil when there are
// none.
func Models(extra jsontext.Value) *SessionModels {
	return extraMember[SessionModels](extra, "models")
}

// TokenUsage is how many tokens a session has used, as agents give it in the answer to session/prompt.
type TokenUsage struct {
	Total       uint64  `json:"totalTokens"`
	Input       uint64  `json:"inputTokens"`
	Output      uint64  `json:"outputTokens"`
	Thought     *uint64 `json:"thoughtTokens,omitempty"`
	CachedRead  *uint64 `json:"cachedReadTokens,omitempty"`
	CachedWrite *uint64 `json:"cachedWriteTokens,omitempty"`
}

// Usage finds the token usage in the Extra of a PromptResponse; nil when there is none.
func Usage(extra jsontext.Value) *TokenUsage {
	return extraMember[TokenUsage](extra, "usage")
}

func extraMember[T any](extra jsontext.Value, name string) *T {
	d := decoder{data: extra}
	for ok := d.open(); ok; ok = d.next() {
		if string(d.name) != name {
			d.skip()
			continue
		}
		v := new(T)
		if raw := d.skip(); d.err == nil && Unmarshal(raw, v) == nil && string(raw) != "null" {
			return v
		}
		return nil
	}
	return nil
}
