package policy

import (
	_ "embed"
	"strings"
	"sync"
)

//go:embed control_list.txt
var controlListText string

// control is one row of the list: names that one program, or one family of them, knows.
type control struct {
	kind   string // whose files they are
	names  []string
	source string // which program reads them and what it starts, and the documentation that says so
}

// controlList is the list of control files, in the order of control_list.txt, which says what is in it and how.
var controlList = sync.OnceValue(func() (list []control) {
	kind := ""
	for line := range strings.Lines(controlListText) {
		line = strings.TrimSpace(line)
		if title, ok := strings.CutPrefix(line, "# "); ok {
			kind = title
		} else if line != "" && !strings.HasPrefix(line, "//") {
			names, source, _ := strings.Cut(line, " | ")
			list = append(list, control{kind, strings.Fields(names), source})
		}
	}
	return list
})

// proseIn are folders of the list in which prose and pictures are ordinary files, unless another entry names them.
var proseIn = []string{".github"}

// prose are names of such files. An SVG is none: it can hold a script.
var prose = []string{"*.md", "*.markdown", "*.txt", "*.rst", "*.adoc", "*.png", "*.jpg", "*.jpeg", "*.gif", "*.webp", "*.ico", "license*", "licence*"}
