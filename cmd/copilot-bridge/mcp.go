package main

import (
	"context"
	"io"
	"os"

	"github.com/copilot-bridge/copilot-bridge/bridge/tools"
)

// mcpCommand is the pipe between the agent and the bridge: the agent starts it as the MCP server "editor".
func mcpCommand(ctx context.Context, args []string, stdin io.Reader, stdout, _ io.Writer) error {
	fs := flags("mcp")
	socket := fs.String("socket", "", "")
	if _, _, err := parse(fs, args, stdout); err != nil {
		return err
	}
	if *socket == "" {
		return &usageError{"mcp is started by the agent, with --socket", "see copilot-bridge --help for what is for people"}
	}
	sig := watchSignals(ctx, nil)
	defer sig.Stop()
	return tools.Pipe(sig.ctx, *socket, os.Environ(), stdin, stdout)
}
