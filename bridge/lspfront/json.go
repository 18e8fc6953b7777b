package lspfront

import (
	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"go.lsp.dev/jsonrpc2"
)

// marshal encodes one of our own messages. Go text that is not UTF-8 becomes U+FFFD here and nowhere earlier.
func marshal(v any) (jsonrpc2.RawMessage, error) {
	b, err := json.Marshal(v, jsontext.AllowInvalidUTF8(true), json.Deterministic(true))
	return jsonrpc2.RawMessage(b), err
}

// unmarshal decodes one of our own messages: exact names, duplicate names are an error.
func unmarshal(data []byte, v any) error { return json.Unmarshal(data, v) }
