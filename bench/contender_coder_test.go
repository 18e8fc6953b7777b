package bench

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"time"

	coder "github.com/coder/acp-go-sdk"
)

// coderClient is coder/acp-go-sdk. At full speed its queue of 1,024 messages
// overflows and it closes the connection, so it only takes part in taskPaused,
// where the response of each turn waits for the queue, and in taskRead.
func coderClient(in io.Reader, out io.WriteCloser, turns int, update func(string)) (time.Duration, error) {
	c := coder.NewClientSideConnection(coderHandler{update: update}, out, in)
	c.SetLogger(slog.New(slog.DiscardHandler))
	ctx := context.Background()
	if _, err := c.Initialize(ctx, coder.InitializeRequest{ProtocolVersion: 1}); err != nil {
		return 0, err
	}
	start := time.Now()
	prompt := coder.PromptRequest{SessionId: session, Prompt: []coder.ContentBlock{coder.TextBlock("go")}}
	for range turns {
		if _, err := c.Prompt(ctx, prompt); err != nil {
			return 0, err
		}
	}
	return time.Since(start), nil
}

type coderHandler struct {
	coder.Client // nil: the agent calls nothing else
	update       func(string)
}

func (h coderHandler) SessionUpdate(_ context.Context, n coder.SessionNotification) error {
	if n.Update.AgentMessageChunk == nil || n.Update.AgentMessageChunk.Content.Text == nil {
		return errors.New("not a text chunk")
	}
	h.update(n.Update.AgentMessageChunk.Content.Text.Text)
	return nil
}

func (h coderHandler) ReadTextFile(_ context.Context, r coder.ReadTextFileRequest) (coder.ReadTextFileResponse, error) {
	if r.Path != filePath {
		return coder.ReadTextFileResponse{}, errors.New("no such file")
	}
	return coder.ReadTextFileResponse{Content: fileText}, nil
}
