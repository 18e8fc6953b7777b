package tools

import (
	"context"
	"math/bits"
	"slices"
)

// LanguageTool is a tool that asks the editor's language servers, by its name.
type LanguageTool string

// The tools that ask the editor's language servers.
const (
	Symbols     LanguageTool = "symbols"
	Definition  LanguageTool = "definition"
	References  LanguageTool = "references"
	Hover       LanguageTool = "hover"
	Rename      LanguageTool = "rename"
	Format      LanguageTool = "format"
	CodeActions LanguageTool = "codeActions"
)

// LanguageTools are all of them, in the order in which they are listed.
var LanguageTools = [...]LanguageTool{Symbols, Definition, References, Hover, Rename, Format, CodeActions}

// LanguageSet is a set of them: bit n stands for LanguageTools[n].
type LanguageSet uint8

// AllLanguage has all of them.
const AllLanguage LanguageSet = 1<<len(LanguageTools) - 1

// LanguageSetOf is the set with these names; ok is false if one of them is no such tool's.
func LanguageSetOf(names []LanguageTool) (set LanguageSet, ok bool) {
	for _, name := range names {
		i := slices.Index(LanguageTools[:], name)
		if i < 0 {
			return 0, false
		}
		set |= 1 << i
	}
	return set, true
}

func (s LanguageSet) has(i int) bool { return s&(1<<i) != 0 }

// Len is how many there are.
func (s LanguageSet) Len() int { return bits.OnesCount8(uint8(s)) }

// LanguageArgs are the arguments of such a tool. What a tool does not have is empty.
type LanguageArgs struct {
	Tool    LanguageTool
	Path    string // as the model gave it
	Line    int    // 1-based, 0 if it was left out
	Column  int    // 1-based, in characters; 0 if it was left out
	Symbol  string // a name on that line
	Query   string // symbols: what the names hold
	NewName string // rename
	Apply   string // codeActions: the title of the one to apply, "" to list them
}

// Linguist is a [Host] that knows whether the editor's language servers can be asked for a caller. It is asked when a connection
// begins; the tools of a connection do not change.
type Linguist interface {
	HasLanguage(ctx context.Context, c Caller) bool
}

var languageTitles = map[LanguageTool]string{
	Symbols: "Symbols of a file or of the workspace", Definition: "Where a name is defined", References: "Where a name is used", Hover: "What the editor says of a name",
	Rename: "Rename a name everywhere", Format: "Format a file", CodeActions: "Quick fixes at a place",
}

// languageTools are the entries of the catalogue for a set.
func languageTools(set LanguageSet) (all []*tool) {
	for i, name := range LanguageTools {
		if !set.has(i) {
			continue
		}
		decode := func(f *fields) LanguageArgs { return decodeLanguage(f, name) }
		reads := name == Symbols || name == Definition || name == References || name == Hover
		all = append(all, &tool{name: string(name), title: languageTitles[name], readOnly: reads, run: run1(decode, Host.Language)})
	}
	return all
}

func decodeLanguage(f *fields, name LanguageTool) LanguageArgs {
	a := LanguageArgs{Tool: name, Path: f.text("path")}
	switch name {
	case Symbols:
		a.Query = f.text("query")
		if a.Path == "" && a.Query == "" {
			f.fail("path", "Required, or a query")
		}
		return a
	case Format:
		f.require("path")
		return a
	}
	f.require("path", "line")
	a.Line, a.Column = f.count("line", 0), f.count("column", 0)
	a.Symbol = f.text("symbol")
	switch name {
	case Rename:
		f.require("newName")
		a.NewName = f.text("newName")
	case CodeActions:
		a.Apply = f.text("apply")
		return a
	}
	if _, given := f.get("column"); a.Symbol == "" && !given {
		f.fail("symbol", "Required, or a column")
	}
	return a
}
