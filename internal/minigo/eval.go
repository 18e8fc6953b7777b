package minigo

import (
	"errors"
	"fmt"
	"go/ast"
	"go/token"
	"path/filepath"
	"strconv"
)

// assignOps are the operators of assignments such as +=.
var assignOps = map[token.Token]token.Token{
	token.ADD_ASSIGN: token.ADD, token.SUB_ASSIGN: token.SUB, token.MUL_ASSIGN: token.MUL, token.QUO_ASSIGN: token.QUO, token.REM_ASSIGN: token.REM,
}

// eval is the value of an expression; a condition is 1 or 0.
func (p *program) eval(s *scope, e ast.Expr) (int, error) {
	switch e := e.(type) {
	case *ast.BasicLit:
		if e.Kind == token.INT {
			return strconv.Atoi(e.Value)
		}
	case *ast.Ident:
		if v, ok := s.vars[e.Name]; ok {
			return v, nil
		}
		if v, ok := p.globals[e.Name]; ok {
			return v, nil
		}
	case *ast.ParenExpr:
		return p.eval(s, e.X)
	case *ast.BinaryExpr:
		x, err := p.eval(s, e.X)
		if err != nil {
			return 0, err
		}
		y, err := p.eval(s, e.Y)
		if err != nil {
			return 0, err
		}
		return p.operate(e, e.Op, x, y)
	case *ast.CallExpr:
		return p.evalCall(s, e)
	}
	return 0, p.unknown(e, "this expression")
}

func (p *program) evalCall(s *scope, e *ast.CallExpr) (int, error) {
	if sel, ok := e.Fun.(*ast.SelectorExpr); ok && sel.Sel.Name == "Errorf" && len(e.Args) > 0 {
		return 0, p.errorf(s, e)
	}
	name, ok := e.Fun.(*ast.Ident)
	if !ok || p.funcs[name.Name] == nil {
		return 0, p.unknown(e, "this call")
	}
	var args []int
	for _, a := range e.Args {
		v, err := p.eval(s, a)
		if err != nil {
			return 0, err
		}
		args = append(args, v)
	}
	return p.call(p.funcs[name.Name], args, s.depth+1)
}

// errorf is (*testing.T).Errorf.
func (p *program) errorf(s *scope, e *ast.CallExpr) error {
	lit, ok := e.Args[0].(*ast.BasicLit)
	if !ok || lit.Kind != token.STRING {
		return p.unknown(e, "this format")
	}
	format, err := strconv.Unquote(lit.Value)
	if err != nil {
		return err
	}
	var args []any
	for _, a := range e.Args[1:] {
		v, err := p.eval(s, a)
		if err != nil {
			return err
		}
		args = append(args, v)
	}
	at := p.fset.Position(e.Pos())
	p.failures = append(p.failures, fmt.Sprintf("%s:%d: %s", filepath.Base(at.Filename), at.Line, fmt.Sprintf(format, args...)))
	return nil
}

func (p *program) operate(n ast.Node, op token.Token, x, y int) (int, error) {
	truth := func(yes bool) (int, error) {
		if yes {
			return 1, nil
		}
		return 0, nil
	}
	switch op {
	case token.ADD:
		return x + y, nil
	case token.SUB:
		return x - y, nil
	case token.MUL:
		return x * y, nil
	case token.QUO, token.REM:
		if y == 0 {
			return 0, errors.New("a division by zero")
		}
		if op == token.QUO {
			return x / y, nil
		}
		return x % y, nil
	case token.EQL:
		return truth(x == y)
	case token.NEQ:
		return truth(x != y)
	case token.LSS:
		return truth(x < y)
	case token.LEQ:
		return truth(x <= y)
	case token.GTR:
		return truth(x > y)
	case token.GEQ:
		return truth(x >= y)
	}
	return 0, p.unknown(n, op.String())
}
