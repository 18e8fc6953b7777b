package lines

import (
	"encoding/json"
	"unicode/utf8"
)

// Blob is a text in the journal, byte for byte: a JSON string where it is valid
// UTF-8, else base64, because JSON would put U+FFFD for what is not.
type Blob string

type rawBlob struct {
	Base64 []byte `json:"b64"`
}

// MarshalJSON is for encoding/json.
func (b Blob) MarshalJSON() ([]byte, error) {
	if utf8.ValidString(string(b)) {
		return json.Marshal(string(b))
	}
	return json.Marshal(rawBlob{[]byte(b)})
}

// UnmarshalJSON is for encoding/json.
func (b *Blob) UnmarshalJSON(data []byte) error {
	if len(data) > 0 && data[0] == '{' {
		var r rawBlob
		err := json.Unmarshal(data, &r)
		*b = Blob(r.Base64)
		return err
	}
	return json.Unmarshal(data, (*string)(b))
}
