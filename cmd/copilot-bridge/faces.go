package main

import (
	"context"
	"errors"
	"io"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/rs/zerolog"

	"github.com/copilot-bridge/copilot-bridge/acp"
)

// errNotYet is what a face that is not built answers.
var errNotYet = errors.New("this face is not there yet; `copilot-bridge prompt` runs turns in a terminal")

// faceACP answers an ACP editor's requests with an honest error until the face is there.
func faceACP(ctx context.Context, args []string, stdin io.Reader, stdout, _ io.Writer) error {
	fs := flags("acp")
	fs.String("record", "", "")
	fs.String("log", "", "")
	if _, _, err := parse(fs, args, stdout); err != nil {
		return err
	}
	conn := acp.NewConn(newStdio(stdin, stdout), notYet{}, acp.Options{Log: zerolog.Nop(), Name: "editor"})
	select {
	case <-conn.Done():
	case <-ctx.Done():
		conn.Close()
	}
	return conn.Err()
}

type notYet struct{}

func (notYet) Notify(string, jsontext.Value) {}

func (notYet) Request(req *acp.Request) {
	req.Reply(nil, &acp.Error{Code: acp.CodeInternal, Message: errNotYet.Error()})
}
