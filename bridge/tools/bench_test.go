package tools

import (
	"context"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/rs/zerolog"
)

// BenchmarkCall is one view through everything: an MCP client, the pipe, the socket, the Server.
func BenchmarkCall(b *testing.B) {
	for name, size := range map[string]int{"100B": 100, "19KB": 19 << 10, "1MB": 1 << 20} {
		b.Run(name, func(b *testing.B) {
			h := newFakeHost()
			text := strings.Repeat("0123456789abcde\n", size/16+1)
			h.view = func(context.Context, Caller, ViewArgs) (string, error) { return text, nil }
			s, err := Listen(b.TempDir(), h, allTools, zerolog.Nop())
			if err != nil {
				b.Fatal(err)
			}
			defer s.Close()
			if err := s.Mint(); err != nil {
				b.Fatal(err)
			}
			conn, in, err := connect(b.Context(), s.Socket(), []string{SessionVar + "=s"})
			if err != nil {
				b.Fatal(err)
			}
			cs, err := mcp.NewClient(&mcp.Implementation{Name: "bench", Version: "1"}, nil).Connect(b.Context(), &stream{conn: conn, in: in}, nil)
			if err != nil {
				b.Fatal(err)
			}
			defer cs.Close()
			params := &mcp.CallToolParams{Name: "view", Arguments: map[string]any{"path": "/a"}}
			for b.Loop() {
				if _, err := cs.CallTool(b.Context(), params); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
