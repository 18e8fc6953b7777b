package prompt

import (
	"context"
	"fmt"
	"net/url"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/copilot-bridge/copilot-bridge/acp"
	"github.com/copilot-bridge/copilot-bridge/bridge/conversation"
	"github.com/copilot-bridge/copilot-bridge/fsproxy"
	"github.com/copilot-bridge/copilot-bridge/fsproxy/disk"
	"github.com/copilot-bridge/copilot-bridge/internal/escape"
)

// Writer writes the prompts of a session for an agent. It reads buffers and files, and keeps nothing.
type Writer struct {
	Session, Cwd string
	// DropsEmbeddedText says that the agent does not see the text of embedded resources (Copilot CLI 1.0.102).
	DropsEmbeddedText bool

	Overlay *fsproxy.Overlay
	Disk    *disk.Disk
	FS      *fsproxy.FS
}

// mention is a file named in a prompt's text: @path, up to white space; closing punctuation does not belong to it.
var mention = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?:^|\s)@([^\s@]+)`)
})

// Compose is what the agent is sent for a prompt: what was undone since the last one, the user's blocks, and the
// unsaved text of the files they name. Copilot drops the text of embedded resources and reads the disk instead, so
// unsaved text travels as a text block (Copilot CLI 1.0.102; other agents get it as a resource).
func (w *Writer) Compose(undone string, given []acp.ContentBlock, refs []conversation.ContextRef) []acp.ContentBlock {
	var out []acp.ContentBlock
	if undone != "" {
		out = append(out, acp.Text(undone))
	}
	var shown []string // paths whose unsaved text is in out
	for _, block := range given {
		switch b := block.(type) {
		case *acp.EmbeddedResource:
			out = append(out, w.embedded(b, &shown))
			continue
		case *acp.ResourceLink:
			if path, ok := conversation.LocalPath(b.URI); ok {
				out = append(out, block)
				out = w.unsaved(out, path, &shown)
				continue
			}
		case *acp.TextContent:
			out = append(out, block)
			for _, m := range mention().FindAllStringSubmatch(b.Text, -1) {
				path := strings.TrimRight(m[1], ".,;:!?)]}\"'")
				if !filepath.IsAbs(path) {
					path = filepath.Join(w.Cwd, path)
				}
				out = w.unsaved(out, path, &shown)
			}
			continue
		}
		out = append(out, block)
	}
	for _, r := range refs {
		out = w.reference(out, r, &shown)
	}
	return out
}

// embedded gives a resource the text that is in the editor, as the agent can take it.
func (w *Writer) embedded(b *acp.EmbeddedResource, shown *[]string) acp.ContentBlock {
	r, ok := b.Resource.(*acp.TextResourceContents)
	if !ok {
		return b
	}
	text := r.Text
	name := r.URI
	if path, ok := conversation.LocalPath(r.URI); ok {
		if snap, open := w.Overlay.Lookup(w.Disk.Canonical(path)); open {
			text = snap.Text.String()
		}
		*shown = append(*shown, path)
		name = path
	}
	if w.DropsEmbeddedText {
		return acp.Text(quoteFile(name, "", text))
	}
	c := *r
	c.Text = text
	return &acp.EmbeddedResource{Resource: &c, Annotations: b.Annotations, Meta: b.Meta, Extra: b.Extra}
}

// unsaved appends the text of an open buffer that differs from the disk; other files the agent can read by itself.
func (w *Writer) unsaved(out []acp.ContentBlock, path string, shown *[]string) []acp.ContentBlock {
	snap, open := w.Overlay.Lookup(w.Disk.Canonical(path))
	if !open || !snap.Dirty || slices.Contains(*shown, path) {
		return out
	}
	*shown = append(*shown, path)
	return append(out, w.fileBlock(snap, "with unsaved changes, as it is in the editor", snap.Text.String()))
}

// reference appends a place in the editor, its text included if it is a range or not saved.
func (w *Writer) reference(out []acp.ContentBlock, r conversation.ContextRef, shown *[]string) []acp.ContentBlock {
	if r.StartLine <= 0 {
		uri := (&url.URL{Scheme: "file", Path: filepath.ToSlash(r.Path)}).String()
		out = append(out, &acp.ResourceLink{URI: uri, Name: filepath.Base(r.Path)})
		return w.unsaved(out, r.Path, shown)
	}
	snap, err := w.FS.Read(context.Background(), w.Session, r.Path)
	if err != nil {
		return append(out, acp.Text(fmt.Sprintf("%s, lines %d to %d (not readable: %v)", r.Path, r.StartLine, r.EndLine, err)))
	}
	lines := strings.SplitAfter(snap.Text.String(), "\n")
	from, to := min(r.StartLine-1, len(lines)), min(max(r.EndLine, r.StartLine), len(lines))
	what := fmt.Sprintf("lines %d to %d", r.StartLine, max(r.EndLine, r.StartLine))
	return append(out, w.fileBlock(snap, what, strings.Join(lines[from:to], "")))
}

func (w *Writer) fileBlock(snap *fsproxy.Snapshot, what, text string) acp.ContentBlock {
	if w.DropsEmbeddedText {
		return acp.Text(quoteFile(snap.Path, what, text))
	}
	uri := (&url.URL{Scheme: "file", Path: filepath.ToSlash(snap.Path)}).String()
	return &acp.EmbeddedResource{Resource: &acp.TextResourceContents{URI: uri, Text: clip(text)}}
}

// quoteFile is a file's text in a prompt, in a code block.
func quoteFile(name, what, text string) string {
	if what != "" {
		what = " (" + what + ")"
	}
	text = clip(text)
	fence := escape.Fence(text)
	if !strings.HasSuffix(text, "\n") {
		text += "\n"
	}
	return name + what + ":\n" + fence + "\n" + text + fence
}

// clip cuts a text for a prompt and says so.
func clip(text string) string {
	head := escape.Head(text, maxContextBytes)
	if len(head) == len(text) {
		return text
	}
	return head + fmt.Sprintf("\n[%d more bytes; read the file for the rest]\n", len(text)-len(head))
}
