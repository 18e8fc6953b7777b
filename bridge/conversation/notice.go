package conversation

import (
	"github.com/go-json-experiment/json"

	"github.com/copilot-bridge/copilot-bridge/acp"
	"github.com/copilot-bridge/copilot-bridge/acp/copilot"
)

// noticeMeta marks a chunk of text that the agent itself said and not the model. It is the chunk's _meta, so that it
// travels, is never merged with the model's words, and is kept as it is.
type noticeMeta struct {
	Bridge struct {
		Notice *Notice `json:"notice,omitzero"`
	} `json:"copilot-bridge"`
}

// Notice is a remark of the agent's own, which Copilot sends as if the model had said it.
type Notice struct {
	Kind  copilot.NoticeKind `json:"kind"`
	Topic copilot.Topic      `json:"topic,omitzero"`
	Text  string             `json:"text,omitzero"` // without "Info: "; "" where the chunk is only a part of the remark
}

// NoticeOf says whether an update is such a remark.
func NoticeOf(u acp.SessionUpdate) (Notice, bool) {
	c, ok := u.(*acp.AgentMessageChunk)
	if !ok || c.Meta == nil {
		return Notice{}, false
	}
	var m noticeMeta
	if json.Unmarshal(c.Meta, &m) != nil || m.Bridge.Notice == nil {
		return Notice{}, false
	}
	return *m.Bridge.Notice, true
}

// MarkNotice is a chunk marked as a notice; u itself stays as it is. One that has a _meta of the agent's is not marked:
// what the agent says of it counts more.
func MarkNotice(u *acp.AgentMessageChunk, n copilot.Notice) *acp.AgentMessageChunk {
	if u.Meta != nil {
		return u
	}
	var m noticeMeta
	m.Bridge.Notice = &Notice{Kind: n.Kind, Topic: n.Topic}
	if t, ok := u.Content.(*acp.TextContent); ok {
		_, m.Bridge.Notice.Text = copilot.Classify(t.Text) // n may be a remark before this one
	}
	raw, err := json.Marshal(m)
	if err != nil {
		return u
	}
	c := u.ContentChunk
	c.Meta = raw
	return &acp.AgentMessageChunk{ContentChunk: c}
}
