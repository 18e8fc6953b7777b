package words

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// root is the repository, seen from here.
const root = "../.."

// passage is a text that somebody reads, and where it is.
type passage struct {
	file string
	line int
	text string
}

// skipped are folders with what others wrote, what is made and what makes it, and what tests feed to programs.
var skipped = []string{".git", "node_modules", "testdata", "build", "dist", "out", "tests", ".vscode-test", "gen"}

// passages are all texts of the repository that people read.
func passages(t *testing.T) []passage {
	t.Helper()
	var all []passage
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() {
			if slices.Contains(skipped, d.Name()) {
				return filepath.SkipDir
			}
			return nil
		}
		read := reader(path)
		if read == nil {
			return nil
		}
		source, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		name, err := filepath.Rel(root, path)
		if err != nil {
			return err
		}
		for _, p := range read(string(source)) {
			p.file = filepath.ToSlash(name)
			all = append(all, p)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// reader is what finds the texts in a file of that name; nil if nobody reads it.
func reader(path string) func(source string) []passage {
	switch name := filepath.Base(path); {
	case strings.HasSuffix(name, "_test.go"), strings.HasSuffix(name, ".test.ts"), name == "package-lock.json", strings.HasPrefix(name, "tsconfig"):
		return nil
	case strings.HasSuffix(name, ".go"):
		return goStrings
	case strings.HasSuffix(name, ".lua"):
		return luaStrings
	case strings.HasSuffix(name, ".ts"):
		return typeScriptStrings
	case strings.HasSuffix(name, ".json"):
		return jsonStrings
	case strings.HasSuffix(name, ".md"), strings.HasSuffix(name, ".txt"):
		return prose
	}
	return nil
}

// goStrings are the string literals but import paths and tags of structs.
func goStrings(source string) (found []passage) {
	set := token.NewFileSet()
	file, err := parser.ParseFile(set, "", source, parser.SkipObjectResolution)
	if err != nil {
		return []passage{{text: err.Error()}}
	}
	tags := map[*ast.BasicLit]bool{}
	ast.Inspect(file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.ImportSpec:
			return false
		case *ast.Field:
			tags[n.Tag] = true
		case *ast.BasicLit:
			if text, err := strconv.Unquote(n.Value); n.Kind == token.STRING && !tags[n] && err == nil {
				found = append(found, sentence(set.Position(n.Pos()).Line, text)...)
			}
		}
		return true
	})
	return found
}

// Strings and comments: which of them begins first decides what the other's marks in it are.
var (
	luaToken  = regexp.MustCompile(`(?s)--\[\[.*?\]\]|--[^\n]*|\[\[(.*?)\]\]|"((?:\\.|[^"\\\n])*)"|'((?:\\.|[^'\\\n])*)'`)
	tsToken   = regexp.MustCompile("(?s)//[^\n]*|/\\*.*?\\*/|`((?:\\\\.|[^`\\\\])*)`|\"((?:\\\\.|[^\"\\\\\n])*)\"|'((?:\\\\.|[^'\\\\\n])*)'")
	jsonToken = regexp.MustCompile(`"((?:\\.|[^"\\])*)"`)
	code      = regexp.MustCompile("(?s)```.*?```|``.*?``|`[^`\n]*`|\\]\\([^)\n]*\\)|https?://[^\\s)]+|--[a-z][a-z-]+")
)

func luaStrings(source string) []passage        { return literals(luaToken, source) }
func typeScriptStrings(source string) []passage { return literals(tsToken, source) }
func jsonStrings(source string) []passage       { return literals(jsonToken, source) }

// literals are what the groups of a pattern find.
func literals(pattern *regexp.Regexp, source string) (found []passage) {
	for _, m := range pattern.FindAllStringSubmatchIndex(source, -1) {
		for i := 2; i < len(m); i += 2 {
			if m[i] >= 0 {
				found = append(found, sentence(1+strings.Count(source[:m[i]], "\n"), source[m[i]:m[i+1]])...)
			}
		}
	}
	return found
}

// sentence is a string that somebody reads. A single word is a name of something in the program.
func sentence(line int, text string) []passage {
	text = code.ReplaceAllString(text, "")
	if !strings.ContainsAny(strings.TrimSpace(text), " \n") {
		return nil
	}
	return []passage{{line: line, text: text}}
}

// prose is a page but its code, addresses and links, line by line.
func prose(source string) (found []passage) {
	source = code.ReplaceAllStringFunc(source, func(cut string) string { return strings.Repeat("\n", strings.Count(cut, "\n")) })
	for i, text := range strings.Split(source, "\n") {
		found = append(found, passage{line: i + 1, text: text})
	}
	return found
}
