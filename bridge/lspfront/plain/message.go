package plain

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"go.lsp.dev/protocol"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/copilot-bridge/copilot-bridge/internal/escape"
)

// Message shows one line to the user. Editors put it where there is little room, so it is cut.
func (p *Tier) Message(t protocol.MessageType, text string) {
	p.messageWhole(t, ClipEnd(escape.Inline(text), MaxMessageText))
}

// messageWhole shows a line that was cut already where it may be.
func (p *Tier) messageWhole(t protocol.MessageType, text string) {
	p.Client.Notify(protocol.MethodWindowShowMessage, &protocol.ShowMessageParams{Type: t, Message: text})
}

// LogText puts a whole text into the editor's log.
func (p *Tier) LogText(text string) {
	p.Client.Notify(protocol.MethodWindowLogMessage, &protocol.LogMessageParams{Type: protocol.MessageTypeInfo, Message: escape.Text(text)})
}

// EscapeLines is a text over many lines with nothing left out: what [escape.Text] would drop as part of a sequence is
// written to a file or run by a shell all the same.
func EscapeLines(text string) string {
	var b strings.Builder
	for len(text) > 0 {
		n := strings.IndexAny(text, "\n\t")
		if n < 0 {
			n = len(text)
		}
		b.WriteString(escape.Inline(text[:n]))
		if n < len(text) {
			b.WriteByte(text[n])
			n++
		}
		text = text[n:]
	}
	return b.String()
}

// ClipEnd cuts a text to n characters and shows that it did.
func ClipEnd(text string, n int) string {
	if utf8.RuneCountInString(text) <= n {
		return text
	}
	return string([]rune(text)[:n-1]) + "…"
}

// ClipMiddle cuts a text to n characters but keeps its end: a question must not be hidden by what stands before it.
func ClipMiddle(text string, n int) string {
	r := []rune(text)
	if len(r) <= n {
		return text
	}
	gap := fmt.Sprintf(" …(%d characters)… ", len(r)-n)
	keep := n - utf8.RuneCountInString(gap)
	if keep < 2 {
		return ClipEnd(text, n)
	}
	head := keep / 2
	return string(r[:head]) + gap + string(r[len(r)-(keep-head):])
}

// notifyRaw sends a notification that is encoded here.
func (p *Tier) notifyRaw(method string, params any) {
	raw, err := marshal(params)
	if err != nil {
		p.Log.Error().Err(err).Str("method", method).Msg("encode")
		return
	}
	p.Client.Notify(method, raw)
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
