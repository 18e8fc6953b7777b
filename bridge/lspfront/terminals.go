package lspfront

import (
	"github.com/go-json-experiment/json/jsontext"

	"github.com/copilot-bridge/copilot-bridge/acp"
	"github.com/copilot-bridge/copilot-bridge/internal/escape"
	"github.com/copilot-bridge/copilot-bridge/terminalproxy"
)

type terminalListParams struct {
	SessionID string `json:"sessionId,omitzero"`
}

// terminalInfo is a command that an agent runs or ran.
type terminalInfo struct {
	TerminalID string         `json:"terminalId"`
	SessionID  string         `json:"sessionId"`
	Command    string         `json:"command"`
	Args       []string       `json:"args"`
	Cwd        string         `json:"cwd"`
	PID        int            `json:"pid"`
	ExitStatus jsontext.Value `json:"exitStatus,omitzero" as:"TerminalExitStatus"`
}

type terminalListResult struct {
	Terminals []terminalInfo `json:"terminals"`
}

func listTerminals(q *asked, p terminalListParams) (terminalListResult, error) {
	out := terminalListResult{Terminals: []terminalInfo{}}
	for _, i := range q.b.Terminals(p.SessionID) {
		out.Terminals = append(out.Terminals, encodeTerminal(i))
	}
	return out, nil
}

func encodeTerminal(i terminalproxy.Info) terminalInfo {
	t := terminalInfo{TerminalID: i.ID, SessionID: i.Session, Command: escape.Inline(i.Command), Args: inlineAll(i.Args), Cwd: escape.Inline(i.Cwd), PID: i.PID}
	if t.Args == nil {
		t.Args = []string{}
	}
	t.ExitStatus = exitStatus(i.Exit)
	return t
}

// exitStatus is how a command ended, nil while it runs.
func exitStatus(x *terminalproxy.Exit) jsontext.Value {
	if x == nil {
		return nil
	}
	return raw(&acp.TerminalExitStatus{ExitCode: x.Code, Signal: x.Signal})
}

type terminalKillParams struct {
	TerminalID string `json:"terminalId"`
}

func killTerminal(q *asked, p terminalKillParams) (none, error) {
	return none{}, q.b.KillTerminal(q.ctx, p.TerminalID)
}
