package lend

import (
	"bufio"
	"errors"
	"net"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

type request struct {
	Read  string `json:"read,omitzero"`
	Write string `json:"write,omitzero"`
	Base  string `json:"base,omitzero"`
	Text  string `json:"text,omitzero"`

	Languages bool           `json:"languages,omitzero"`
	Method    string         `json:"method,omitzero"`
	Params    jsontext.Value `json:"params,omitzero"`
}

type answer struct {
	Open    bool   `json:"open"`
	Unsaved bool   `json:"unsaved,omitzero"`
	Text    string `json:"text,omitzero"`
	Error   string `json:"error,omitzero"`

	Encoding string         `json:"encoding,omitzero"`
	Result   jsontext.Value `json:"result,omitzero"`
	Failure  Failure        `json:"failure,omitzero"`
}

func send(c net.Conn, v any) error {
	b, err := json.Marshal(v, jsontext.AllowInvalidUTF8(true))
	if err != nil {
		return err
	}
	_, err = c.Write(append(b, '\n'))
	return err
}

func receive(c net.Conn, v any) error {
	lines := bufio.NewScanner(c)
	lines.Buffer(nil, maxLine)
	if !lines.Scan() {
		return errors.Join(errors.New("the other side has ended"), lines.Err())
	}
	return json.Unmarshal(lines.Bytes(), v)
}
