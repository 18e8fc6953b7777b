package plain

import (
	"go.lsp.dev/protocol"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/copilot-bridge/copilot-bridge/internal/escape"
)

// Message shows one line to the user. Editors put it where there is little room, so it is cut.
func (p *Tier) Message(t protocol.MessageType, text string) {
	p.messageWhole(t, escape.Clip(escape.Inline(text), MaxMessageText))
}

// messageWhole shows a line that was cut already where it may be.
func (p *Tier) messageWhole(t protocol.MessageType, text string) {
	p.Client.Notify(protocol.MethodWindowShowMessage, &protocol.ShowMessageParams{Type: t, Message: text})
}

// LogText puts a whole text into the editor's log.
func (p *Tier) LogText(text string) {
	p.Client.Notify(protocol.MethodWindowLogMessage, &protocol.LogMessageParams{Type: protocol.MessageTypeInfo, Message: escape.Text(text)})
}

func marshal(v any) (jsontext.Value, error) {
	return json.Marshal(v, jsontext.AllowInvalidUTF8(true), json.Deterministic(true))
}

// optional is a member that is left out where it has no value.
func optional[T comparable](v T) *T {
	var zero T
	if v == zero {
		return nil
	}
	return &v
}
