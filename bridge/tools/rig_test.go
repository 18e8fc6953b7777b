package tools

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/rs/zerolog"

	"github.com/copilot-bridge/copilot-bridge/internal/await"
)

// rig is a Server on a real socket with a fake Host.
type rig struct {
	*Server
	t    *testing.T
	host *fakeHost
	logs *lockedBuffer
}

type lockedBuffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (l *lockedBuffer) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.Write(p)
}

func (l *lockedBuffer) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.String()
}

var allTools = ToolSet{Files: true, Shell: true, Diagnostics: true}

func newRig(t *testing.T, set ToolSet) *rig {
	t.Helper()
	h, logs := newFakeHost(), &lockedBuffer{}
	s, err := Listen(t.TempDir(), h, set, zerolog.New(logs))
	if err != nil {
		t.Fatal(err)
	}
	r := &rig{s, t, h, logs}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	return r
}

// pipe runs Pipe between the ends it returns and the Server; the channel has what it returns.
func (r *rig) pipe(session string) (io.WriteCloser, io.ReadCloser, <-chan error) {
	inR, inW := io.Pipe()
	outR, outW := io.Pipe()
	ended := make(chan error, 1)
	go func() {
		err := Pipe(context.Background(), r.Socket(), []string{"PATH=/bin", sessionVars[0] + "=" + session}, inR, outW)
		ended <- errors.Join(err, inR.Close(), outW.Close())
	}()
	r.t.Cleanup(func() { _, _ = inW.Close(), outR.Close() })
	return inW, outR, ended
}

// client connects an MCP client as an agent does: a token, the pipe, the handshake.
func (r *rig) client(session string, opts *mcp.ClientOptions) *mcp.ClientSession {
	r.t.Helper()
	if err := r.Mint(); err != nil {
		r.t.Fatal(err)
	}
	in, out, ended := r.pipe(session)
	c := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, opts)
	cs, err := c.Connect(r.t.Context(), &mcp.IOTransport{Reader: out, Writer: in}, nil)
	if err != nil {
		r.t.Fatal(err)
	}
	r.t.Cleanup(func() {
		_ = cs.Close()
		await.Receive(r.t, "the pipe to end", ended)
	})
	return cs
}

func (r *rig) call(cs *mcp.ClientSession, name string, args map[string]any) *mcp.CallToolResult {
	r.t.Helper()
	res, err := cs.CallTool(r.t.Context(), &mcp.CallToolParams{Name: name, Arguments: args})
	if err != nil {
		r.t.Fatal(err)
	}
	return res
}

func textOf(t *testing.T, res *mcp.CallToolResult) string {
	t.Helper()
	if len(res.Content) != 1 {
		t.Fatalf("%d contents", len(res.Content))
	}
	text, ok := res.Content[0].(*mcp.TextContent)
	if !ok {
		t.Fatalf("content %T", res.Content[0])
	}
	return text.Text
}

func (r *rig) tokenFiles() (files []string) {
	r.t.Helper()
	entries, err := os.ReadDir(filepath.Dir(r.Socket()))
	if err != nil {
		r.t.Fatal(err)
	}
	for _, e := range entries {
		if e.Name() != socketName {
			files = append(files, e.Name())
		}
	}
	return files
}

func (r *rig) token() string {
	r.t.Helper()
	if err := r.Mint(); err != nil {
		r.t.Fatal(err)
	}
	secret, err := takeToken(filepath.Dir(r.Socket()))
	if err != nil {
		r.t.Fatal(err)
	}
	return strings.TrimSpace(secret)
}
