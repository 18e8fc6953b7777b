package tools

import (
	"context"
	"strings"
	"unicode/utf8"
)

const (
	// The options of a question: with one there is nothing to choose, more than five are a form and not a question.
	minOptions, maxOptions = 2, 5

	// maxQuestion and maxOption are the longest question and option, in characters: what an editor can show at a glance, all of it.
	maxQuestion, maxOption = 1000, 200
)

// AskArgs is a question to the user.
type AskArgs struct {
	Question string
	Options  []string // two to five, none empty, no two alike
	Other    bool     // the user may answer in other words
}

// Asker is a [Host] that knows whether the user can be asked for a caller. It is asked when a connection begins; the tools of a
// connection do not change.
type Asker interface {
	HasAsk(ctx context.Context, c Caller) bool
}

func decodeAsk(f *fields) AskArgs {
	f.require("question", "options")
	a := AskArgs{Question: strings.TrimSpace(f.text("question")), Other: true}
	if _, given := f.get("allow_other"); given {
		a.Other = f.flag("allow_other")
	}
	if n := utf8.RuneCountInString(a.Question); n > maxQuestion {
		f.fail("question", "it has %d characters, at most %d are asked", n, maxQuestion)
	} else if _, given := f.get("question"); given && n == 0 {
		f.fail("question", "it is empty")
	}
	v, given := f.get("options")
	if !given {
		return a
	}
	if v.Kind() != '[' {
		f.fail("options", "Expected array, received %s", kindName(v))
		return a
	}
	seen := map[string]bool{}
	for _, o := range f.list("options") {
		o = strings.TrimSpace(o)
		switch {
		case o == "":
			f.fail("options", "one of them is empty")
		case utf8.RuneCountInString(o) > maxOption:
			f.fail("options", "one of them has more than %d characters", maxOption)
		case seen[strings.ToLower(o)]:
			f.fail("options", "two of them are alike")
		}
		seen[strings.ToLower(o)] = true
		a.Options = append(a.Options, o)
	}
	if n := len(a.Options); n < minOptions || n > maxOptions {
		f.fail("options", "there are %d, give %d to %d", n, minOptions, maxOptions)
	}
	return a
}
