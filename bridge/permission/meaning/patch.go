package meaning

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"unicode"
)

// patchPaths are the files that a patch changes, of the two kinds that agents send: a unified diff, and that of
// apply_patch, which begins with "*** Begin Patch" and is the only one that needs no other name. ok is false if there is a
// line whose meaning is not known.
func patchPaths(text string) (paths []string, begin, ok bool) {
	lines := strings.Split(strings.TrimSuffix(strings.ReplaceAll(text, "\r\n", "\n"), "\n"), "\n")
	if slices.ContainsFunc(lines, hidesHeader) {
		return nil, false, false
	}
	if len(lines) > 0 && lines[0] == "*** Begin Patch" {
		paths, ok = beginPatch(lines[1:])
		return paths, true, ok
	}
	paths, ok = unifiedPatch(lines)
	return paths, false, ok
}

// hidesHeader says whether a line has what begins a header behind a character that ends a line to some programs (Python's
// splitlines), and not to others.
func hidesHeader(line string) bool {
	for i, r := range line {
		if strings.ContainsRune("\r\v\f\x1c\x1d\x1e\u0085\u2028\u2029", r) {
			rest := strings.TrimLeftFunc(line[i:], unicode.IsSpace)
			if _, is := afterAny(strings.TrimLeft(rest, "\x1c\x1d\x1e"), []string{"***", "---", "+++", "@@", "diff ", "Index: ", "rename ", "copy "}); is {
				return true
			}
		}
	}
	return false
}

// fileHeaders begin the lines of apply_patch that name a file.
var fileHeaders = []string{"*** Add File: ", "*** Update File: ", "*** Delete File: ", "*** Move to: "}

func beginPatch(lines []string) (paths []string, ok bool) {
	if len(lines) == 0 || lines[len(lines)-1] != "*** End Patch" {
		return nil, false
	}
	for _, line := range lines[:len(lines)-1] {
		if name, is := afterAny(line, fileHeaders); is {
			if name == "" || name != strings.TrimSpace(name) {
				return nil, false
			}
			paths = append(paths, name)
			continue
		}
		if strings.HasPrefix(strings.TrimLeft(line, " \t"), "***") && line != "*** End of File" { // some take such a line for a name too
			return nil, false
		}
		known := line == "" || line == "*** End of File" || strings.ContainsRune(" +-", rune(line[0])) || strings.HasPrefix(line, "@@")
		if !known || len(paths) == 0 {
			return nil, false
		}
	}
	return paths, len(paths) > 0
}

// patchTakesAway says whether a file is not there any more after a patch, or may not be. A line of a text that looks so counts.
func patchTakesAway(text string) bool {
	for line := range strings.Lines(text) {
		if _, is := afterAny(line, []string{"*** Delete File: ", "*** Move to: ", "deleted file mode ", "rename from ", "rename to ", "+++ /dev/null"}); is {
			return true
		}
	}
	return false
}

// betweenFiles begin the lines of a unified diff that say nothing of which file it is, or what its two names say again.
var betweenFiles = []string{"index ", "====", "new file mode ", "create file mode ", "deleted file mode ", "old mode ", "new mode ", `\ No newline`}

var hunkHeader = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^@@ -\d+(?:,(\d+))? \+\d+(?:,(\d+))? @@`) })

// unifiedPatch reads hunks by their counts: a line that is taken away may begin with "-- " itself.
func unifiedPatch(lines []string) (paths []string, ok bool) {
	old, new := 0, 0
	for _, line := range lines {
		if old > 0 || new > 0 {
			switch {
			case line == "" || line[0] == ' ':
				old, new = old-1, new-1
			case line[0] == '-':
				old--
			case line[0] == '+':
				new--
			case line[0] != '\\':
				return nil, false
			}
			if old < 0 || new < 0 {
				return nil, false
			}
			continue
		}
		if name, is := afterAny(line, []string{"--- ", "+++ ", "Index: ", "rename from ", "rename to ", "copy from ", "copy to "}); is {
			name, _, _ = strings.Cut(name, "\t") // a time follows
			paths = append(paths, name)
			continue
		}
		if names, is := strings.CutPrefix(line, "diff --git "); is {
			half := len(names) / 2 // the name stands here twice
			if len(names)%2 == 0 || names[half] != ' ' || strings.TrimPrefix(names[:half], "a/") != strings.TrimPrefix(names[half+1:], "b/") {
				return nil, false
			}
			paths = append(paths, names[:half])
			continue
		}
		if m := hunkHeader().FindStringSubmatch(line); m != nil {
			old, new = hunkLines(m[1]), hunkLines(m[2])
			continue
		}
		if _, is := afterAny(line, betweenFiles); !is && line != "" {
			return nil, false
		}
	}
	return paths, old == 0 && new == 0
}

// hunkLines is how many lines a hunk has; it has one where none is said.
func hunkLines(digits string) int {
	if digits == "" {
		return 1
	}
	n, err := strconv.Atoi(digits)
	if err != nil {
		return 0 // the lines that follow are not understood then
	}
	return n
}

func afterAny(line string, prefixes []string) (rest string, ok bool) {
	for _, p := range prefixes {
		if rest, ok = strings.CutPrefix(line, p); ok {
			return rest, true
		}
	}
	return "", false
}

// namesFile says whether a name in a patch is a file's. Git puts a/ and b/ before it, and Copilot leaves the slash out that it
// begins with.
func namesFile(name, path string) bool {
	for _, n := range []string{name, strings.TrimPrefix(name, "a/"), strings.TrimPrefix(name, "b/")} {
		if n == path || "/"+n == path || n == "/dev/null" || n == "dev/null" && n != name {
			return true
		}
	}
	return false
}
