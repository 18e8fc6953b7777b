package main

import (
	"os"

	"github.com/spf13/cobra"

	"github.com/copilot-bridge/copilot-bridge/bridge/tools"
)

// mcpCommand is the pipe between the agent and the bridge: the agent starts it as the MCP server "editor".
func mcpCommand() *cobra.Command {
	var socket string
	cmd := &cobra.Command{
		Use: "mcp --socket NAME", Short: "connect the agent to its editor tools", Hidden: true,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if socket == "" {
				return &usageError{"mcp is started by the agent, with --socket", "see copilot-bridge --help for what is for people"}
			}
			sig := watchSignals(cmd.Context(), nil)
			defer sig.Stop()
			return tools.Pipe(sig.ctx, socket, os.Environ(), cmd.InOrStdin(), cmd.OutOrStdout())
		},
	}
	cmd.Flags().StringVar(&socket, "socket", "", "the `NAME` of the socket")
	return cmd
}
