package plain

import (
	"context"

	"github.com/copilot-bridge/copilot-bridge/bridge"
	"github.com/copilot-bridge/copilot-bridge/internal/escape"
)

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
		message := "Copilot: " + escape.ClipMiddle(escape.Inline(h.Message), MaxMessageText-len([]rune(ask))-20) + " The prompt: " + ask
		otherwise := "Copilot: " + h.Message + " (run copilot-bridge.sendAgain to send it again)"
		if title, err := p.Offer(ctx, message, []string{leave, again}, otherwise); title != again {
			return err
		}
		b, err := p.Client.Bridge()
		if err == nil {
			_, err = b.SendAgain(session, turn)
		}
		return err
	})
}
