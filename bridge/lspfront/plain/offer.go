package plain

import (
	"context"
	"fmt"

	"go.lsp.dev/protocol"

	"github.com/copilot-bridge/copilot-bridge/acp"
	"github.com/copilot-bridge/copilot-bridge/bridge"
)

// Choose puts a choice when no other question is on the screen.
func (p *Tier) Choose(ctx context.Context, message string, titles []string) (string, error) {
	turn := p.questions.screen.Join()
	defer turn.Leave()
	acp.Queued(ctx)
	if err := turn.Wait(ctx); err != nil {
		return "", err
	}
	title, err := p.choose(ctx, protocol.MessageTypeInfo, oneLine(message), titles)
	if err != nil && ctx.Err() == nil {
		return "", fmt.Errorf("%w: %w", bridge.ErrUnsupported, err)
	}
	return title, err
}

// Offer is Choose for what can wait: a permission question takes its place on the screen. Where it does, and where the editor cannot
// be asked, the user is told otherwise instead, and the title is "". An error is that of ctx.
func (p *Tier) Offer(ctx context.Context, message string, titles []string, otherwise string) (string, error) {
	qs := p.questions
	turn := qs.screen.Join()
	defer turn.Leave()
	if err := turn.Wait(ctx); err != nil {
		return "", err
	}
	offered, withdraw := context.WithCancel(ctx)
	defer withdraw()
	qs.mu.Lock()
	if qs.withdraw = withdraw; len(qs.waiting) > 0 {
		withdraw()
	}
	qs.mu.Unlock()
	title, err := "", offered.Err()
	if err == nil {
		title, err = p.choose(offered, protocol.MessageTypeWarning, message, titles)
	}
	qs.mu.Lock()
	qs.withdraw = nil
	qs.mu.Unlock()
	switch {
	case ctx.Err() != nil:
		return "", ctx.Err()
	case err != nil || offered.Err() != nil:
		p.Message(protocol.MessageTypeWarning, otherwise)
		return "", nil
	}
	return title, nil
}
