package imports

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"strings"
	"testing"
)

// givesText are calls that yield the text of files, or of what an editor knows of them; gates are those that decide whether
// the model may have it.
var (
	givesText = map[string]bool{"Read": true, "ReadFile": true, "ReadDir": true, "Readdirnames": true, "Open": true, "Lookup": true, "Text": true,
		"Diagnostics": true, "Selection": true, "read": true, "TextOf": true}
	gates = map[string]bool{"PermitRead": true, "PermitSight": true, "PermitWrite": true, "May": true, "MayNamed": true, "Sight": true}
)

// onlyInside are functions of bridge/host that read without deciding. true: whoever calls them has to; false: no text of
// a file leaves them.
var onlyInside = map[string]bool{
	"listFolder":   true,  // names, for view
	"file":         true,  // of a search, for one file
	"read":         true,  // the same, and what an agent reads
	"text":         true,  // of the file that a search reads
	"textOfPlaces": true,  // of a file that a language server names
	"ReadBash":     false, // the output of a command that was allowed

	"listed":         false, // says whether files are open
	"still":          false, // compares
	"fileAt":         false, // for the user, who is asked
	"editText":       false, // the same
	"onDisk":         false, // for the review book
	"unsavedPaths":   false, // says which files are unsaved
	"unmoved":        false, // for the review book
	"reconcileFile":  false, // the same
	"account":        false, // the same
	"accountOutside": false, // the same
	"known":          false, // compares
}

// TestFileTextReachesTheModelThroughOneDecision guards the editor tools and what is in bridge/host: each function that
// comes by the text of a file asks the rules about that file, with Gate.PermitRead or PermitSight for what the model names, and with
// Reading.May or Reading.MayNamed for what a tool comes upon.
func TestFileTextReachesTheModelThroughOneDecision(t *testing.T) {
	sources := map[string]bool{}
	for name := range givesText {
		sources[name] = true
	}
	for name, passesOn := range onlyInside {
		if passesOn {
			sources[name] = true
		}
	}
	seen := map[string]bool{}
	var paths []string
	for room, atLeast := range map[string]int{".": 5, "session": 40, "tracking": 5, "host": 5} {
		sources, err := filepath.Glob("../../bridge/" + room + "/*.go")
		if err != nil || len(sources) < atLeast {
			t.Fatal(room, len(sources), err)
		}
		paths = append(paths, sources...)
	}
	for _, path := range paths {
		if strings.HasSuffix(path, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		host := strings.Contains(filepath.ToSlash(path), "/host/") || strings.HasPrefix(filepath.Base(path), "host")
		for _, d := range file.Decls {
			f, ok := d.(*ast.FuncDecl)
			if !ok || f.Body == nil {
				continue
			}
			if !host && !isTool(f) {
				continue
			}
			reads, decides := callsIn(f, sources), callsIn(f, gates)
			if _, known := onlyInside[f.Name.Name]; known {
				seen[f.Name.Name] = true
				continue
			}
			if len(reads) > 0 && len(decides) == 0 {
				t.Errorf("%s: %s calls %v, and nothing that decides whether the model may read it", path, f.Name.Name, reads)
			}
		}
	}
	for name := range onlyInside {
		if !seen[name] {
			t.Errorf("%s is not there any more", name)
		}
	}
}

// isTool says whether a function is a method of tools.Host: it has a parameter of the type tools.Caller.
func isTool(f *ast.FuncDecl) bool {
	for _, p := range f.Type.Params.List {
		if sel, ok := p.Type.(*ast.SelectorExpr); ok && sel.Sel.Name == "Caller" && f.Recv != nil && f.Name.IsExported() {
			return true
		}
	}
	return false
}

func callsIn(f *ast.FuncDecl, names map[string]bool) (out []string) {
	ast.Inspect(f.Body, func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		if !ok {
			return true
		}
		name := ""
		switch fun := call.Fun.(type) {
		case *ast.Ident:
			name = fun.Name
		case *ast.SelectorExpr:
			if room, ok := fun.X.(*ast.SelectorExpr); ok && room.Sel.Name == "host" {
				break // of bridge/host, which is looked at by itself
			}
			name = fun.Sel.Name
		}
		if names[name] {
			out = append(out, name)
		}
		return true
	})
	return out
}
