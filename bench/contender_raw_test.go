package bench

import (
	"bufio"
	"fmt"
	"io"
	"strconv"
	"time"

	"github.com/go-json-experiment/json"
)

// rawClient is the least that can be called a client: lines cut by
// bufio.Scanner, each decoded at once into one plain struct, answers encoded and
// written in place. No checks, no unions, no concurrency.
func rawClient(in io.Reader, out io.WriteCloser, turns int, update func(string)) (time.Duration, error) {
	lines := bufio.NewScanner(in)
	lines.Buffer(make([]byte, 64<<10), 64<<20)
	if _, err := fmt.Fprintln(out, `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":1}}`); err != nil {
		return 0, err
	}
	lines.Scan()
	start := time.Now()
	for range turns {
		if _, err := fmt.Fprintf(out, `{"jsonrpc":"2.0","id":2,"method":"session/prompt","params":{"sessionId":"%s","prompt":[{"type":"text","text":"go"}]}}`+"\n", session); err != nil {
			return 0, err
		}
		if err := rawTurn(lines, out, update); err != nil {
			return 0, err
		}
	}
	return time.Since(start), nil
}

func rawTurn(lines *bufio.Scanner, out io.Writer, update func(string)) error {
	for lines.Scan() {
		var m rawMessage
		if err := json.Unmarshal(lines.Bytes(), &m); err != nil {
			return err
		}
		switch m.Method {
		case "session/update":
			update(m.Params.Update.Content.Text)
		case "fs/read_text_file":
			if m.Params.Path != filePath {
				return fmt.Errorf("no file %s", m.Params.Path)
			}
			if err := rawAnswer(out, m.ID, fileText); err != nil {
				return err
			}
		case "":
			return nil
		}
	}
	return fmt.Errorf("the agent ended: %w", lines.Err())
}

type rawMessage struct {
	ID     int    `json:"id"`
	Method string `json:"method"`
	Params struct {
		SessionID string `json:"sessionId"`
		Path      string `json:"path"`
		Update    struct {
			Kind    string `json:"sessionUpdate"`
			Content struct {
				Type string `json:"type"`
				Text string `json:"text"`
			} `json:"content"`
		} `json:"update"`
	} `json:"params"`
}

func rawAnswer(out io.Writer, id int, text string) error {
	result, err := json.Marshal(struct {
		Content string `json:"content"`
	}{text})
	if err != nil {
		return err
	}
	line := append([]byte(`{"jsonrpc":"2.0","id":`), strconv.Itoa(id)...)
	line = append(append(append(line, `,"result":`...), result...), "}\n"...)
	_, err = out.Write(line)
	return err
}
