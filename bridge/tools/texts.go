package tools

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf16"

	"github.com/copilot-bridge/copilot-bridge/internal/escape"
)

// Texts for the model, as the built-in tools of Copilot CLI 1.0.102 word them (testdata/builtin holds what was measured). A model
// that knows those tools reads the outcome at a glance; where the built-in tool is at odds with itself, the comment says so.

// NoSuchPath answers view, edit and the search for a path that is not there.
func NoSuchPath(path string) string {
	return "Path " + path + " does not exist. Please provide a valid path."
}

// EditDone answers an edit that was made.
func EditDone(path string) string { return "File " + path + " updated with changes." }

// NoMatch answers an edit whose old_str is not in the file.
func NoMatch(path string) string {
	return "No match found: old_str not found in " + path + "; no changes made; you might want to try again with correct old_str"
}

// SameText answers an edit that would change nothing.
func SameText() string { return "No changes made: old_str and new_str are the same" }

// EmptyOld answers an edit without old_str in a file that is not empty.
func EmptyOld() string { return "Invalid inputs: old_str is required" }

// Ambiguous answers an edit whose old_str is in the file more than once. lines are the 1-based lines where it begins;
// of many only the first are named, which is enough to choose by.
func Ambiguous(path, old string, lines []int) string {
	first, rest, _ := strings.Cut(old, "\n")
	span := strings.Count(old, "\n")
	if span > 0 && strings.HasSuffix(rest, "\n") || span == 1 && rest == "" {
		span-- // the last line break ends the last line, it does not begin another
	}
	var named []string
	for i, n := range lines {
		if i == maxNamedLines {
			named = append(named, fmt.Sprintf("and %d more", len(lines)-i))
			break
		}
		at := strconv.Itoa(n)
		if span > 0 {
			at += "-" + strconv.Itoa(n+span)
		}
		named = append(named, at)
	}
	return fmt.Sprintf("Ambiguous match for old_str in %s: pattern starting with %q matched at lines %s. No changes made; try again with a more specific old_str.",
		path, escape.Clip(strings.TrimSuffix(first, "\r"), maxQuoted), strings.Join(named, ", "))
}

// CreateDone answers a file that was made. The built-in tool counts as JavaScript does, in UTF-16 units.
func CreateDone(path, text string) string {
	n := 0
	for _, r := range text {
		n += max(1, utf16.RuneLen(r)) // not UTF-8: one U+FFFD
	}
	return fmt.Sprintf("Created file %s with %d characters", path, n)
}

// AlreadyExists answers create for a path that is taken.
func AlreadyExists(path string, folder bool) string {
	kind := "file"
	if folder {
		kind = "directory"
	}
	return "Path " + path + " already exists as a " + kind + ". Use `view` to check contents then edit it."
}

// NoParent answers create in a folder that does not exist.
func NoParent(dir string) string {
	return "Parent directory " + dir + " does not exist. You need to create it before creating the file."
}

// TooLarge answers view without a range for a file whose text would not fit in a result. size is in bytes.
func TooLarge(size int) string {
	return fmt.Sprintf("File too large to read at once (%.1f KB). Consider using the grep tool to search within the file, or view with view_range to read specific sections.",
		float64(size)/1024)
}

// modelError is an error whose text is written for the model: whole sentences.
type modelError string

func (e modelError) Error() string { return string(e) }

func forModel(format string, args ...any) error { return modelError(fmt.Sprintf(format, args...)) }
