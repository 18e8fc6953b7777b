package copilot

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/copilot-bridge/copilot-bridge/internal/durable"
	"github.com/copilot-bridge/copilot-bridge/internal/escape"
)

// Checkpoint is a summary that Copilot made when it compacted a session.
type Checkpoint struct {
	Number int
	Title  string
	Path   string
}

var checkpointName = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^(\d+)-(.+)\.md$`)
})

// Checkpoints lists the summaries in a session's folder, oldest first.
func Checkpoints(dir string) ([]Checkpoint, error) {
	dir = filepath.Join(dir, "checkpoints")
	entries, err := os.ReadDir(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	var out []Checkpoint
	for _, e := range entries {
		m := checkpointName().FindStringSubmatch(e.Name())
		if m == nil || !e.Type().IsRegular() {
			continue
		}
		n, err := strconv.Atoi(m[1])
		if err != nil {
			continue
		}
		out = append(out, Checkpoint{n, strings.ReplaceAll(m[2], "-", " "), filepath.Join(dir, e.Name())})
	}
	slices.SortFunc(out, func(a, b Checkpoint) int { return a.Number - b.Number })
	return out, nil
}

// WriteCheckpoint keeps a summary that was made in Copilot's place: as checkpoints/NNN-title.md in a session's folder, listed
// in index.md there, as Copilot CLI does it.
func WriteCheckpoint(folder string, number int, text string) (path string, err error) {
	dir := filepath.Join(folder, "checkpoints")
	if err := durable.MakePrivate(dir); err != nil {
		return "", fmt.Errorf("keep the summary: %w", err)
	}
	title := titleOf(text)
	path = filepath.Join(dir, fmt.Sprintf("%03d-%s.md", number, slug(title)))
	if err := durable.Save(path, []byte(strings.TrimSpace(text)+"\n")); err != nil {
		return "", fmt.Errorf("keep the summary: %w", err)
	}
	list, err := Checkpoints(folder)
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
	return escape.Clip(line, most)
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
