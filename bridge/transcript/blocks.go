package transcript

import (
	"fmt"
	"net/url"
	"strings"

	"github.com/copilot-bridge/copilot-bridge/acp"
	"github.com/copilot-bridge/copilot-bridge/internal/escape"
)

// promptText is a prompt's blocks as one text, joined by newlines as Copilot does it itself.
func promptText(blocks []acp.ContentBlock) string {
	parts := make([]string, 0, len(blocks))
	for _, b := range blocks {
		switch b := b.(type) {
		case *acp.TextContent:
			parts = append(parts, b.Text)
		case *acp.ResourceLink:
			parts = append(parts, pathOf(b.URI))
		case *acp.EmbeddedResource:
			if r, ok := b.Resource.(*acp.TextResourceContents); ok {
				parts = append(parts, fenced(pathOf(r.URI), r.Text))
			}
		case *acp.ImageContent:
			parts = append(parts, fmt.Sprintf("(an image, %s, which cannot be passed on to this program)", b.MIMEType))
		case *acp.AudioContent:
			parts = append(parts, fmt.Sprintf("(a sound, %s, which cannot be passed on to this program)", b.MIMEType))
		}
	}
	return withoutNUL(strings.Join(parts, "\n"))
}

// pathOf is a file's path, or the address of what is no file.
func pathOf(uri string) string {
	if u, err := url.Parse(uri); err == nil && u.Scheme == "file" && (u.Host == "" || u.Host == "localhost") {
		return u.Path
	}
	return uri
}

// fenced is a file's text, in a code block.
func fenced(name, text string) string {
	fence := escape.Fence(text)
	return name + ":\n" + fence + "\n" + strings.TrimSuffix(text, "\n") + "\n" + fence
}

// compactCommand is what follows /compact, if that is what the user said: the same words do it in Copilot CLI.
func compactCommand(text string) (focus string, ok bool) {
	rest, ok := strings.CutPrefix(strings.TrimSpace(text), "/compact")
	if !ok || rest != "" && !strings.ContainsAny(rest[:1], " \t\n") {
		return "", false
	}
	return strings.TrimSpace(rest), true
}

// withoutNUL is a text that can be an argument of a program.
func withoutNUL(s string) string { return strings.ReplaceAll(s, "\x00", "\uFFFD") }
