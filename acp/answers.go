package acp

import (
	"bytes"
	"errors"
	"reflect"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
)

// isAnswer says whether a type is what the user has decided. However leniently it is read, it has to have one meaning.
func isAnswer(t reflect.Type) bool {
	return t == reflect.TypeFor[RequestPermissionResponse]() || t == reflect.TypeFor[CreateElicitationResponse]()
}

// checkAnswer refuses an answer that two readers could take differently: with two members of one name at any depth, with
// names side by side that differ only in case or underscores, and with more than one option. Names in _meta and in the
// content of a form are not the protocol's.
func checkAnswer(data []byte) error {
	dec := jsontext.NewDecoder(bytes.NewReader(data), jsontext.AllowInvalidUTF8(true))
	options := 0
	err := checkObject(dec, &options)
	var decode *DecodeError
	switch {
	case errors.As(err, &decode):
		return decode
	case err != nil:
		return refusal(err)
	case options > 1:
		return &DecodeError{Text: "it names more than one option", refused: true}
	}
	return nil
}

// checkObject reads the value at hand; what is no object has nothing to confuse.
func checkObject(dec *jsontext.Decoder, options *int) error {
	if dec.PeekKind() != '{' {
		return dec.SkipValue()
	}
	if _, err := dec.ReadToken(); err != nil {
		return err
	}
	seen := map[string]bool{}
	for dec.PeekKind() != '}' {
		token, err := dec.ReadToken()
		if err != nil {
			return err
		}
		name := token.String()
		folded := strings.ToLower(strings.ToUpper(strings.ReplaceAll(name, "_", "")))
		if seen[folded] {
			return &DecodeError{Path: string(dec.StackPointer()), Offset: int(dec.InputOffset()), Text: "member " + name + " is there in another spelling too", refused: true}
		}
		seen[folded] = true
		if folded == "optionid" {
			*options++
		}
		if name == "_meta" || name == "content" {
			err = dec.SkipValue()
		} else {
			err = checkObject(dec, options)
		}
		if err != nil {
			return err
		}
	}
	_, err := dec.ReadToken()
	return err
}
