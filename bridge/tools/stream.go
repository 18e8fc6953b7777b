package tools

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"io"
	"net"
	"sync"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// stream is one connection as the MCP library sees it: a message a line. What is not a message is answered with an
// error and does not end the connection, since nothing would start it again. A member that comes twice in the envelope
// or in params is such an error; the arguments of a call are read strictly by the call itself.
type stream struct {
	conn net.Conn
	in   *bufio.Reader

	// write is held for a whole line. There is no queue: what is written is the answer to a call and waits in the goroutine of
	// that call, of which there are few.
	write sync.Mutex
}

var _ mcp.Connection = (*stream)(nil)

// Connect implements [mcp.Transport].
func (s *stream) Connect(context.Context) (mcp.Connection, error) { return s, nil }

// SessionID implements [mcp.Connection]. It is for HTTP.
func (s *stream) SessionID() string { return "" }

// Close implements [mcp.Connection].
func (s *stream) Close() error { return s.conn.Close() }

// Read implements [mcp.Connection]. Close ends it.
func (s *stream) Read(context.Context) (jsonrpc.Message, error) {
	for {
		line, err := readLine(s.in, MaxMessage)
		if errors.Is(err, errLongLine) {
			if err := s.reject(nil, jsonrpc.CodeInvalidRequest, "message too long"); err != nil {
				return nil, err
			}
			continue
		}
		if err != nil {
			return nil, err
		}
		if len(bytes.TrimSpace(line)) == 0 {
			continue
		}
		msg, id, code, err := parse(line)
		if err == nil {
			return msg, nil
		}
		if err := s.reject(id, code, err.Error()); err != nil {
			return nil, err
		}
	}
}

// Write implements [mcp.Connection].
func (s *stream) Write(_ context.Context, m jsonrpc.Message) error {
	line, err := jsonrpc.EncodeMessage(m)
	if err != nil {
		return err
	}
	return s.writeLine(line)
}

func (s *stream) writeLine(line []byte) error {
	s.write.Lock()
	defer s.write.Unlock()
	_, err := s.conn.Write(append(line, '\n'))
	return err
}

func (s *stream) reject(id jsontext.Value, code int64, text string) error {
	return s.writeLine(errorLine(id, code, text))
}

// errorLine is an error response (JSON-RPC 2.0), without the line's end. A nil id becomes null.
func errorLine(id jsontext.Value, code int64, text string) []byte {
	type body struct {
		Code    int64  `json:"code"`
		Message string `json:"message"`
	}
	if len(id) == 0 {
		id = jsontext.Value("null")
	}
	line, err := json.Marshal(struct {
		Version string         `json:"jsonrpc"`
		ID      jsontext.Value `json:"id"`
		Error   body           `json:"error"`
	}{"2.0", id, body{code, text}}, jsontext.AllowInvalidUTF8(true))
	if err != nil {
		return []byte(`{"jsonrpc":"2.0","id":null,"error":{"code":-32603,"message":"error without a text"}}`)
	}
	return line
}

// parse reads one message. With an error comes the id to answer it with, if there is exactly one, and the code.
func parse(line []byte) (msg jsonrpc.Message, id jsontext.Value, code int64, err error) {
	top, err := members(line)
	if err != nil {
		return nil, nil, jsonrpc.CodeParseError, err
	}
	if ids := top["id"]; len(ids) == 1 && (ids[0].Kind() == '"' || ids[0].Kind() == '0') {
		id = ids[0]
	}
	if err := once("", top); err != nil {
		return nil, id, jsonrpc.CodeInvalidRequest, err
	}
	if p := top["params"]; len(p) == 1 && p[0].Kind() == '{' {
		params, err := members(p[0])
		if err != nil {
			return nil, id, jsonrpc.CodeParseError, err
		}
		if err := once("params.", params); err != nil {
			return nil, id, jsonrpc.CodeInvalidRequest, err
		}
	}
	if msg, err = jsonrpc.DecodeMessage(line); err != nil {
		return nil, id, jsonrpc.CodeInvalidRequest, err
	}
	return msg, id, 0, nil
}

// once says which member of an object is given twice; within is where the object is.
func once(within string, members map[string][]jsontext.Value) error {
	for name, values := range members {
		if len(values) > 1 {
			return errors.New("member " + within + name + " is given twice")
		}
	}
	return nil
}

// members are the members of an object, each with all its values.
func members(obj []byte) (map[string][]jsontext.Value, error) {
	d := jsontext.NewDecoder(bytes.NewReader(obj), jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))
	if d.PeekKind() != '{' {
		return nil, errors.New("not a JSON object")
	}
	if _, err := d.ReadToken(); err != nil {
		return nil, err
	}
	all := map[string][]jsontext.Value{}
	for d.PeekKind() != '}' {
		t, err := d.ReadToken()
		if err != nil {
			return nil, err
		}
		name := t.String()
		v, err := d.ReadValue()
		if err != nil {
			return nil, err
		}
		all[name] = append(all[name], bytes.Clone(v))
	}
	_, err := d.ReadToken()
	return all, err
}

var errLongLine = errors.New("line too long")

// readLine reads a line of at most limit bytes, without its end. A longer one is read to its end, not stored, and
// reported as errLongLine. A last line without an end counts as one.
func readLine(r *bufio.Reader, limit int) ([]byte, error) {
	var line []byte
	for long := false; ; {
		part, err := r.ReadSlice('\n')
		if !long && len(line)+len(part) > limit+1 {
			line, long = nil, true
		}
		if !long {
			line = append(line, part...)
		}
		switch {
		case errors.Is(err, bufio.ErrBufferFull):
			continue
		case err != nil && (long || len(line) == 0 || !errors.Is(err, io.EOF)):
			return nil, err
		case long:
			return nil, errLongLine
		}
		return bytes.TrimRight(line, "\r\n"), nil
	}
}
