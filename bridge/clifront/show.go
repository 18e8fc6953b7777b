package clifront

import (
	"cmp"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/copilot-bridge/copilot-bridge/acp"
	"github.com/copilot-bridge/copilot-bridge/acp/copilot"
	"github.com/copilot-bridge/copilot-bridge/bridge"
	"github.com/copilot-bridge/copilot-bridge/bridge/conversation"
	"github.com/copilot-bridge/copilot-bridge/bridge/review"
	"github.com/copilot-bridge/copilot-bridge/bridge/tools"
	"github.com/copilot-bridge/copilot-bridge/fsproxy/diff"
	"github.com/copilot-bridge/copilot-bridge/internal/escape"
	"github.com/copilot-bridge/copilot-bridge/internal/wrap"
)

// diffContext is how many unchanged lines are shown around a change.
const diffContext = 3

// update shows one session update. Caller holds mu.
func (f *Front) update(e *bridge.Message) {
	if e.Replay {
		return
	}
	switch u := e.Update().(type) {
	case *acp.AgentMessageChunk:
		if n, ok := conversation.NoticeOf(u); ok {
			f.notice(n, blockText(u.Content))
			return
		}
		f.say(blockText(u.Content))
	case *acp.AgentThoughtChunk:
		f.note(f.ink.dim(escape.Text(blockText(u.Content))))
	case *acp.ToolCall, *acp.ToolCallUpdate:
		f.call(acp.CallOf(u))
	case *acp.Plan:
		f.plan(u)
	}
}

// notice shows what the agent itself remarked. That a file was made is in the tool call, and a failure is told at the end
// of the turn.
func (f *Front) notice(n bridge.Notice, text string) {
	if n.Kind == copilot.NoticeError || n.Topic == copilot.TopicFile {
		return
	}
	f.note(f.ink.yellow("! " + escape.Text(text)))
}

// call shows a tool call when it begins, when it ends, and what it changes.
func (f *Front) call(u *acp.ToolCallUpdate) {
	c := f.calls[u.ToolCallID]
	begins := c == nil
	if begins {
		c = &shownCall{}
		f.calls[u.ToolCallID] = c
	}
	if u.Kind != nil {
		c.kind = *u.Kind
	}
	if u.Title != nil && *u.Title != "" {
		c.called, c.title = *u.Title, f.title(*u.Title, c.kind, u.RawInput)
	}
	if c.title != "" && !c.begun { // gemini-cli and codex-acp ask before they say what the call is
		c.begun = true
		if strings.HasPrefix(c.title, commandLead) {
			f.row(f.ink.cyan(escape.Inline(c.title))) // as it is, to be copied
		} else {
			f.note(f.ink.cyan("• " + escape.Inline(c.title)))
		}
	}
	diffs, text := 0, ""
	for _, item := range u.Content {
		switch item := item.(type) {
		case *acp.Content:
			text += blockText(item.Content)
		case *acp.Terminal:
			c.terminal = true // its output is shown as it comes
		}
		if d, ok := item.(*acp.Diff); ok {
			if diffs++; diffs > c.diffs {
				c.diffs = diffs
				for _, line := range f.diff(d.Path, d.Old(), d.NewText) {
					f.row(line)
				}
			}
		}
	}
	if text != "" {
		c.text = text
	}
	if u.Status == nil || *u.Status == c.status {
		return
	}
	c.status = *u.Status
	if c.printed() {
		f.written(c.text)
	}
	if c.title == "" {
		c.title = cmp.Or(string(c.kind), "tool call")
	}
	switch c.status {
	case acp.ToolCallStatusCompleted:
		f.note(f.ink.green("✓ " + escape.Inline(c.title)))
	case acp.ToolCallStatusFailed:
		f.note(f.ink.red("✗ " + escape.Inline(c.title)))
		if why := bridge.FailureReason(c.called, u); why != "" {
			f.note(f.ink.dim("  " + escape.Inline(why)))
		}
	}
}

// commandLead is what a command is shown behind.
const commandLead = "$ "

// title is a tool call's title; an editor tool, which agents title with its bare name, gets what it is about.
func (f *Front) title(title string, kind acp.ToolKind, input jsontext.Value) string {
	tool := tools.NameIn(title)
	if tool == "" && kind != acp.ToolKindExecute {
		return title
	}
	var args struct{ Path, Command, Pattern string }
	if json.Unmarshal(input, &args, json.MatchCaseInsensitiveNames(true)) != nil {
		return cmp.Or(tool, title)
	}
	switch {
	case tool == "" && args.Command == "":
		return title
	case tool != "" && args.Path != "":
		return tool + " " + f.short(args.Path)
	case args.Command != "":
		return commandLead + args.Command
	}
	return strings.TrimSpace(tool + " " + args.Pattern)
}

// plan shows a plan, whole each time: that is how ACP v1 sends it.
func (f *Front) plan(p *acp.Plan) {
	for _, e := range p.Entries {
		mark := " "
		switch e.Status {
		case acp.PlanEntryStatusCompleted:
			mark = "x"
		case acp.PlanEntryStatusInProgress:
			mark = "~"
		}
		f.note(f.ink.dim("[" + mark + "] " + escape.Inline(e.Content)))
	}
}

// diff is a change as a unified diff.
func (f *Front) diff(path, old, text string) (out []string) {
	name := f.short(path)
	for _, line := range strings.Split(strings.TrimSuffix(diff.Unified(name, name, old, text, diffContext), "\n"), "\n") {
		out = append(out, f.paint(line))
	}
	return out
}

// paint is a line of a diff with all that is in it: what [escape.Text] would drop is written to the file all the same.
func (f *Front) paint(line string) string {
	shown := tabbed(strings.TrimSuffix(line, "\r"))
	switch {
	case strings.HasPrefix(line, "+++"), strings.HasPrefix(line, "---"):
		return f.ink.bold(shown)
	case strings.HasPrefix(line, "@@"):
		return f.ink.cyan(shown)
	case strings.HasPrefix(line, "+"):
		return f.ink.green(shown)
	case strings.HasPrefix(line, "-"):
		return f.ink.red(shown)
	}
	return shown
}

// output shows what a command writes, each line marked as such.
func (f *Front) output(e *bridge.TerminalOutput) {
	f.written(e.Data)
}

// written shows output, each line marked as such.
func (f *Front) written(text string) {
	text = strings.TrimRight(text, "\n")
	if text == "" {
		return
	}
	for _, line := range strings.Split(text, "\n") {
		f.row(f.ink.dim("  │ " + escape.Text(strings.TrimSuffix(line, "\r"))))
	}
}

// printed says whether the text of a tool call is output that nothing else shows: of a command that the agent runs itself. What it
// reads is for the agent, and why a call failed is told by itself.
func (c *shownCall) printed() bool {
	return c.kind == acp.ToolKindExecute && !c.terminal && tools.NameIn(c.title) == "" && c.status == acp.ToolCallStatusCompleted
}

// rowsBesideHunk are the rows that the title of a hunk, its keys and the cursor take, at most, and the line that says how much is left out.
const rowsBesideHunk = 6

// hunk shows one pending hunk: where it is, what it took out and what it put in, and the comments on it; with fit as much of it as
// the screen has room for.
func (f *Front) hunk(path string, h review.Hunk, title string, comments []review.Comment, fit bool) {
	f.note(f.ink.bold(fmt.Sprintf("%s, %s line %d", title, f.short(path), h.StartLine+1)))
	var lines, said []string
	for _, part := range []struct{ mark, text string }{{"-", h.OldText}, {"+", h.NewText}} {
		if part.text == "" {
			continue
		}
		for _, line := range strings.Split(strings.TrimSuffix(part.text, "\n"), "\n") {
			lines = append(lines, f.paint(part.mark+line))
		}
	}
	cols, high := f.size()
	for _, c := range comments {
		said = append(said, wrap.Text("  comment: "+escape.Inline(c.Text), f.cols())...)
	}
	room := max(high-rowsBesideHunk-rows(said, cols), 1)
	for i, line := range lines {
		if fit && i > 0 && rows(lines[:i+1], cols) > room {
			f.note(f.ink.dim(fmt.Sprintf("  … %d more lines", len(lines)-i)))
			break
		}
		f.row(line)
	}
	for _, line := range said {
		f.row(f.ink.yellow(line))
	}
}

// blockText is what a content block says in a terminal.
func blockText(b acp.ContentBlock) string {
	switch b := b.(type) {
	case *acp.TextContent:
		return b.Text
	case *acp.ResourceLink:
		return b.URI
	case *acp.ImageContent:
		return fmt.Sprintf("[image, %s]", b.MIMEType)
	case *acp.EmbeddedResource:
		if r, ok := b.Resource.(*acp.TextResourceContents); ok {
			return r.Text
		}
	}
	return ""
}

func (f *Front) short(path string) string {
	if rel, err := filepath.Rel(f.o.Cwd, path); err == nil && !strings.HasPrefix(rel, "..") {
		path = rel
	}
	return escape.Inline(path)
}

func trimNewline(s string) string { return strings.TrimRight(s, "\n") }
