package acptest

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// A step is one line of a script.
type step struct {
	line  int
	verb  string
	label string // after @, "" without
	arg   string // what follows, continued lines included, before substitution
	inner *step  // of repeat
	count int    // of repeat, write, exit
	jump  int    // of end: the index of the step after its loop; of loop: the index after its end
}

func (s *step) String() string {
	arg, _, more := strings.Cut(s.arg, "\n")
	if more {
		arg += " …"
	}
	if s.verb == "repeat" {
		arg = fmt.Sprintf("%d %s", s.count, s.inner)
	}
	return strings.TrimSpace(s.verb + " " + arg)
}

// verbs are the steps and how many words they need at least.
var verbs = map[string]int{
	"expect": 1, "find": 1, "none": 1, "answer": 0, "refused": 0, "eof": 0,
	"reply": 0, "fail": 2, "request": 1, "cancel": 0, "notify": 1, "update": 1, "say": 1, "think": 1, "stub": 1, "ignore": 1,
	"send": 1, "raw": 1, "write": 1, "repeat": 2, "loop": 0, "end": 0, "put": 1, "remove": 1, "holds": 1, "set": 2, "stderr": 0,
	"handshake": 0, "session": 1,
	"mark": 1, "wait": 1, "pause": 1, "close": 0, "deaf": 0, "hang": 0, "ignore-signals": 0, "spawn": 1, "exit": 1,
}

// parseScript splits a script into steps; offset is the number of lines before it.
func parseScript(script string, offset int) ([]*step, error) {
	var steps []*step
	var loops []int
	for i, line := range strings.Split(script, "\n") {
		line = strings.TrimSuffix(line, "\r")
		switch {
		case strings.TrimSpace(line) == "" || strings.HasPrefix(strings.TrimSpace(line), "#"):
			continue
		case line[0] == ' ' || line[0] == '\t':
			if len(steps) == 0 {
				return nil, fmt.Errorf("%d: nothing to continue", offset+i+1)
			}
			last := steps[len(steps)-1]
			for last.inner != nil {
				last = last.inner
			}
			last.arg += "\n" + strings.TrimSpace(line)
			continue
		}
		s, err := parseStep(line, offset+i+1)
		if err != nil {
			return nil, fmt.Errorf("%d: %w", offset+i+1, err)
		}
		switch s.verb {
		case "loop":
			loops = append(loops, len(steps))
		case "end":
			if len(loops) == 0 {
				return nil, fmt.Errorf("%d: end without loop", s.line)
			}
			begin := loops[len(loops)-1]
			loops = loops[:len(loops)-1]
			s.jump, steps[begin].jump = begin+1, len(steps)+1
		}
		steps = append(steps, s)
	}
	if len(loops) > 0 {
		return nil, fmt.Errorf("%d: loop without end", steps[loops[0]].line)
	}
	return steps, nil
}

func parseStep(line string, number int) (*step, error) {
	verb, arg, _ := strings.Cut(line, " ")
	s := &step{line: number, arg: strings.TrimSpace(arg)}
	s.verb, s.label, _ = strings.Cut(verb, "@")
	need, ok := verbs[s.verb]
	if !ok {
		return nil, fmt.Errorf("no step %q", s.verb)
	}
	words := strings.Fields(arg)
	if len(words) < need {
		return nil, fmt.Errorf("%s: want %d arguments, have %d", s.verb, need, len(words))
	}
	if slices.Contains([]string{"repeat", "write", "exit"}, s.verb) {
		n, err := strconv.Atoi(words[0])
		if err != nil || n < 0 {
			return nil, fmt.Errorf("%s: want a number, have %q", s.verb, words[0])
		}
		s.count = n
	}
	if s.verb == "repeat" {
		_, rest, _ := strings.Cut(s.arg, " ")
		inner, err := parseStep(strings.TrimSpace(rest), number)
		if err != nil {
			return nil, err
		}
		s.inner = inner
	}
	return s, nil
}

// head splits the first word off an argument.
func head(arg string) (word, rest string) {
	i := strings.IndexAny(arg, " \t\n")
	if i < 0 {
		return arg, ""
	}
	return arg[:i], strings.TrimSpace(arg[i:])
}
