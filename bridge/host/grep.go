package host

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/copilot-bridge/copilot-bridge/bridge/permission"
	"github.com/copilot-bridge/copilot-bridge/bridge/policy"
	"github.com/copilot-bridge/copilot-bridge/bridge/tools"
	"github.com/copilot-bridge/copilot-bridge/fsproxy"
)

// Grep is the tool of that name: a search as ripgrep does it, in the editor's unsaved text too.
func (s *Service) Grep(ctx context.Context, a tools.GrepArgs) (string, error) {
	q, err := newGrepSearch(s, a)
	if err != nil {
		return "", err
	}
	if err := s.search(ctx, "grep", q.files, a.Paths, q.file); err != nil {
		return "", err
	}
	return q.files.WithLeft(tools.GrepText(a, q.found)) + q.refusals(), nil
}

// grepSearch is one run of grep.
type grepSearch struct {
	matcher
	s     *Service
	args  tools.GrepArgs
	types []string // globs of the type, empty for all files
	names nameGlob
	found []tools.GrepFile
	lines int

	files   *permission.Reading
	refused []string // files that the editor does not let be read
}

func newGrepSearch(s *Service, a tools.GrepArgs) (*grepSearch, error) {
	flags := "m"
	if a.IgnoreCase {
		flags += "i"
	}
	if a.Multiline {
		flags += "s"
	}
	m, err := newMatcher("(?" + flags + ")" + a.Pattern)
	if err != nil {
		return nil, errors.New(tools.BadPattern(a.Pattern, err))
	}
	q := &grepSearch{s: s, args: a, matcher: m, files: s.Gate.NewReading("grep")}
	if a.Type != "" {
		if q.types = fileTypes[a.Type]; q.types == nil {
			return nil, errors.New(tools.UnknownType(a.Type))
		}
	}
	q.names, err = newNameGlob(a.Glob)
	return q, err
}

// refusals tells of files that were left out because the editor, which may have unsaved text of them, refused to read them.
func (q *grepSearch) refusals() string {
	const maxNamed = 5
	if len(q.refused) == 0 {
		return ""
	}
	names := strings.Join(q.refused[:min(len(q.refused), maxNamed)], ", ")
	return fmt.Sprintf("\n[%d files were not searched, because the editor refused to read them: %s]", len(q.refused), names)
}

// enough says that more matches would not be shown: past head_limit, or far past what a result may hold.
func (q *grepSearch) enough() bool {
	if q.lines >= maxGrepLines || len(q.found) >= maxGrepFiles {
		return true
	}
	return q.args.HeadLimit > 0 && q.args.Mode == tools.GrepContent && q.lines > q.args.HeadLimit
}

func (q *grepSearch) wanted(dir, path string) bool {
	rel, err := filepath.Rel(dir, path)
	if err != nil {
		return false
	}
	rel = filepath.ToSlash(rel)
	base := filepath.Base(path)
	if q.types != nil && !slices.ContainsFunc(q.types, func(g string) bool { return policy.Glob(g, base) }) {
		return false
	}
	return q.names.match(rel)
}

// file searches one file if it may be read. What is not text is passed over, as ripgrep does.
func (q *grepSearch) file(ctx context.Context, c candidate) (more bool) {
	if c.named() || q.wanted(c.top, c.path) && q.files.May(c.path) {
		q.read(ctx, c)
	}
	return !q.enough()
}

func (q *grepSearch) read(ctx context.Context, c candidate) {
	var opts []fsproxy.ReadOption
	if c.Outside {
		opts = append(opts, fsproxy.WithOutside())
	}
	text, ok := q.text(ctx, c.path, opts)
	if !ok {
		return
	}
	if strings.IndexByte(text, 0) >= 0 {
		return
	}
	hits := q.find(ctx, text)
	if len(hits) == 0 || !c.named() && q.files.Twin(c.path) { // what is named itself was asked about
		return
	}
	f := tools.GrepFile{Name: tools.GrepName(c.top, c.given, c.path)}
	f.Lines, f.Matches = linesOf(text, hits, q.args.Before, q.args.After, q.args.Mode == tools.GrepContent)
	if f.Matches == 0 {
		return
	}
	q.lines += f.Matches
	q.found = append(q.found, f)
}

// text is what a search looks at: the disk, and for files with matches or known to hold unsaved text what an editor has
// that can be asked.
func (q *grepSearch) text(ctx context.Context, path string, opts []fsproxy.ReadOption) (string, bool) {
	fs := q.s.all.FS
	snap, err := fs.Read(ctx, "", path, append(opts, fsproxy.WithDisk())...)
	asks := fs.Remote() && len(q.found) < maxGrepAsked && (missing(err) || err == nil && q.re.MatchString(snap.Text.String()) || slices.Contains(fs.Unsaved(), path))
	if asks {
		now, err := fs.Read(ctx, "", path, opts...)
		if err == nil {
			return now.Text.String(), true
		}
		if refused := new(fsproxy.RefusedError); errors.As(err, &refused) {
			q.refused = append(q.refused, q.s.Gate.Short(path))
			return "", false
		}
	}
	if err != nil {
		return "", false
	}
	return snap.Text.String(), true
}

// linesOf are the lines that hold matches, with their context, and how many hold one.
func linesOf(text string, hits [][]int, before, after int, content bool) ([]tools.GrepLine, int) {
	starts := []int{0}
	for i := 0; i < len(text); i++ {
		if text[i] == '\n' && i+1 < len(text) {
			starts = append(starts, i+1)
		}
	}
	match := map[int]bool{}
	line := 0
	for _, h := range hits {
		if h[0] == len(text) && len(text) > 0 && text[len(text)-1] == '\n' {
			continue // an empty match after the last line
		}
		for line+1 < len(starts) && starts[line+1] <= h[0] {
			line++
		}
		match[line] = true
		for k := line + 1; k < len(starts) && starts[k] < h[1]; k++ { // a match over several lines
			match[k] = true
		}
	}
	if !content {
		return nil, len(match)
	}
	var out []tools.GrepLine
	last := -1
	for i := range starts {
		if !match[i] {
			continue
		}
		for k := max(last+1, i-before); k < len(starts) && k <= i+after; k++ {
			if k > i && match[k] {
				break
			}
			end := len(text)
			if k+1 < len(starts) {
				end = starts[k+1]
			}
			out = append(out, tools.GrepLine{Number: k + 1, Text: strings.TrimSuffix(text[starts[k]:end], "\n"), Context: !match[k]})
			last = k
		}
	}
	return out, len(match)
}

// fileTypes are ripgrep's names of file types that agents use.
var fileTypes = map[string][]string{
	"go": {"*.go"}, "py": {"*.py", "*.pyi"}, "python": {"*.py", "*.pyi"}, "js": {"*.js", "*.jsx", "*.mjs", "*.cjs", "*.vue"},
	"ts": {"*.ts", "*.tsx", "*.mts", "*.cts"}, "typescript": {"*.ts", "*.tsx"}, "java": {"*.java"}, "rust": {"*.rs"}, "rs": {"*.rs"},
	"c": {"*.c", "*.h"}, "cpp": {"*.cpp", "*.cc", "*.cxx", "*.hpp", "*.hh", "*.h"}, "cs": {"*.cs"}, "csharp": {"*.cs"}, "rb": {"*.rb"}, "ruby": {"*.rb"},
	"php": {"*.php"}, "swift": {"*.swift"}, "kotlin": {"*.kt", "*.kts"}, "scala": {"*.scala"}, "lua": {"*.lua"}, "sh": {"*.sh", "*.bash", "*.zsh"},
	"html": {"*.html", "*.htm"}, "css": {"*.css", "*.scss"}, "json": {"*.json"}, "yaml": {"*.yaml", "*.yml"}, "toml": {"*.toml"}, "xml": {"*.xml"},
	"md": {"*.md", "*.markdown"}, "markdown": {"*.md", "*.markdown"}, "sql": {"*.sql"}, "txt": {"*.txt"}, "make": {"Makefile", "*.mk"}, "dart": {"*.dart"},
	"elixir": {"*.ex", "*.exs"}, "haskell": {"*.hs"}, "vim": {"*.vim"}, "docker": {"Dockerfile*"}, "proto": {"*.proto"}, "zig": {"*.zig"}, "r": {"*.R", "*.r"},
}
