package plain

import (
	"context"
	"fmt"
	"maps"
	neturl "net/url"
	"slices"

	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"

	"github.com/copilot-bridge/copilot-bridge/acp"
	"github.com/copilot-bridge/copilot-bridge/bridge"
	"github.com/copilot-bridge/copilot-bridge/internal/escape"
)

// Input asks for a value as far as a message with buttons can: one choice, or a yes or no. LSP has no free text.
func (p *Tier) Input(ctx context.Context, in *bridge.InputRequest) (bridge.InputAnswer, error) {
	if p.questions.isDeaf() {
		return bridge.InputAnswer{}, bridge.ErrUnsupported
	}
	if in.Schema == nil {
		return p.visit(ctx, in)
	}
	name, choices, ok := oneChoice(in.Schema)
	if !ok {
		p.Message(protocol.MessageTypeInfo, "Copilot asked for input that this editor cannot show; it was declined: "+in.Message)
		return bridge.InputAnswer{}, bridge.ErrUnsupported
	}
	titles := make([]string, len(choices))
	for i, c := range choices {
		titles[i] = c.title
	}
	title, err := p.Choose(ctx, "Copilot asks: "+in.Message, titles)
	if err != nil {
		return bridge.InputAnswer{}, err
	}
	for _, c := range choices {
		if c.title == title {
			return bridge.InputAnswer{Action: bridge.InputAccept, Content: map[string]any{name: c.value}}, nil
		}
	}
	return bridge.InputAnswer{Action: bridge.InputCancel}, nil
}

// visit shows a whole URL, and opens it only after the user has agreed.
func (p *Tier) visit(ctx context.Context, in *bridge.InputRequest) (bridge.InputAnswer, error) {
	const decline, open = "Do not open", "Open"
	url := escape.Inline(in.URL)
	p.LogText("Copilot asks you to open " + url + "\n" + in.Message)
	// The URL is what is consented to, so it is the text that is never cut.
	if u, err := neturl.Parse(in.URL); err != nil || u.Host == "" || u.Scheme != "https" && u.Scheme != "http" || len(url) > maxURL {
		p.Message(protocol.MessageTypeWarning, "Copilot asked to open something that is not a web page, or a very long address; it was declined: "+url)
		return bridge.InputAnswer{Action: bridge.InputDecline}, nil
	}
	title, err := p.Choose(ctx, "Copilot asks you to open "+url+" ("+escape.Clip(oneLine(in.Message), MaxMessageText)+")", []string{decline, open})
	switch {
	case err != nil:
		return bridge.InputAnswer{}, err
	case title == "":
		return bridge.InputAnswer{Action: bridge.InputCancel}, nil
	case title != open:
		return bridge.InputAnswer{Action: bridge.InputDecline}, nil
	}
	external := true
	if !p.Client.Show(ctx, &protocol.ShowDocumentParams{URI: uri.URI(in.URL), External: &external}) {
		p.Message(protocol.MessageTypeInfo, "open this in a browser: "+url)
	}
	return bridge.InputAnswer{Action: bridge.InputAccept}, nil
}

// choice is one value a user can pick.
type choice struct {
	title string
	value any
}

// oneChoice is the only field of a form that has to be filled in, if that can be done by picking: the one with a choice where the
// others may be left out.
func oneChoice(form *acp.ElicitationSchema) (name string, choices []choice, ok bool) {
	fields := slices.DeleteFunc(slices.Sorted(maps.Keys(form.Properties)), func(name string) bool {
		free, isText := form.Properties[name].(*acp.StringPropertySchema)
		return isText && len(free.Enum)+len(free.OneOf) == 0 && !slices.Contains(form.Required, name)
	})
	if len(fields) != 1 {
		return "", nil, false
	}
	name = fields[0]
	switch f := form.Properties[name].(type) {
	case *acp.BooleanPropertySchema:
		return name, []choice{{"No", false}, {"Yes", true}}, true
	case *acp.StringPropertySchema:
		for _, v := range f.Enum {
			choices = append(choices, choice{v, v})
		}
		for _, o := range f.OneOf {
			title := o.Title
			if title == "" {
				title = o.Const
			}
			choices = append(choices, choice{title, o.Const})
		}
	}
	seen := map[string]bool{}
	for i := range choices {
		c := &choices[i]
		if c.title = escape.Clip(oneLine(c.title), MaxTitle); c.title == "" || seen[c.title] {
			c.title = fmt.Sprintf("%d. %s", i+1, c.title)
		}
		seen[c.title] = true
	}
	return name, choices, len(choices) > 0 && len(choices) <= maxChoices
}
