package conversation

import (
	"fmt"
	"net/url"
	"path/filepath"
	"strings"

	"github.com/copilot-bridge/copilot-bridge/acp"
	"github.com/copilot-bridge/copilot-bridge/fsproxy/diff"
	"github.com/copilot-bridge/copilot-bridge/internal/escape"
)

// LocalPath is the path of a file: URI of this machine, clean; false for every other URI.
func LocalPath(uri string) (string, bool) {
	u, err := url.Parse(uri)
	if err != nil || u.Scheme != "file" || u.Host != "" && u.Host != "localhost" || !filepath.IsAbs(filepath.FromSlash(u.Path)) {
		return "", false
	}
	return filepath.Clean(filepath.FromSlash(u.Path)), true
}

// fileLink is a Markdown link to a file, at a line from 1 where it is known, with a name to show. A path is the agent's
// word: it cannot end the link, and nothing but local files is linked.
func fileLink(path string, line int, name string) string {
	if !filepath.IsAbs(path) {
		return markdownText(name)
	}
	u := url.URL{Scheme: "file", Path: filepath.ToSlash(path)}
	if !strings.HasPrefix(u.Path, "/") {
		u.Path = "/" + u.Path // of a drive
	}
	if line > 0 {
		u.Fragment = fmt.Sprintf("L%d", line)
	}
	return "[" + markdownText(name) + "](<" + u.String() + ">)"
}

// markdownText is a text in a line of Markdown that means nothing but itself.
func markdownText(text string) string {
	var b strings.Builder
	for _, r := range escape.Inline(text) {
		if strings.ContainsRune("\\`*_[]<>&", r) {
			b.WriteByte('\\')
		}
		b.WriteRune(r)
	}
	return b.String()
}

// locationLinks are links to where a tool call was.
func locationLinks(locations []acp.ToolCallLocation) string {
	var out []string
	for _, l := range locations[:min(len(locations), maxLinks)] {
		name, line := filepath.Base(l.Path), 0
		if !filepath.IsAbs(l.Path) {
			name = l.Path
		}
		if l.Line != nil && *l.Line > 0 {
			line = int(*l.Line)
			name = fmt.Sprintf("%s:%d", name, line)
		}
		out = append(out, fileLink(l.Path, line, name))
	}
	return strings.Join(out, ", ")
}

// hunkLinks is a line with a link to a file and to each of the hunks that lead from old to new, by the lines that they
// have in new.
func hunkLinks(path, old, now string) string {
	text := fileLink(path, 0, filepath.Base(path))
	hunks := diff.Lines(old, now)
	for i, h := range hunks[:min(len(hunks), maxLinks)] {
		sep := ": "
		if i > 0 {
			sep = ", "
		}
		name := fmt.Sprintf("line %d", h.NewStart+1)
		if h.NewEnd > h.NewStart+1 {
			name = fmt.Sprintf("lines %d to %d", h.NewStart+1, h.NewEnd)
		}
		text += sep + fileLink(path, h.NewStart+1, name)
	}
	if n := len(hunks) - maxLinks; n > 0 {
		text += fmt.Sprintf(" and %d more", n)
	}
	return text
}
