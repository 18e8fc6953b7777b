package acp

// TokenUsage is how many tokens a session has used, as agents give it in the answer to session/prompt. It is in no stable
// schema, hence in the Extra of a PromptResponse, which passes it on as it came.
type TokenUsage struct {
	Total       uint64  `json:"totalTokens"`
	Input       uint64  `json:"inputTokens"`
	Output      uint64  `json:"outputTokens"`
	Thought     *uint64 `json:"thoughtTokens,omitempty"`
	CachedRead  *uint64 `json:"cachedReadTokens,omitempty"`
	CachedWrite *uint64 `json:"cachedWriteTokens,omitempty"`
}
