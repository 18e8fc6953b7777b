package acptest

import (
	"bufio"
	"context"
	"io"
	"os"
	"strings"
	"testing"

	"go.uber.org/goleak"

	"github.com/copilot-bridge/copilot-bridge/internal/await"
)

func TestMain(m *testing.M) {
	Main()
	// With the race detector every process lingers a second before it ends.
	os.Setenv("GORACE", "atexit_sleep_ms=0")
	goleak.VerifyTestMain(await.Watch(m), await.Standing())
}

// patience ends a test that would hang; no test takes it.
const patience = await.Limit

func within(t *testing.T) context.Context {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	t.Cleanup(cancel)
	return ctx
}

// peer is the other side, line by line.
type peer struct {
	t     *testing.T
	w     io.WriteCloser
	lines *bufio.Reader
}

func newPeer(t *testing.T, stream io.ReadWriteCloser) *peer {
	return &peer{t: t, w: stream, lines: bufio.NewReader(stream)}
}

func (p *peer) says(lines ...string) {
	p.t.Helper()
	for _, line := range lines {
		if _, err := io.WriteString(p.w, line+"\n"); err != nil {
			p.t.Fatal(err)
		}
	}
}

func (p *peer) hears(want ...string) {
	p.t.Helper()
	for _, w := range want {
		line, err := p.lines.ReadString('\n')
		if err != nil {
			p.t.Fatalf("want %s, have %v", w, err)
		}
		if line = strings.TrimSuffix(line, "\n"); line != w && (!strings.HasSuffix(w, "…") || !strings.HasPrefix(line, strings.TrimSuffix(w, "…"))) {
			p.t.Fatalf("have %s\nwant %s", line, w)
		}
	}
}

const (
	initialize = `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":1}}`
	newSession = `{"jsonrpc":"2.0","id":"two","method":"session/new","params":{"cwd":"/w","mcpServers":[]}}`
	prompt     = `{"jsonrpc":"2.0","id":3,"method":"session/prompt","params":{"sessionId":"s","prompt":[{"type":"text","text":"hi"}]}}`
)

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
