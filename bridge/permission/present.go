package permission

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/copilot-bridge/copilot-bridge/bridge/policy"
	"github.com/copilot-bridge/copilot-bridge/internal/escape"
)

// Present makes a question safe to show: what an agent or a file wrote into it can neither hide nor pretend anything.
// The texts of the diffs stay as they are, an editor compares them; what in them cannot be seen is said in a note.
func (q *Question) Present() {
	q.Title, q.Reason, q.Cwd = escape.Inline(q.Title), escape.Inline(q.Reason), escape.Inline(q.Cwd)
	q.Argv = slices.Clone(q.Argv)
	for i, word := range q.Argv {
		if n := longestBlank(word); n > maxBlank {
			q.Notes = append(q.Notes, fmt.Sprintf("the command holds %d blanks in a row; look at its end", n))
		}
		if spelled := spelledWords(word); spelled != "" {
			q.Notes = append(q.Notes, "the command has letters that look like others; written out: "+spelled)
		}
		q.Argv[i] = escape.Inline(word)
	}
	q.Env = slices.Clone(q.Env)
	for i, v := range q.Env {
		if spelled := spelledWords(v.String()); spelled != "" {
			q.Notes = append(q.Notes, "the environment has letters that look like others; written out: "+spelled)
		}
		q.Env[i] = policy.EnvVar{Name: escape.Inline(v.Name), Value: escape.Inline(v.Value)}
	}
	for _, d := range q.Diffs {
		q.Notes = append(q.Notes, textNotes(d)...)
	}
	// What the reason says with the file's name is not said again without it, unless it is meant of another one too: a second file, or
	// the folder of a command.
	outside := 0
	for _, n := range q.Notes {
		if n == noteOutside {
			outside++
		}
	}
	seen := map[string]bool{noteOutside: outside == 1 && len(q.Argv) == 0 && q.must && strings.HasSuffix(q.Reason, outsideFolders)}
	q.Notes = slices.DeleteFunc(slices.Clone(q.Notes), func(n string) bool {
		was := seen[n]
		seen[n] = true
		return was
	})
	for i, n := range q.Notes {
		q.Notes[i] = escape.Inline(n)
	}
	q.aside = slices.Clone(q.aside)
	for i, n := range q.aside {
		q.aside[i] = escape.Inline(n)
	}
	if q.ToolCall != nil && q.ToolCall.Title != nil {
		call, title := *q.ToolCall, escape.Inline(*q.ToolCall.Title)
		call.Title = &title
		q.ToolCall = &call
	}
}

// textNotes are what a user should know about a new text before they look at it.
func textNotes(d FileDiff) (out []string) {
	line, n, first := 1, 0, ""
	for _, r := range d.NewText {
		switch {
		case r == '\n':
			line++
		case escape.Hidden(r) && !strings.ContainsRune(d.OldText, r):
			if n++; first == "" {
				first = fmt.Sprintf("%s in line %d", escape.Inline(string(r)), line)
			}
		}
	}
	if n > 0 {
		out = append(out, fmt.Sprintf("%s: the new text holds %d characters that cannot be seen or that turn the text around, the first is %s", d.Path, n, first))
	}
	for _, url := range remoteSchemas(d.NewText) {
		if !strings.Contains(d.OldText, url) {
			out = append(out, fmt.Sprintf("%s: the new text names %s, which editors fetch by themselves, with all that is in the address", d.Path, url))
		}
	}
	return out
}

// remoteSchema finds the places of JSON, YAML, XML and TOML files whose addresses editors fetch without being asked.
var remoteSchema = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?i)(?:["']?\$schema["']?\s*[:=]\s*|<!(?:DOCTYPE|ENTITY)\b[^>]*?|\bschemaLocation\s*=\s*["'][^"']*?|<\?xml-(?:model|stylesheet)\b[^>]*?href\s*=\s*|<xs?d?:?(?:include|import)\b[^>]*?|#:schema\s+)["']?((?:https?:|ftp:|file:)?//[^\s"'<>\\]+|\\\\[^\s"'<>]+)`)
})

// remoteSchemas are those addresses, without doubles.
func remoteSchemas(text string) (out []string) {
	for _, m := range remoteSchema().FindAllStringSubmatch(text[:min(len(text), maxSchemaText)], maxSchemas) {
		if !slices.Contains(out, m[1]) {
			out = append(out, m[1])
		}
	}
	return out
}

// CommandTitle is a command on one line. Nothing is cut, nothing is hidden; a long run of blanks, which would push the
// rest out of sight, is written as a number.
func CommandTitle(argv []string) string {
	return blanksAsNumbers(escape.Inline(policy.CommandText(argv)))
}

// linkNotes say where the words of a command lead that are links.
func (g *Gate) linkNotes(argv []string, dir string) (out []string) {
	for i, l := range g.linkedWords(argv, dir) {
		if i == maxSpelled {
			return append(out, "further words of the command are links as well")
		}
		out = append(out, fmt.Sprintf("%s in the command is really %s", g.Short(l.word), l.real))
	}
	return out
}

var blanks = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`[\s\p{Zs}→⏎␍]{9,}`)
})

func blanksAsNumbers(s string) string {
	return blanks().ReplaceAllStringFunc(s, func(b string) string { return fmt.Sprintf(" [%d blanks] ", len([]rune(b))) })
}

// bounded is a text for a note, with its middle left out where it is too long to be read, and by how much.
func bounded(text string) string {
	if len(text) <= maxShownInput {
		return text
	}
	head, tail := escape.Head(text, maxShownInput/2), escape.Tail(text, maxShownInput/2)
	return fmt.Sprintf("%s [… %d bytes are left out here …] %s", head, len(text)-len(head)-len(tail), tail)
}

// longestBlank is the length of the longest run of white space in a word.
func longestBlank(s string) (n int) {
	run := 0
	for _, r := range s {
		if run++; !strings.ContainsRune(" \t\r\n\v\f\u00a0\u2003\u3000", r) {
			run = 0
		}
		n = max(n, run)
	}
	return n
}
