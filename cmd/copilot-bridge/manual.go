package main

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// topic is the help of one command, read from its usage text: completions and the manual page say what --help says.
type topic struct {
	name     string
	says     string   // one line, from the program's own help
	synopsis []string // what stands after "copilot-bridge", a line each
	verbs    []string // what may stand first after the name
	about    []string // paragraphs
	options  []option
	example  []string
}

// option is one flag, or several that share their line.
type option struct {
	flags []string // as they are written, "--kind"
	value string   // what comes behind, "KIND", "" for a switch
	says  string   // "" where the help names it in the synopsis alone
}

// isFile says that a file or a folder comes behind.
func (o option) isFile() bool { return o.value == "FILE" || o.value == "DIR" }

// The shapes of the usage texts.
var (
	summaryLine = regexp.MustCompile(`^  copilot-bridge ([a-z]+)(?: .*?)?(?:  +(.*))?$`)
	optionLine  = regexp.MustCompile(`^  (-\S+(?:, -\S+)*)(?: ([A-Z]+))?(?:  +(.*))?$`)
	flagWord    = regexp.MustCompile(`(^|[\[| ])(--?[A-Za-z][a-z-]*)(?: ([A-Z]+))?`)
	verbGroup   = regexp.MustCompile(`^[a-z]+ \[?([a-z]+(?: [A-Z]+…?)?(?:\|[a-z]+(?: [A-Z]+…?)?)+)\]?`)
)

// topics are the commands in the order of the program's own help.
func topics() ([]topic, error) {
	var all []topic
	for line := range strings.Lines(usageText) {
		m := summaryLine.FindStringSubmatch(strings.TrimSuffix(line, "\n"))
		if m == nil {
			continue
		}
		t := topic{name: m[1], says: m[2]}
		if raw, err := usageTexts.ReadFile("usage/" + t.name + ".txt"); err == nil {
			t.read(string(raw))
		} else if t.name != "version" {
			return nil, fmt.Errorf("the help names %q, which has none: %w", t.name, err)
		}
		if !slices.ContainsFunc(all, func(o topic) bool { return o.name == t.name }) { // the example names one once more
			all = append(all, t)
		}
	}
	return all, nil
}

// read takes a usage text apart: synopsis, paragraphs, options, example, with empty lines between.
func (t *topic) read(text string) {
	for n, block := range strings.Split(strings.TrimSpace(text), "\n\n") {
		lines := strings.Split(block, "\n")
		switch {
		case n == 0:
			t.usage(lines)
		case lines[0] == "Example:":
			for _, l := range lines[1:] {
				t.example = append(t.example, strings.TrimSpace(l))
			}
		case strings.HasPrefix(lines[0], "  -"):
			t.list(lines)
		default:
			t.about = append(t.about, strings.Join(lines, " "))
		}
	}
	for _, line := range t.synopsis { // flags that need no line of their own
		for _, m := range flagWord.FindAllStringSubmatch(line, -1) {
			if !t.has(m[2]) {
				t.options = append(t.options, option{flags: []string{m[2]}, value: m[3]})
			}
		}
	}
}

func (t *topic) usage(lines []string) {
	for _, l := range lines {
		l = strings.TrimSpace(strings.TrimPrefix(l, "Usage:"))
		if rest, first := strings.CutPrefix(l, "copilot-bridge "); first {
			t.synopsis = append(t.synopsis, rest)
		} else if last := len(t.synopsis) - 1; last >= 0 {
			t.synopsis[last] += " " + l
		}
	}
	for _, l := range t.synopsis {
		if m := verbGroup.FindStringSubmatch(l); m != nil {
			for _, v := range strings.Split(m[1], "|") {
				verb, _, _ := strings.Cut(v, " ")
				t.verbs = append(t.verbs, verb)
			}
		}
	}
}

func (t *topic) list(lines []string) {
	for _, l := range lines {
		m := optionLine.FindStringSubmatch(l)
		if m == nil { // the line before goes on
			last := &t.options[len(t.options)-1]
			last.says = strings.TrimSpace(last.says + " " + strings.TrimSpace(l))
			continue
		}
		t.options = append(t.options, option{flags: strings.Split(m[1], ", "), value: m[2], says: m[3]})
	}
}

func (t *topic) has(flag string) bool {
	return slices.ContainsFunc(t.options, func(o option) bool { return slices.Contains(o.flags, flag) })
}
