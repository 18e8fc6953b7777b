package acpfront

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"os"
	"strings"
	"testing"

	"github.com/rs/zerolog"

	"github.com/copilot-bridge/copilot-bridge/acp/agent"
	"github.com/copilot-bridge/copilot-bridge/bridge"
)

// ends are two pipes as one stream.
type ends struct {
	io.Reader
	io.WriteCloser
}

// BenchmarkFlood is what an update costs on its way through, pipes included.
func BenchmarkFlood(b *testing.B) {
	pipe := func() (ends, ends) {
		r1, w1, err := os.Pipe()
		if err != nil {
			b.Fatal(err)
		}
		r2, w2, err := os.Pipe()
		if err != nil {
			b.Fatal(err)
		}
		return ends{r1, w2}, ends{r2, w1}
	}
	editor, front := pipe()
	link, peer := pipe()
	cfg := bridge.Config{Log: zerolog.Nop(), Version: "test", Env: os.Environ(), StateDir: b.TempDir(),
		Start: func(ctx context.Context, h agent.Handler) (bridge.Agent, error) {
			return agent.Connect(ctx, agent.Config{Log: zerolog.Nop(), Handler: h}, link)
		}}
	served := make(chan error, 1)
	go func() { served <- Serve(context.Background(), Options{Log: zerolog.Nop(), Bridge: cfg}, front) }()
	in, out := bufio.NewReaderSize(peer, 1<<16), bufio.NewReaderSize(editor, 1<<16)
	hear := func(r *bufio.Reader) string {
		line, err := r.ReadString('\n')
		if err != nil {
			b.Fatal(err)
		}
		return line
	}
	fmt.Fprintln(editor, `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":1}}`)
	hear(in)
	fmt.Fprintln(peer, `{"jsonrpc":"2.0","id":1,"result":{"protocolVersion":1}}`)
	hear(out)
	fmt.Fprintf(editor, `{"jsonrpc":"2.0","id":2,"method":"session/new","params":{"cwd":%q,"mcpServers":[]}}`+"\n", b.TempDir())
	hear(in)
	fmt.Fprintln(peer, `{"jsonrpc":"2.0","id":2,"result":{"sessionId":"s"}}`)
	hear(out)
	update := `{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"s","update":{"sessionUpdate":"agent_message_chunk","content":{"type":"text","text":"` + strings.Repeat("some words ", 14) + `"}}}}` + "\n"
	batch := strings.Repeat(update, 200)
	b.SetBytes(int64(len(update)))
	b.ResetTimer()
	go func() {
		for n := b.N; n > 0; n -= 200 {
			_, _ = io.WriteString(peer, batch[:len(update)*min(n, 200)])
		}
	}()
	for range b.N {
		if _, err := out.ReadSlice('\n'); err != nil {
			b.Fatal(err)
		}
	}
	b.StopTimer()
	editor.Close()
	peer.Close()
	<-served
}
