package tools

import (
	"context"
	"fmt"
	"runtime/debug"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/rs/zerolog"
)

// newMCP makes the MCP server of one connection: the tools of the set, bound to their caller. It waits for a [Linguist], whose
// answer is local.
func newMCP(ctx context.Context, h Host, c Caller, set ToolSet, log zerolog.Logger) *mcp.Server {
	if l, ok := h.(Linguist); ok && set.Language != 0 && !l.HasLanguage(ctx, c) {
		set.Language = 0
	}
	if a, ok := h.(Asker); ok && set.Ask && !a.HasAsk(ctx, c) {
		set.Ask = false
	}
	srv := mcp.NewServer(&mcp.Implementation{Name: ServerName, Title: "Editor", Version: "1"}, &mcp.ServerOptions{
		// Tools never change during a connection: Copilot caches them, and listChanged would promise what is not kept.
		Capabilities: &mcp.ServerCapabilities{Tools: &mcp.ToolCapabilities{}},
	})
	for _, t := range catalogue(set) {
		srv.AddTool(t.describe(set.AskedHere), func(ctx context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			p := startProgress(ctx, req)
			text, err := t.call(ctx, h, c, req.Params.Arguments, p.report, log)
			p.stop()
			if err != nil {
				return answer(errorText(err), asideOf(h, c), true), nil
			}
			return answer(text, asideOf(h, c), false), nil
		})
	}
	return srv
}

// answer is the one place where a result is made, and so where it is bounded.
func answer(text, aside string, isError bool) *mcp.CallToolResult {
	if aside = boundTo(aside, MaxResult/2); aside != "" {
		text = boundTo(text, MaxResult-len(aside)-2) + "\n\n" + aside
	}
	return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: bound(text)}}, IsError: isError}
}

// asideOf is what the Host has to tell the model beside a result.
func asideOf(h Host, c Caller) string {
	if a, ok := h.(Asider); ok {
		return a.Aside(c)
	}
	return ""
}

// errorText is never empty: the model must see that something went wrong.
func errorText(err error) string {
	if text := strings.TrimSpace(err.Error()); text != "" {
		return text
	}
	return "The editor could not do this and gave no reason. Nothing more is known; try another way."
}

// call decodes the arguments and calls the Host. A panic is the call's failure and nobody else's; the log has where,
// the model and the log do not get what was in the arguments.
func (t *tool) call(ctx context.Context, h Host, c Caller, raw []byte, progress func(string), log zerolog.Logger) (text string, err error) {
	defer func() {
		if p := recover(); p != nil {
			log.Error().Str("tool", t.name).Str("panic", fmt.Sprintf("%T", p)).Bytes("stack", debug.Stack()).Msg("editor tool panicked")
			text, err = "", forModel("The editor failed inside %s (an error of copilot-bridge itself, it is in its log). It is not known whether anything was done: check before trying again.", t.name)
		}
	}()
	f, err := readFields(raw, t.known)
	if err != nil {
		return "", err
	}
	return t.run(ctx, h, c, f, progress)
}
