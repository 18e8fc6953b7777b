package agents

import (
	"errors"
	"fmt"
	"path/filepath"

	"github.com/copilot-bridge/copilot-bridge/acp/agent"
	"github.com/copilot-bridge/copilot-bridge/acp/copilot"
)

// acpFailed counts failures of the ACP server, and offers the other way when it fails again and again with the same servers.
// The user is asked once, and the answer is for all.
func (p *Pool) acpFailed(g *group, err error) {
	if p.cfg.Start != nil || !p.IsCopilot() || errors.Is(err, agent.ErrSignedOut) {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	g.failures++
	if g.failures < offerAfter || p.offered || p.fallback || p.closing || p.over {
		return
	}
	p.offered = true
	p.work.Go(func() { p.offerTranscript(err) })
}

// offerTranscript asks the user whether prompts are to go through `copilot -p` from now on. No answer is a no.
func (p *Pool) offerTranscript(cause error) {
	f, err := new(copilot.Detector).Features(p.life, p.cfg.Command, p.cfg.Env)
	if err != nil || !f.Print {
		return // there is nothing to offer
	}
	program := filepath.Base(p.cfg.Command[0])
	if !p.cfg.Offer(p.life, Offer{Program: program, Cause: cause, CanAsk: f.EditorTools()}) {
		p.cfg.Tell(Status{Failed, "the agent keeps failing; `copilot-bridge doctor` says why, and agent.kind \"transcript\" does without its ACP server"})
		return
	}
	p.mu.Lock()
	p.fallback = true
	p.forgetCrashes()
	p.mu.Unlock()
	p.Drop("the user chose the other way")
	p.cfg.Tell(Status{Ready, fmt.Sprintf("prompts go through `%s -p` now; send the last one again", program)})
}
