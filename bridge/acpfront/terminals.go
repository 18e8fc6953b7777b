package acpfront

import (
	"context"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/copilot-bridge/copilot-bridge/acp"
	"github.com/copilot-bridge/copilot-bridge/bridge"
	"github.com/copilot-bridge/copilot-bridge/terminalproxy"
)

// terminals are the editor's, for commands of the agent that go as they came and for those of the editor tools.
type terminals struct{ s *Server }

// Call implements [bridge.Terminals].
func (t terminals) Call(ctx context.Context, method string, params jsontext.Value) (jsontext.Value, error) {
	return files(t).call(ctx, method, params)
}

// Start implements [terminalproxy.Place].
func (t terminals) Start(ctx context.Context, session string, argv []string, dir string, limit int) (terminalproxy.Elsewhere, error) {
	b, err := t.s.bridge()
	if err != nil {
		return nil, err
	}
	bytes := uint64(limit)
	id := acp.SessionID(b.AliasFor(session))
	resp, err := acp.Call[acp.CreateTerminalResponse](ctx, t.s.conn, acp.MethodTerminalCreate, &acp.CreateTerminalRequest{SessionID: id, Command: argv[0], Args: argv[1:], Cwd: &dir, OutputByteLimit: &bytes})
	if err != nil {
		return nil, err
	}
	return &terminal{t.s.conn, id, resp.TerminalID}, nil
}

// terminal is one of the editor's that runs a command of an editor tool.
type terminal struct {
	conn    *acp.Conn
	session acp.SessionID
	id      acp.TerminalID
}

func (t *terminal) ID() string { return string(t.id) }

func (t *terminal) Output(ctx context.Context) (terminalproxy.Output, error) {
	r, err := acp.Call[acp.TerminalOutputResponse](ctx, t.conn, acp.MethodTerminalOutput, &acp.TerminalOutputRequest{SessionID: t.session, TerminalID: t.id})
	if err != nil {
		return terminalproxy.Output{}, err
	}
	return terminalproxy.Output{Text: r.Output, Truncated: r.Truncated}, nil
}

func (t *terminal) Wait(ctx context.Context) (terminalproxy.Exit, error) {
	r, err := acp.Call[acp.WaitForTerminalExitResponse](ctx, t.conn, acp.MethodTerminalWaitForExit, &acp.WaitForTerminalExitRequest{SessionID: t.session, TerminalID: t.id})
	if err != nil {
		return terminalproxy.Exit{}, err
	}
	return terminalproxy.Exit{Code: r.ExitCode, Signal: r.Signal}, nil
}

func (t *terminal) Kill(ctx context.Context) error {
	_, err := acp.Call[acp.KillTerminalResponse](ctx, t.conn, acp.MethodTerminalKill, &acp.KillTerminalRequest{SessionID: t.session, TerminalID: t.id})
	return err
}

func (t *terminal) Release(ctx context.Context) error {
	_, err := acp.Call[acp.ReleaseTerminalResponse](ctx, t.conn, acp.MethodTerminalRelease, &acp.ReleaseTerminalRequest{SessionID: t.session, TerminalID: t.id})
	return err
}

var _ bridge.Terminals = terminals{}
