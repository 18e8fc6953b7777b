package transcript

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/copilot-bridge/copilot-bridge/acp/copilot"
	"github.com/copilot-bridge/copilot-bridge/internal/durable"
)

// Checkpoints lists the summaries of a session, oldest first. dir is the agent's state folder; the session may be closed.
func Checkpoints(dir, id string) ([]copilot.Checkpoint, error) {
	folder, ok := sessionDir(dir, id)
	if !ok {
		return nil, nil
	}
	return copilot.Checkpoints(folder)
}

// writeCheckpoint keeps a summary as checkpoints/NNN-title.md in a session's folder, and lists it in index.md there, as
// Copilot CLI does.
func writeCheckpoint(folder string, number int, text string) (path string, err error) {
	dir := filepath.Join(folder, "checkpoints")
	if err := durable.MakePrivate(dir); err != nil {
		return "", fmt.Errorf("keep the summary: %w", err)
	}
	title := titleOf(text)
	path = filepath.Join(dir, fmt.Sprintf("%03d-%s.md", number, slug(title)))
	if err := durable.Save(path, []byte(strings.TrimSpace(text)+"\n")); err != nil {
		return "", fmt.Errorf("keep the summary: %w", err)
	}
	list, err := copilot.Checkpoints(folder)
	if err != nil {
		return path, fmt.Errorf("list the summaries: %w", err)
	}
	var index strings.Builder
	index.WriteString("| # | Title | File |\n|---|---|---|\n")
	for _, c := range list {
		name := c.Title
		if text, err := os.ReadFile(c.Path); err == nil {
			name = titleOf(string(text))
		}
		fmt.Fprintf(&index, "| %d | %s | [%s](%[3]s) |\n", c.Number, strings.ReplaceAll(name, "|", "\\|"), filepath.Base(c.Path))
	}
	if err := durable.Save(filepath.Join(dir, "index.md"), []byte(index.String())); err != nil {
		return path, fmt.Errorf("list the summaries: %w", err)
	}
	return path, durable.SyncDir(dir)
}

// titleOf is the first line of a summary without its marks.
func titleOf(text string) string {
	line, _, _ := strings.Cut(strings.TrimSpace(text), "\n")
	line = strings.Trim(strings.TrimSpace(line), "#*_` \t")
	for _, word := range []string{"Title:", "Summary:", "SUMMARY:"} {
		line = strings.TrimSpace(strings.TrimPrefix(line, word))
	}
	line = strings.Trim(line, "#*_` \t")
	if line == "" {
		return "summary"
	}
	const most = 80 // a title, not a paragraph
	if len(line) > most {
		line = strings.TrimSpace(line[:runeStart(line, most)]) + "…"
	}
	return line
}

// slug is a title as a part of a file name that every system takes.
func slug(title string) string {
	var b strings.Builder
	for _, r := range strings.ToLower(title) {
		switch {
		case r >= 'a' && r <= 'z', r >= '0' && r <= '9':
			b.WriteRune(r)
		case b.Len() > 0 && !strings.HasSuffix(b.String(), "-"):
			b.WriteByte('-')
		}
		if b.Len() >= 48 { // file names end at 255 bytes; a list shows far less
			break
		}
	}
	if s := strings.Trim(b.String(), "-"); s != "" {
		return s
	}
	return "summary"
}
