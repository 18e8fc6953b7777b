package tools

import (
	"fmt"
	"path/filepath"
	"strings"

	"github.com/copilot-bridge/copilot-bridge/internal/escape"
)

// GrepFile is what a search found in one file.
type GrepFile struct {
	Name    string // as it is to be shown, see [GrepName]
	Matches int
	Lines   []GrepLine // content mode: matching lines and their context, ascending
}

// GrepLine is a line of a search result.
type GrepLine struct {
	Number  int // 1-based
	Text    string
	Context bool // not a match itself
}

// GrepName is how Copilot's grep shows a file: below "." when the model named no path, else as it named the path.
// dir is the folder that was searched, absolute; given is what the model wrote for it; file is absolute. A searched
// file is shown as it was given.
func GrepName(dir, given, file string) string {
	rel, err := filepath.Rel(dir, file)
	switch {
	case err != nil:
		return file
	case rel == ".":
		return given
	case given == "":
		given = "."
	}
	return strings.TrimSuffix(given, "/") + "/" + filepath.ToSlash(rel)
}

// GrepText is grep's answer. Long content is grouped by file, and the middle of a file's matches left out, as the
// built-in tool does, so that every file stays in the answer. HeadLimit bounds the lines, matches or names shown.
func GrepText(a GrepArgs, files []GrepFile) string {
	if len(files) == 0 {
		return "No matches found."
	}
	if a.Mode == GrepContent {
		files = head(files, a.HeadLimit, a.After)
		plain := grepPlain(a, files)
		if len(plain) <= MaxResult {
			return plain
		}
		return grepGrouped(a, files)
	}
	var out []string
	for _, f := range files {
		line := f.Name
		if a.Mode == GrepCount {
			line = fmt.Sprintf("%s:%d", f.Name, f.Matches)
		}
		out = append(out, line)
	}
	left := 0
	if a.HeadLimit > 0 && len(out) > a.HeadLimit {
		out, left = out[:a.HeadLimit], len(out)-a.HeadLimit
	}
	text := strings.Join(out, "\n")
	if left > 0 {
		text += fmt.Sprintf("\n[%d more files match; raise head_limit to see them]", left)
	}
	return text
}

// head keeps the first n matches over all files, and after each the context that belongs to it.
func head(files []GrepFile, n, after int) []GrepFile {
	if n <= 0 {
		return files
	}
	var out []GrepFile
	for _, f := range files {
		if n == 0 {
			break
		}
		keep, last := len(f.Lines), 0
		for i, l := range f.Lines {
			if n == 0 && (!l.Context || l.Number > last+after) {
				keep = i
				break
			}
			if !l.Context {
				n, last = n-1, l.Number
			}
		}
		f.Lines = f.Lines[:keep]
		out = append(out, f)
	}
	return out
}

// gap says whether line i is not the neighbour of the line before it.
func gap(lines []GrepLine, i int) bool {
	return i > 0 && lines[i].Number != lines[i-1].Number+1
}

// grepPlain is ripgrep's form: name:number:text for a match, name-number-text for context, -- between what is apart.
func grepPlain(a GrepArgs, files []GrepFile) string {
	var out []string
	context := a.Before > 0 || a.After > 0
	for i, f := range files {
		if context && i > 0 {
			out = append(out, "--")
		}
		for j, l := range f.Lines {
			if context && gap(f.Lines, j) {
				out = append(out, "--")
			}
			sep := ":"
			if l.Context {
				sep = "-"
			}
			line := f.Name + sep
			if a.LineNumbers {
				line += fmt.Sprint(l.Number) + sep
			}
			out = append(out, line+strings.TrimSuffix(l.Text, "\r"))
		}
	}
	return strings.Join(out, "\n")
}

// grepGrouped is the built-in tool's form for much content.
func grepGrouped(a GrepArgs, files []GrepFile) string {
	total := 0
	for _, f := range files {
		total += matches(f.Lines)
	}
	var b strings.Builder
	fmt.Fprintf(&b, "[grep content: %d matches across %d file(s)]", total, len(files))
	for _, f := range files {
		fmt.Fprintf(&b, "\n\n%s (%d match(es)):", f.Name, matches(f.Lines))
		left := len(f.Lines) - 2*groupEdge
		for i, l := range f.Lines {
			switch {
			case left > 0 && i == groupEdge:
				fmt.Fprintf(&b, "\n  ... %d more line(s) omitted in this file", left)
				continue
			case left > 0 && i > groupEdge && i < groupEdge+left:
				continue
			}
			at := "  "
			if a.LineNumbers {
				at = fmt.Sprintf("  %d:", l.Number)
			}
			b.WriteString("\n" + at + " " + escape.Clip(strings.TrimSuffix(l.Text, "\r"), groupLine))
		}
	}
	return b.String()
}

func matches(lines []GrepLine) (n int) {
	for _, l := range lines {
		if !l.Context {
			n++
		}
	}
	return n
}

// NoSuchSearchPath answers grep for paths that are not there.
func NoSuchSearchPath(paths ...string) string {
	return "Error: Search paths do not exist: " + strings.Join(paths, ", ")
}

// BadPattern answers grep for a pattern that is not a regular expression.
func BadPattern(pattern string, err error) string {
	return fmt.Sprintf("Error: regex parse error in %q: %v", escape.Clip(pattern, maxQuoted), err)
}

// UnknownType answers grep for a file type nobody knows.
func UnknownType(name string) string { return "Error: rg: unrecognized file type: " + name }
