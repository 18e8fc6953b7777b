package imports

import (
	"go/scanner"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// maxCode is how many lines of code a package may have: what is more is two rooms. Counted are the lines of Go that hold code, so neither
// blank lines nor those of comments alone, which are to say why; and no tests and nothing generated.
const maxCode = 5_000

// maxCodeOf are the packages that have less: package bridge is a door and no room.
var maxCodeOf = map[string]int{"bridge": 1_500}

// generated marks a file that nobody has written.
var generated = regexp.MustCompile(`(?m)^// Code generated .* DO NOT EDIT\.$`)

func TestNoPackageIsTooLarge(t *testing.T) {
	sizes := map[string]int{}
	root := filepath.Join("..", "..")
	err := filepath.WalkDir(root, func(path string, d os.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && (d.Name() == "node_modules" || d.Name() == "testdata" || strings.HasPrefix(d.Name(), ".") && path != root) {
			return filepath.SkipDir
		}
		if d.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return nil
		}
		src, err := os.ReadFile(path)
		if err != nil || generated.Match(src) {
			return err
		}
		room, err := filepath.Rel(root, filepath.Dir(path))
		sizes[filepath.ToSlash(room)] += linesOfCode(src)
		return err
	})
	if err != nil || len(sizes) < 40 {
		t.Fatal(len(sizes), err)
	}
	for room := range maxCodeOf {
		if sizes[room] == 0 {
			t.Errorf("there is no package %s any more", room)
		}
	}
	for room, size := range sizes {
		limit := maxCode
		if less, ok := maxCodeOf[room]; ok {
			limit = less
		}
		if size > limit {
			t.Errorf("%s has %d lines of code, and %d are the most: move a room out of it", room, size, limit)
		}
	}
}

// linesOfCode counts the lines of a file that a token of Go is on. A text of several lines counts with each.
func linesOfCode(src []byte) (n int) {
	var s scanner.Scanner
	fset := token.NewFileSet()
	file := fset.AddFile("", -1, len(src))
	s.Init(file, src, nil, 0) // without comments
	last := 0
	for {
		pos, tok, text := s.Scan()
		if tok == token.EOF {
			return n
		}
		if tok == token.SEMICOLON && text == "\n" {
			continue // written by the end of the line
		}
		first := file.Line(pos)
		end := first + strings.Count(text, "\n")
		n += end - max(first-1, last)
		last = max(last, end)
	}
}

func TestLinesOfCodeAreCounted(t *testing.T) {
	const src = "// Package p.\npackage p\n\n/* a\nb */\nvar x = `one\ntwo` // why\n\nfunc f() { // why\n\t// because\n\tx = \"\"; x = x\n}\n"
	if n := linesOfCode([]byte(src)); n != 6 {
		t.Errorf("counted %d", n)
	}
}
