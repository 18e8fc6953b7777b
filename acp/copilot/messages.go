package copilot

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"os"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// Message is what somebody said in a session, as Copilot's event log has it.
type Message struct {
	ID   string
	User bool // the user; else Copilot
	Text string
}

// ReadMessages reads what was said from an event log, of today's form and of older ones. Lines that are no messages or
// are damaged are left out.
func ReadMessages(log string, visit func(Message)) error {
	f, err := os.Open(log)
	if err != nil {
		return err
	}
	defer f.Close()
	in := bufio.NewReaderSize(f, 64<<10)
	for {
		line, err := readLine(in)
		if m, ok := message(line); ok {
			visit(m)
		}
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
	}
}

// readLine reads a line; nil for one that is too long.
func readLine(in *bufio.Reader) ([]byte, error) {
	var out []byte
	for n := 0; ; {
		part, err := in.ReadSlice('\n')
		n += len(part)
		if n <= maxLogLine {
			out = append(out, part...)
		} else {
			out = nil
		}
		if !errors.Is(err, bufio.ErrBufferFull) {
			return out, err
		}
	}
}

func message(line []byte) (Message, bool) {
	if !bytes.Contains(line, []byte(`.message"`)) {
		return Message{}, false
	}
	var e struct {
		Type string `json:"type"`
		ID   string `json:"id"`
		Data struct {
			Content string `json:"content"`
		} `json:"data"`
	}
	if json.Unmarshal(line, &e, jsontext.AllowInvalidUTF8(true)) != nil || e.Data.Content == "" {
		return Message{}, false
	}
	return Message{e.ID, e.Type == "user.message", e.Data.Content}, e.Type == "user.message" || e.Type == "assistant.message"
}
