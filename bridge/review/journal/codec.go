package journal

import (
	"unicode/utf8"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// A text is in a journal byte for byte: a JSON string where it is valid UTF-8, else base64, because JSON has no way to say
// what is not.
var codec = json.JoinOptions(
	json.WithMarshalers(json.MarshalToFunc(func(enc *jsontext.Encoder, s string) error {
		if utf8.ValidString(s) {
			return enc.WriteToken(jsontext.String(s))
		}
		return json.MarshalEncode(enc, rawText{[]byte(s)})
	})),
	json.WithUnmarshalers(json.UnmarshalFromFunc(func(dec *jsontext.Decoder, s *string) error {
		if dec.PeekKind() != '{' {
			t, err := dec.ReadToken()
			*s = t.String()
			return err
		}
		var r rawText
		err := json.UnmarshalDecode(dec, &r)
		*s = string(r.Base64)
		return err
	})),
)

type rawText struct {
	Base64 []byte `json:"b64"`
}

// Unmarshal reads the body of a record.
func Unmarshal(body []byte, record any) error { return json.Unmarshal(body, record, codec) }
