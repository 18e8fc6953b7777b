package acp

import "github.com/go-json-experiment/json/jsontext"

// ReadParams serves a request of the other side with its params decoded strictly: what is checked and what is acted on must be the same thing.
// So it refuses a text that no file, program or editor gets as it came: halves of surrogate pairs, bytes that are no UTF-8.
func ReadParams[P any](req *Request, f func(*P) (any, error)) (any, error) {
	if !req.Params().IsValid() && req.Params().IsValid(jsontext.AllowInvalidUTF8(true)) {
		return nil, &Error{Code: CodeInvalidParams, Message: req.Method() + ": it holds text that is not valid Unicode; nothing was done"}
	}
	return ReadParamsOfQuestion(req, f)
}

// ReadParamsOfQuestion is ReadParams for questions, where words for the user may be cut in the middle of a character. What in them is acted
// on is looked at by itself.
func ReadParamsOfQuestion[P any](req *Request, f func(*P) (any, error)) (any, error) {
	p := new(P)
	if err := UnmarshalStrict(req.Params(), p); err != nil {
		return nil, &Error{Code: CodeInvalidParams, Message: req.Method() + ": " + err.Error()}
	}
	return f(p)
}
