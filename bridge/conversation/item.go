package conversation

import "github.com/copilot-bridge/copilot-bridge/acp"

// item is one update, a run of text chunks of one message, or something that was not shown as an update and has no
// number.
type item struct {
	first  uint64 // number of the (first) update; of the next one where the item has none
	shown  bool   // what is no update was shown as a part of a replay, and has numbers
	turn   string
	replay bool
	update acp.SessionUpdate // of a run: its first chunk, without its text
	paths  []string
	text   []byte             // of a run: all its text
	ends   []uint32           // of a run: where each chunk ends in text
	prompt []acp.ContentBlock // what the user sent
	queued []acp.ContentBlock // what the user sent and what waits, or waited
	refs   []ContextRef       // the places that went with either
	sent   *Sent              // a prompt as the model was told it
	note   *Happening
	end    *End
}

// last is the number of the last update in an item that has updates.
func (e *item) last() uint64 {
	if e.ends != nil {
		return e.first + uint64(len(e.ends)) - 1
	}
	return e.first
}

// asMessage is an item's update, its text from a byte on.
func (e *item) asMessage(session string, from uint32) *Message {
	u := e.update
	if e.ends != nil {
		u = WithText(u, string(e.text[from:]))
	}
	return &Message{Message: acp.NewUpdate("", u), Session: session, Turn: e.turn, Replay: e.replay, Seq: e.last(), Paths: e.paths}
}

// asReplayed is an item that is no update as a replay shows it: what the user said, what happened to the session, how a
// turn ended. Its numbers count from the item's.
func (e *item) asReplayed(session string) (out []Event) {
	switch {
	case e.note != nil:
		out = append(out, &Replayed{Session: session, Turn: e.turn, Seq: e.first, Event: e.note})
	case e.end != nil:
		out = append(out, &Replayed{Session: session, Turn: e.turn, Seq: e.first, StopReason: e.end.StopReason, Message: e.end.Message, Said: e.end.Said, Files: e.end.Files})
	}
	for i, b := range e.prompt {
		out = append(out, &Message{Session: session, Turn: e.turn, Replay: true, Seq: e.first + uint64(i),
			Message: acp.NewUpdate("", &acp.UserMessageChunk{ContentChunk: acp.ContentChunk{Content: b}})})
	}
	return out
}

func numberOf(ev Event) uint64 {
	switch ev := ev.(type) {
	case *Message:
		return ev.Seq
	case *Replayed:
		return ev.Seq
	}
	return 0
}
