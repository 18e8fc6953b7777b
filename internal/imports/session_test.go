package imports

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"strings"
	"testing"
)

// guarded are the fields of package bridge/session that something else than its goroutine may change, and what guards them.
var guarded = map[string]bool{
	"snapshot.mu": true, // around the copy of the state that others read
	"inbox.mu":    true, // around what waits for the goroutine

	"Set.mu": true, "Set.loading": true, // the list of sessions is no part of any
}

// counts are types of package sync that guard nothing.
var counts = map[string]bool{"WaitGroup": true}

// TestASessionChangesOnItsGoroutineOnly holds the first rule of bridge/session: what changes in a session is in its state, which
// its methods change and nothing else, or in the type of another room. So no struct there has a lock, an atomic or a semaphore but
// those of guarded, no function but newSession sets a field of a Session, and none but a method of state one of a state.
func TestASessionChangesOnItsGoroutineOnly(t *testing.T) {
	paths, err := filepath.Glob("../../bridge/session/*.go")
	if err != nil || len(paths) < 40 {
		t.Fatal(len(paths), err)
	}
	structs, found := map[string]bool{}, map[string]bool{}
	for _, path := range paths {
		if strings.HasSuffix(path, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range file.Decls {
			switch d := d.(type) {
			case *ast.GenDecl:
				ast.Inspect(d, func(n ast.Node) bool {
					spec, ok := n.(*ast.TypeSpec)
					if !ok {
						return true
					}
					if fields, ok := spec.Type.(*ast.StructType); ok {
						structs[spec.Name.Name] = true
						for _, lock := range locksIn(spec.Name.Name, fields) {
							found[lock] = true
							if !guarded[lock] {
								t.Errorf("%s: %s guards what changes outside of the state", path, lock)
							}
						}
					}
					return true
				})
			case *ast.FuncDecl:
				held := roomsOf(d)
				if d.Body == nil || d.Name.Name == "newSession" {
					continue
				}
				for _, name := range assigned(d.Body) {
					if what := held[name]; what == "Session" || what == "state" && !isMethodOf(d, "state") {
						t.Errorf("%s: %s sets a field of a %s", path, d.Name.Name, what)
					}
				}
			}
		}
	}
	for lock := range guarded {
		if !found[lock] {
			t.Errorf("there is no %s any more", lock)
		}
	}
	for _, name := range []string{"Session", "state", "known", "turn"} {
		if !structs[name] {
			t.Errorf("there is no struct %s any more", name)
		}
	}
}

// locksIn are the fields of a struct that are of package sync, sync/atomic or semaphore, however deep in their type.
func locksIn(name string, fields *ast.StructType) (out []string) {
	for _, f := range fields.Fields.List {
		ast.Inspect(f.Type, func(n ast.Node) bool {
			sel, ok := n.(*ast.SelectorExpr)
			if !ok {
				return true
			}
			pkg, _ := sel.X.(*ast.Ident)
			if pkg == nil || pkg.Name != "atomic" && pkg.Name != "semaphore" && (pkg.Name != "sync" || counts[sel.Sel.Name]) {
				return true
			}
			if len(f.Names) == 0 {
				out = append(out, name+"."+sel.Sel.Name)
			}
			for _, field := range f.Names {
				out = append(out, name+"."+field.Name)
			}
			return true
		})
	}
	return out
}

// roomsOf are the receiver and the parameters of a function that are a *Session or a *state, by name.
func roomsOf(f *ast.FuncDecl) map[string]string {
	out := map[string]string{}
	lists := []*ast.FieldList{f.Type.Params}
	if f.Recv != nil {
		lists = append(lists, f.Recv)
	}
	for _, list := range lists {
		for _, p := range list.List {
			star, ok := p.Type.(*ast.StarExpr)
			if !ok {
				continue
			}
			if id, ok := star.X.(*ast.Ident); ok && (id.Name == "Session" || id.Name == "state") {
				for _, name := range p.Names {
					out[name.Name] = id.Name
				}
			}
		}
	}
	return out
}

func isMethodOf(f *ast.FuncDecl, name string) bool {
	if f.Recv == nil {
		return false
	}
	star, ok := f.Recv.List[0].Type.(*ast.StarExpr)
	if !ok {
		return false
	}
	id, ok := star.X.(*ast.Ident)
	return ok && id.Name == name
}

// assigned are the variables of which a body sets a field, or one of a field.
func assigned(body *ast.BlockStmt) (out []string) {
	field := func(e ast.Expr) {
		sel, ok := e.(*ast.SelectorExpr)
		for ok {
			if id, isName := sel.X.(*ast.Ident); isName {
				out = append(out, id.Name)
			}
			sel, ok = sel.X.(*ast.SelectorExpr)
		}
	}
	ast.Inspect(body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.AssignStmt:
			for _, l := range n.Lhs {
				field(l)
			}
		case *ast.IncDecStmt:
			field(n.X)
		}
		return true
	})
	return out
}
