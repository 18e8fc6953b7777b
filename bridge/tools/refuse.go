package tools

import (
	"bufio"
	"context"
	"errors"
	"io"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
)

// codeUnavailable answers requests when there is no bridge (JSON-RPC: the range servers may use).
const codeUnavailable = -32000

// refuse answers every request with why and what to do, until stdin or ctx ends. An agent that gets no answer would
// hold the session's first turn back for as long as it is willing to wait.
func refuse(ctx context.Context, why error, stdin io.Reader, stdout io.Writer) {
	text := why.Error() + ". Tell the user: close this session and load it again, or restart the editor; `copilot-bridge doctor` checks the rest."
	lines := make(chan []byte)
	go func() {
		defer close(lines)
		for in := bufio.NewReader(stdin); ; {
			line, err := readLine(in, MaxMessage)
			if errors.Is(err, errLongLine) {
				line, err = []byte("{"), nil
			}
			if err != nil {
				return
			}
			select {
			case lines <- line:
			case <-ctx.Done():
				return
			}
		}
	}()
	for {
		select {
		case line, ok := <-lines:
			if !ok {
				return
			}
			if answer := refusalOf(line, text); answer != nil {
				if _, err := stdout.Write(append(answer, '\n')); err != nil {
					return
				}
			}
		case <-ctx.Done():
			return
		}
	}
}

// refusalOf is the answer to a line, nil for a notification.
func refusalOf(line []byte, text string) []byte {
	if len(line) == 0 {
		return nil
	}
	msg, id, code, err := parse(line)
	if err != nil {
		return errorLine(id, code, err.Error())
	}
	if req, ok := msg.(*jsonrpc.Request); !ok || !req.IsCall() {
		return nil
	}
	return errorLine(id, codeUnavailable, text)
}
