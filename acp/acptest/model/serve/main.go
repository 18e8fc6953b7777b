// Command serve runs the scripted model in a process of its own, for tests of editors that are not written in Go.
//
// It reads one JSON object a line and answers with one a line; it ends with its input.
//
//	{"do": "env", "home": "/tmp/x"}     → {"copilot": "/path/copilot", "env": {"HOME": "/tmp/x", …}}
//	{"do": "results"}                   → {"texts": [every tool result the model has been sent]}
//	{"do": "prompts"}                   → {"texts": [every message of the user's that it has been sent]}
//	{"do": "release", "name": "x"}      → {}     steps that hold under x go on
//	{"do": "held", "name": "x"}         → {}     once a step holds under x
package main

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"github.com/go-json-experiment/json"

	"github.com/copilot-bridge/copilot-bridge/acp/acptest/model"
	"github.com/copilot-bridge/copilot-bridge/acp/acptest/realcopilot"
)

func main() {
	if err := run(context.Background(), os.Stdin, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "serve:", err)
		os.Exit(1)
	}
}

// maxLine is the longest request, in bytes: a path or a name.
const maxLine = 64 << 10

// heldLimit is how long a test waits for a step that holds: Copilot's start under load is the longest. It is below the two minutes
// that the tests of the Neovim plugin wait for an answer of this program (tests/model.lua), so that they are told what never came.
const heldLimit = 100 * time.Second

type request struct {
	Do   string `json:"do"`
	Home string `json:"home"`
	Name string `json:"name"`
}

type answer struct {
	Copilot string            `json:"copilot,omitzero"`
	Env     map[string]string `json:"env,omitzero"`
	Texts   []string          `json:"texts,omitzero"`
	Error   string            `json:"error,omitzero"`
}

func run(ctx context.Context, in io.Reader, out io.Writer) error {
	server, err := model.New()
	if err != nil {
		return err
	}
	defer server.Close()
	lines := bufio.NewScanner(in)
	lines.Buffer(nil, maxLine)
	for lines.Scan() {
		var r request
		a := answer{}
		if err := json.Unmarshal(lines.Bytes(), &r); err != nil {
			a.Error = err.Error()
		} else if a, err = serve(ctx, server, r); err != nil {
			a.Error = err.Error()
		}
		if err := json.MarshalWrite(out, a); err != nil {
			return err
		}
		if _, err := fmt.Fprintln(out); err != nil {
			return err
		}
	}
	return lines.Err()
}

func serve(ctx context.Context, s *model.Server, r request) (answer, error) {
	switch r.Do {
	case "env":
		exe, err := realcopilot.Path()
		if err != nil {
			return answer{}, err
		}
		list, err := realcopilot.Env(s, r.Home)
		if err != nil {
			return answer{}, err
		}
		env := map[string]string{}
		for _, v := range list {
			name, value, _ := strings.Cut(v, "=")
			env[name] = value
		}
		return answer{Copilot: exe, Env: env}, nil
	case "results":
		return answer{Texts: s.ToolResults()}, nil
	case "prompts":
		return answer{Texts: texts(s, "user")}, nil
	case "release":
		s.Release(r.Name)
		return answer{}, nil
	case "held":
		ctx, cancel := context.WithTimeout(ctx, heldLimit)
		defer cancel()
		return answer{}, s.Held(ctx, r.Name)
	}
	return answer{}, fmt.Errorf("there is nothing to do called %q", r.Do)
}

// texts are those of all messages with a role in all requests, the newest request last.
func texts(s *model.Server, role string) []string {
	out := []string{}
	for _, r := range s.Requests() {
		for _, m := range r.Messages {
			if m.Role == role {
				out = append(out, m.Text())
			}
		}
	}
	return out
}
