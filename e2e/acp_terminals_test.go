//go:build e2e

package e2e

import (
	"bytes"
	"fmt"
	"os/exec"
	"strings"
)

// acpTerminal is a terminal of the editor.
type acpTerminal struct {
	command string
	out     bytes.Buffer
	code    int
	done    chan struct{}
}

// terminals answers terminal/*.
func (e *acpEditor) terminals(method, id, command string, args []string, cwd string) (any, error) {
	e.mu.Lock()
	term := e.terms[id]
	if method == "terminal/create" {
		id = fmt.Sprintf("ed-%d", len(e.terms)+1)
		term = &acpTerminal{command: strings.Join(append([]string{command}, args...), " "), done: make(chan struct{})}
		e.terms[id] = term
	}
	e.mu.Unlock()
	if term == nil {
		return nil, fmt.Errorf("there is no terminal %s", id)
	}
	switch method {
	case "terminal/create":
		cmd := exec.Command(command, args...)
		cmd.Dir, cmd.Env = cwd, e.w.env
		go func() {
			defer close(term.done)
			out, _ := cmd.CombinedOutput()
			term.out.Write(out)
			term.code = cmd.ProcessState.ExitCode()
		}()
		return obj{"terminalId": id}, nil
	case "terminal/wait_for_exit":
		<-term.done
		return obj{"exitCode": term.code}, nil
	case "terminal/output":
		select {
		case <-term.done:
			return obj{"output": term.out.String(), "truncated": false, "exitStatus": obj{"exitCode": term.code}}, nil
		default:
			return obj{"output": "", "truncated": false}, nil
		}
	}
	return obj{}, nil
}
