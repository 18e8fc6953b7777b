package copilot

import (
	"bytes"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// TurnSign is what Copilot's own log of a session says of its turns. Over ACP it does not say when a turn is over that no
// session/prompt asked for (1.0.102).
type TurnSign int

const (
	NoTurnSign   TurnSign = iota
	SelfPrompted          // Copilot has given itself a prompt: a schedule (/after, /every), the news of work in the background
	RoundBegan            // the model is asked
	ToolsAsked            // its answer asks for tools: another round follows
	RoundEnded            // its answer and the tools that it asked for are done with
	Aborted               // the turn is over, by a wish of the user's
)

// turnSigns are how the lines begin that are one.
var turnSigns = []struct {
	begin string
	sign  TurnSign
}{
	{`{"type":"user.message"`, SelfPrompted},
	{`{"type":"assistant.turn_start"`, RoundBegan},
	{`{"type":"assistant.message"`, ToolsAsked},
	{`{"type":"assistant.turn_end"`, RoundEnded},
	{`{"type":"abort"`, Aborted},
}

// turnSign reads a line of a log. Those of sub-agents are no signs of the session's own turns.
func turnSign(line []byte) TurnSign {
	for _, s := range turnSigns {
		if !bytes.HasPrefix(line, []byte(s.begin)) {
			continue
		}
		var e struct {
			AgentID string `json:"agentId"`
			Data    struct {
				Source       string           `json:"source"` // of a prompt that is not the client's
				ToolRequests []jsontext.Value `json:"toolRequests"`
				Parent       string           `json:"parentToolCallId"`
			} `json:"data"`
		}
		switch {
		case json.Unmarshal(line, &e, jsontext.AllowInvalidUTF8(true)) != nil, e.AgentID != "", e.Data.Parent != "":
		case s.sign == SelfPrompted && (e.Data.Source == "" || e.Data.Source == "user"):
		case s.sign == ToolsAsked && len(e.Data.ToolRequests) == 0:
		default:
			return s.sign
		}
		return NoTurnSign
	}
	return NoTurnSign
}
