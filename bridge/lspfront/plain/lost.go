package plain

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
func (p *Tier) offerLost(session string, h *bridge.Happening) {
	turn, _ := h.Data["turnId"].(string)
	text, _ := h.Data["prompt"].(string)
	if turn == "" || p.Client.Rich(Updates) {
		return
	}
	const again, leave = "Send again", "Leave it"
	p.Client.Behind("send the prompt again", func(ctx context.Context) error {
		ask := escape.Clip(escape.Inline(text), MaxTitle)
		message := "Copilot: " + escape.ClipMiddle(escape.Inline(h.Message), MaxMessageText-len([]rune(ask))-30) + " Send it again: " + ask + "?"
		title, err := p.Offer(ctx, message, []string{leave, again})
		switch {
		case ctx.Err() != nil:
			return nil
		case err != nil: // an editor that cannot be asked, or that has something else to ask
			p.Message(protocol.MessageTypeWarning, "Copilot: "+h.Message+" (run copilot-bridge.sendAgain to send it again)")
			return nil
		case title != again:
			return nil
		}
		b, err := p.Client.Bridge()
		if err == nil {
			_, err = b.SendAgain(session, turn)
		}
		return err
	})
}

// Offer asks something that can wait: one message is on the screen at a time, and a permission question takes the place
// of an offer, which is then withdrawn.
func (p *Tier) Offer(ctx context.Context, message string, titles []string) (string, error) {
	qs := p.questions
	if err := qs.screen.Acquire(ctx, 1); err != nil {
		return "", err
	}
	defer qs.screen.Release(1)
	octx, withdraw := context.WithCancelCause(ctx)
	defer withdraw(nil)
	qs.mu.Lock()
	if len(qs.waiting) > 0 {
		qs.mu.Unlock()
		return "", errWithdrawn
	}
	qs.withdraw = func() { withdraw(errWithdrawn) }
	qs.mu.Unlock()
	title, err := qs.p.choose(octx, protocol.MessageTypeWarning, message, titles)
	qs.mu.Lock()
	qs.withdraw = nil
	qs.mu.Unlock()
	if context.Cause(octx) == errWithdrawn {
		return "", errWithdrawn
	}
	return title, err
}
