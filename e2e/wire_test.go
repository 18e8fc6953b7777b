//go:build e2e

package e2e

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"strconv"
	"strings"
	"sync"
)

type obj = map[string]any

type message struct {
	ID     json.RawMessage `json:"id,omitempty"`
	Method string          `json:"method,omitempty"`
	Params json.RawMessage `json:"params,omitempty"`
	Result json.RawMessage `json:"result,omitempty"`
	Error  *struct {
		Code    int             `json:"code"`
		Message string          `json:"message"`
		Data    json.RawMessage `json:"data"`
	} `json:"error,omitempty"`
}

// wire is LSP's framing.
type wire struct {
	mu  sync.Mutex
	out io.Writer
	in  *bufio.Reader
}

func (w *wire) send(m obj) {
	m["jsonrpc"] = "2.0"
	b, err := json.Marshal(m)
	if err != nil {
		panic(err) // a test's own message
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	fmt.Fprintf(w.out, "Content-Length: %d\r\n\r\n%s", len(b), b) // a peer that is gone is noticed by the reader
}

func (w *wire) receive() (m message, err error) {
	size := 0
	for {
		line, err := w.in.ReadString('\n')
		if err != nil {
			return m, err
		}
		if line == "\r\n" {
			break
		}
		if v, ok := strings.CutPrefix(strings.ToLower(line), "content-length:"); ok {
			if size, err = strconv.Atoi(strings.TrimSpace(v)); err != nil {
				return m, err
			}
		}
	}
	b := make([]byte, size)
	if _, err := io.ReadFull(w.in, b); err != nil {
		return m, err
	}
	return m, json.Unmarshal(b, &m)
}
