package agents

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/copilot-bridge/copilot-bridge/acp"
	"github.com/copilot-bridge/copilot-bridge/acp/copilot"
	"github.com/copilot-bridge/copilot-bridge/bridge/conversation"
	"github.com/copilot-bridge/copilot-bridge/bridge/transcript"
)

// launchTranscript is the driver that calls the program once a turn.
func (a *Process) launchTranscript(ctx context.Context) error {
	cfg := &a.pool.cfg
	launch := copilot.Launch{Command: cfg.Command}
	a.PerTurn = true
	if err := a.openTools(&launch); err != nil {
		return err
	}
	c := transcript.Config{
		Launch: launch, Env: cfg.Env, Guard: cfg.Guard, MaxTurns: cfg.MaxTurns, TokenLimit: cfg.TokenLimit,
		Conversation: a.transcriptOf, Handler: a, Alias: a.Alias, Log: cfg.Log, Now: cfg.Now,
		Happened: func(id acp.SessionID, h *conversation.Happening) { a.Deliver(id, func(r Receiver) { r.Happened(h) }) },
	}
	if a.Tools != nil {
		c.Mint = a.Tools.Mint
	}
	started, err := transcript.Start(ctx, c)
	if err != nil {
		a.dropTools()
		return err
	}
	a.Agent = started
	a.Quirks.DropsEmbeddedText = true // a prompt is one text
	if a.Tools != nil && !started.EditorTools() {
		a.dropTools()
	}
	a.notice = transcriptNotice(started, filepath.Base(cfg.Command[0]), cfg.Kind)
	return nil
}

// transcriptNotice is what the user is to know of how the program is called.
func transcriptNotice(a *transcript.Agent, program string, kind Kind) string {
	var notice []string
	it := "`" + program + " -p`"
	if kind != KindTranscript && !a.Features().ACP {
		notice = append(notice, fmt.Sprintf("%s has no ACP server, so each prompt runs `%s -p`.", strings.TrimSpace(program+" "+a.Info().Version), program))
		it = "It"
	}
	if !a.EditorTools() {
		notice = append(notice, it+" cannot ask for permission, and refuses what would need one; of unsaved text it sees what is in the prompts.")
	}
	return strings.Join(notice, " ")
}

// transcriptOf is what was said in a session, as the transcript agent reads it.
func (a *Process) transcriptOf(id acp.SessionID) transcript.Conversation {
	if r := a.Session(id); r != nil {
		return r.Transcript()
	}
	return nil
}
