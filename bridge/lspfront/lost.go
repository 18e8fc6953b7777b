package lspfront

import (
	"context"
	"errors"

	"go.lsp.dev/protocol"

	"github.com/copilot-bridge/copilot-bridge/bridge"
	"github.com/copilot-bridge/copilot-bridge/internal/escape"
)

// errWithdrawn says that an offer made way for a permission question.
var errWithdrawn = errors.New("a permission question came first")

// offerLost asks whether a prompt that was lost with the agent or the bridge is to be sent again. Nothing is sent by
// itself: it may have had its effect. It returns at once.
func (p *plainTier) offerLost(session string, h *bridge.Happening) {
	turn, _ := h.Data["turnId"].(string)
	text, _ := h.Data["prompt"].(string)
	if turn == "" || p.s.tiers.rich(concernUpdates) {
		return
	}
	const again, leave = "Send again", "Leave it"
	p.s.behind("send the prompt again", func(ctx context.Context) error {
		ask := clipEnd(escape.Inline(text), maxTitle)
		message := "Copilot: " + clipMiddle(escape.Inline(h.Message), maxMessageText-len([]rune(ask))-30) + " Send it again: " + ask + "?"
		title, err := p.questions.offer(ctx, message, []string{leave, again})
		switch {
		case ctx.Err() != nil:
			return nil
		case err != nil: // an editor that cannot be asked, or that has something else to ask
			p.s.message(protocol.MessageTypeWarning, "Copilot: "+h.Message+" (run copilot-bridge.sendAgain to send it again)")
			return nil
		case title != again:
			return nil
		}
		b, err := p.s.bridge()
		if err == nil {
			_, err = b.SendAgain(session, turn)
		}
		return err
	})
}

// offer asks something that can wait: one message is on the screen at a time, and a permission question takes the place
// of an offer, which is then withdrawn.
func (qs *questions) offer(ctx context.Context, message string, titles []string) (string, error) {
	select {
	case qs.slot <- struct{}{}:
	case <-ctx.Done():
		return "", ctx.Err()
	}
	defer func() { <-qs.slot }()
	octx, withdraw := context.WithCancelCause(ctx)
	defer withdraw(nil)
	qs.mu.Lock()
	if len(qs.waiting) > 0 {
		qs.mu.Unlock()
		return "", errWithdrawn
	}
	qs.withdraw = func() { withdraw(errWithdrawn) }
	qs.mu.Unlock()
	title, err := qs.p.s.choose(octx, protocol.MessageTypeWarning, message, titles)
	qs.mu.Lock()
	qs.withdraw = nil
	qs.mu.Unlock()
	if context.Cause(octx) == errWithdrawn {
		return "", errWithdrawn
	}
	return title, err
}
