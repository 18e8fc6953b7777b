package acpfront

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/copilot-bridge/copilot-bridge/acp"
	"github.com/copilot-bridge/copilot-bridge/bridge"
	"github.com/copilot-bridge/copilot-bridge/bridge/review"
	"github.com/copilot-bridge/copilot-bridge/fsproxy/diff"
	"github.com/copilot-bridge/copilot-bridge/internal/escape"
)

// The slash commands of the bridge's own: what an editor that speaks ACP has of the review of the agent's changes. They stand behind
// the agent's in its available_commands_update, and a prompt that is nothing else never reaches the agent. Where the agent has a
// command of that name its own wins, and the bridge's has "bridge-" in front.

type command struct {
	name, about string
	run         func(ctx context.Context, b *bridge.Bridge, sel review.Selector) string // what the user is told
}

func commandList() []command {
	return []command{
		{"review", "Show what the agent changed and nobody has kept or undone", pendingChanges},
		{"keep", "Keep what the agent changed", keepChanges},
		{"undo", "Undo what the agent changed and nobody has kept", undoChanges},
	}
}

// commandHint says what may stand behind each of them.
const commandHint = "a file; all of this session without one"

// theirCommands are the names of the agent's own slash commands, by the session as the editor knows it.
type theirCommands struct {
	mu    sync.Mutex
	names map[string][]string
}

// nameOf is what a command of the bridge's is called in a session.
func (c *theirCommands) nameOf(session, name string) string {
	c.mu.Lock()
	defer c.mu.Unlock()
	if slices.Contains(c.names[session], name) {
		return "bridge-" + name
	}
	return name
}

// listed notes the agent's commands, or that it has none.
func (c *theirCommands) listed(session string, list []acp.AvailableCommand) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.names == nil {
		c.names = map[string][]string{}
	}
	names := []string{}
	for _, one := range list {
		names = append(names, one.Name)
	}
	c.names[session] = names
}

func (c *theirCommands) has(session string) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	_, ok := c.names[session]
	return ok
}

// addCommands puts the bridge's commands behind the agent's.
func (s *Server) addCommands(m *acp.Message, u *acp.AvailableCommandsUpdate) {
	session := string(m.SessionID())
	s.commands.listed(session, u.AvailableCommands)
	list := acp.Member(acp.Member(m.Params(), "update"), "availableCommands")
	for _, c := range s.ourCommands(session) {
		raw, err := acp.Marshal(c)
		if err != nil {
			return // strings
		}
		list = acp.PutLast(list, raw)
	}
	m.Patch(func(params jsontext.Value) jsontext.Value {
		return acp.SetWithin(params, []string{"update"}, "availableCommands", list)
	})
}

func (s *Server) ourCommands(session string) (list []acp.AvailableCommand) {
	for _, c := range commandList() {
		list = append(list, acp.AvailableCommand{Name: s.commands.nameOf(session, c.name), Description: c.about,
			Input: &acp.UnstructuredCommandInput{Hint: commandHint}})
	}
	return list
}

// offerCommands lists the bridge's commands where the agent has listed none of its own.
func (s *Server) offerCommands(ctx context.Context, session string) {
	if s.commands.has(session) {
		return
	}
	s.commands.listed(session, nil)
	s.tell(ctx, acp.NewUpdate(acp.SessionID(session), &acp.AvailableCommandsUpdate{AvailableCommands: s.ourCommands(session)}))
}

// runCommand carries a prompt out that is a command of the bridge's, and answers it; false for all others.
func (s *Server) runCommand(b *bridge.Bridge, req *acp.Request, id, session, cwd string) bool {
	var p acp.PromptRequest
	if acp.Unmarshal(req.Params(), &p) != nil || len(p.Prompt) != 1 {
		return false
	}
	block, ok := p.Prompt[0].(*acp.TextContent)
	if !ok {
		return false
	}
	line, ok := strings.CutPrefix(strings.TrimSpace(block.Text), "/")
	if !ok || strings.Contains(line, "\n") {
		return false
	}
	name, arg, _ := strings.Cut(line, " ")
	at := slices.IndexFunc(commandList(), func(c command) bool { return s.commands.nameOf(id, c.name) == name })
	if at < 0 {
		return false
	}
	sel := review.Selector{Session: session}
	if arg = strings.TrimSpace(arg); arg != "" {
		if !filepath.IsAbs(arg) {
			arg = filepath.Join(cwd, arg)
		}
		sel.Path = b.Canonical(arg)
	}
	s.work.Go(func() {
		said := commandList()[at].run(s.life, b, sel)
		b.InOrder(func() {
			s.tell(s.life, acp.NewUpdate(acp.SessionID(id), &acp.AgentMessageChunk{ContentChunk: acp.ContentChunk{
				Content: acp.Text(said), Meta: jsontext.Value(`{"copilot-bridge":{"notice":true}}`)}}))
			req.Reply(&acp.PromptResponse{StopReason: acp.StopReasonEndTurn}, nil)
		})
	})
	return true
}

// pendingChanges is what is pending, as Markdown.
func pendingChanges(ctx context.Context, b *bridge.Bridge, sel review.Selector) string {
	var out strings.Builder
	for _, f := range b.Review(ctx, review.Filter{Session: sel.Session, Path: sel.Path}) {
		fmt.Fprintf(&out, "**%s**", escape.Inline(f.Path))
		switch {
		case f.Kind == review.KindMove:
			fmt.Fprintf(&out, ", moved from %s", escape.Inline(f.From))
		case f.Kind != review.KindEdit:
			fmt.Fprintf(&out, ", %s", f.Kind)
		}
		out.WriteString("\n\n")
		if f.Binary {
			continue
		}
		for _, h := range f.Hunks {
			if h.OldText != "" || h.NewText != "" {
				fmt.Fprintf(&out, "line %d\n\n%s\n", h.StartLine+1, escape.Fenced("diff", escape.Lines(hunkLines(h))))
			}
		}
	}
	if out.Len() == 0 {
		return "Nothing is pending."
	}
	if out.Len() > maxReviewShown {
		return escape.HeadLines(out.String(), maxReviewShown) + "\n\n… and more. Name a file to see its changes."
	}
	return out.String()
}

// hunkLines are the lines that a hunk took out and those that it put in.
func hunkLines(h review.Hunk) string {
	whole := diff.Unified("", "", h.OldText, h.NewText, 0)
	var lines []string
	for _, line := range strings.SplitAfter(whole, "\n") {
		if !strings.HasPrefix(line, "---") && !strings.HasPrefix(line, "+++") && !strings.HasPrefix(line, "@@") {
			lines = append(lines, line)
		}
	}
	return strings.TrimSuffix(strings.Join(lines, ""), "\n")
}

func keepChanges(_ context.Context, b *bridge.Bridge, sel review.Selector) string {
	n, conflicts := b.Keep(sel)
	return decided("Kept", n, conflicts)
}

func undoChanges(ctx context.Context, b *bridge.Bridge, sel review.Selector) string {
	n, conflicts := b.Undo(ctx, sel)
	return decided("Undone", n, conflicts)
}

// decided says what became of changes, one line each for what could not be done.
func decided(what string, n int, conflicts []review.Conflict) string {
	lines := []string{fmt.Sprintf("%s: %d changes.", what, n)}
	switch {
	case n == 1:
		lines[0] = what + ": 1 change."
	case n == 0 && len(conflicts) == 0:
		lines[0] = "Nothing is pending."
	}
	for _, c := range conflicts {
		lines = append(lines, "Not done in "+escape.Inline(c.Path)+": "+escape.Inline(c.Reason))
	}
	return strings.Join(lines, "\n\n")
}
