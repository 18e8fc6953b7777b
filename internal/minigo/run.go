package minigo

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io"
	"path/filepath"
	"strings"
)

// Test runs the functions Test… of Go files of one package, in the order in which they stand, and writes what "go test -v" would about each. passed
// is whether there is one and none fails.
func Test(w io.Writer, files ...string) (passed bool, err error) {
	p := &program{fset: token.NewFileSet(), globals: map[string]int{}, funcs: map[string]*ast.FuncDecl{}}
	var tests []*ast.FuncDecl
	for _, name := range files {
		file, err := parser.ParseFile(p.fset, name, nil, parser.SkipObjectResolution)
		if err != nil {
			return false, err
		}
		found, err := p.declare(file)
		if err != nil {
			return false, err
		}
		tests = append(tests, found...)
	}
	passed = len(tests) > 0
	for _, t := range tests {
		p.failures = nil
		if _, err := p.call(t, nil, 0); err != nil {
			return false, err
		}
		if p.failures == nil {
			fmt.Fprintf(w, "--- PASS: %s\n", t.Name.Name)
			continue
		}
		passed = false
		fmt.Fprintf(w, "--- FAIL: %s\n", t.Name.Name)
		for _, line := range p.failures {
			fmt.Fprintf(w, "    %s\n", line)
		}
	}
	return passed, nil
}

// program is what the files declare.
type program struct {
	fset     *token.FileSet
	globals  map[string]int
	funcs    map[string]*ast.FuncDecl
	failures []string // of the test that runs
	steps    int
}

// scope are the variables of a call.
type scope struct {
	vars  map[string]int
	depth int
}

// unknown is what this package does not run.
func (p *program) unknown(n ast.Node, what string) error {
	at := p.fset.Position(n.Pos())
	return fmt.Errorf("%s:%d: %s is more than the demo's test runner knows", filepath.Base(at.Filename), at.Line, what)
}

func (p *program) declare(file *ast.File) (tests []*ast.FuncDecl, err error) {
	for _, d := range file.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			if d.Recv != nil || d.Body == nil {
				return nil, p.unknown(d, "this function")
			}
			p.funcs[d.Name.Name] = d
			if strings.HasPrefix(d.Name.Name, "Test") {
				tests = append(tests, d)
			}
		case *ast.GenDecl:
			for _, s := range d.Specs {
				v, ok := s.(*ast.ValueSpec)
				switch {
				case d.Tok == token.IMPORT:
				case !ok || len(v.Names) != 1 || len(v.Values) != 1:
					return nil, p.unknown(d, "this declaration")
				default:
					if p.globals[v.Names[0].Name], err = p.eval(&scope{}, v.Values[0]); err != nil {
						return nil, err
					}
				}
			}
		}
	}
	return tests, nil
}

// call runs a function and returns its result, 0 if it has none.
func (p *program) call(f *ast.FuncDecl, args []int, depth int) (int, error) {
	if depth > maxDepth {
		return 0, p.unknown(f, "a call this deep")
	}
	s, i := &scope{vars: map[string]int{}, depth: depth}, 0
	for _, field := range f.Type.Params.List {
		for _, name := range field.Names {
			if i < len(args) {
				s.vars[name.Name] = args[i]
			}
			i++
		}
	}
	out, _, err := p.block(s, f.Body.List)
	return out, err
}

// block runs statements; done is whether one of them returned.
func (p *program) block(s *scope, list []ast.Stmt) (out int, done bool, err error) {
	for _, stmt := range list {
		if p.steps++; p.steps > maxSteps {
			return 0, false, p.unknown(stmt, "a run this long")
		}
		switch stmt := stmt.(type) {
		case *ast.ReturnStmt:
			if len(stmt.Results) == 1 {
				out, err = p.eval(s, stmt.Results[0])
			}
			return out, true, err
		case *ast.AssignStmt:
			err = p.assign(s, stmt)
		case *ast.ExprStmt:
			_, err = p.eval(s, stmt.X)
		case *ast.IfStmt:
			out, done, err = p.branch(s, stmt)
		default:
			err = p.unknown(stmt, "this statement")
		}
		if done || err != nil {
			return out, done, err
		}
	}
	return 0, false, nil
}

func (p *program) branch(s *scope, stmt *ast.IfStmt) (out int, done bool, err error) {
	if a, ok := stmt.Init.(*ast.AssignStmt); ok {
		err = p.assign(s, a)
	} else if stmt.Init != nil {
		err = p.unknown(stmt, "this if")
	}
	if err != nil {
		return 0, false, err
	}
	cond, err := p.eval(s, stmt.Cond)
	switch {
	case err != nil:
		return 0, false, err
	case cond != 0:
		return p.block(s, stmt.Body.List)
	case stmt.Else != nil:
		return p.block(s, []ast.Stmt{stmt.Else})
	}
	return 0, false, nil
}

func (p *program) assign(s *scope, a *ast.AssignStmt) error {
	name, ok := a.Lhs[0].(*ast.Ident)
	if !ok || len(a.Lhs) != 1 || len(a.Rhs) != 1 {
		return p.unknown(a, "this assignment")
	}
	v, err := p.eval(s, a.Rhs[0])
	if err != nil {
		return err
	}
	if op, has := assignOps[a.Tok]; has {
		if v, err = p.operate(a, op, s.vars[name.Name], v); err != nil {
			return err
		}
	} else if a.Tok != token.ASSIGN && a.Tok != token.DEFINE {
		return p.unknown(a, a.Tok.String())
	}
	s.vars[name.Name] = v
	return nil
}
