package bench

import (
	"context"
	"io"
	"syscall"
	"time"

	"github.com/copilot-bridge/copilot-bridge/acp"
)

// connClient is acp.Conn with decoded types.
func connClient(in io.Reader, out io.WriteCloser, turns int, update func(string)) (time.Duration, error) {
	c := acp.NewConn(pipes{in, out}, connHandler{update}, acp.Options{Name: "agent"})
	defer c.Close()
	ctx := context.Background()
	if _, err := acp.Call[acp.InitializeResponse](ctx, c, acp.MethodInitialize, &acp.InitializeRequest{ProtocolVersion: 1}); err != nil {
		return 0, err
	}
	start := time.Now()
	prompt := &acp.PromptRequest{SessionID: session, Prompt: []acp.ContentBlock{acp.Text("go")}}
	for range turns {
		if _, err := acp.Call[acp.PromptResponse](ctx, c, acp.MethodSessionPrompt, prompt); err != nil {
			return 0, err
		}
	}
	return time.Since(start), nil
}

type connHandler struct{ update func(string) }

func (h connHandler) Message(m *acp.Message) {
	if m.Request != nil {
		readFile(m.Request)
		return
	}
	h.update(m.Update().(*acp.AgentMessageChunk).Content.(*acp.TextContent).Text)
}

func (connHandler) Drained() {}

func readFile(r *acp.Request) {
	var read acp.ReadTextFileRequest
	if err := acp.UnmarshalStrict(r.Params(), &read); err != nil || read.Path != filePath {
		r.Reply(nil, acp.Errorf(acp.CodeInvalidParams, "%s: %v", read.Path, err))
		return
	}
	r.Reply(&acp.ReadTextFileResponse{Content: fileText}, nil)
}

// pipes is an agent's transport, as the bridge has it.
type pipes struct {
	io.Reader
	io.WriteCloser
}

func (p pipes) SyscallConn() (syscall.RawConn, error) {
	return p.WriteCloser.(syscall.Conn).SyscallConn()
}
