package main

import (
	"go/ast"
	"strconv"
	"strings"
)

// metaName is the type of the clients' _meta: what of it is ours, by a //wire:as directive of package lspfront.
const metaName = "Meta"

// acpLists are types of package acp whose form on the wire, a list of one of these, is in their code.
var acpLists = map[string][]string{"SessionConfigSelectOptions": {"SessionConfigSelectOption", "SessionConfigSelectGroup"}}

// acpUnion is how the variants of an interface are told apart, see the type union of package acp.
type acpUnion struct {
	tag      string
	variants []acpVariant
	fallback *string // the kind of the variant without the tag
}

type acpVariant struct{ kind, name string }

// readUnions takes in the unions of a file of package acp.
func (s *source) readUnions(f *ast.File) {
	fallbacks := map[ast.Expr]string{}
	ast.Inspect(f, func(n ast.Node) bool {
		c, ok := n.(*ast.CallExpr)
		if !ok {
			return true
		}
		switch fun := c.Fun.(type) {
		case *ast.SelectorExpr: // unionOf[…](…).or("kind")
			if fun.Sel.Name == "or" && len(c.Args) == 1 {
				fallbacks[fun.X] = literal(c.Args[0])
			}
		case *ast.IndexExpr:
			if name, ok := fun.X.(*ast.Ident); ok && name.Name == "unionOf" {
				s.unions[fun.Index.(*ast.Ident).Name] = readUnion(c, fallbacks)
			}
		}
		return true
	})
}

// readUnion reads unionOf[T]("tag", is[V]("kind"), …).
func readUnion(c *ast.CallExpr, fallbacks map[ast.Expr]string) *acpUnion {
	u := &acpUnion{tag: literal(c.Args[0])}
	for _, arg := range c.Args[1:] {
		is := arg.(*ast.CallExpr)
		u.variants = append(u.variants, acpVariant{literal(is.Args[0]), is.Fun.(*ast.IndexExpr).Index.(*ast.Ident).Name})
	}
	if kind, ok := fallbacks[c]; ok {
		u.fallback = &kind
	}
	return u
}

func literal(e ast.Expr) string {
	text, _ := strconv.Unquote(e.(*ast.BasicLit).Value)
	return text
}

// acpNamed is a type of package acp; structs and interfaces are taken in, all else is written out.
func (s *source) acpNamed(name string) *ref {
	if words := s.enums["acp."+name]; words != nil {
		return &ref{kind: kindEnum, words: words, open: true}
	}
	spec := s.types["acp."+name]
	if spec == nil {
		s.fail("package acp has no type %s", name)
		return &ref{}
	}
	switch t := spec.Type.(type) {
	case *ast.Ident, *ast.SelectorExpr: // a string by another name, or a jsontext.Value
		r := s.ref("acp", t, "")
		return &r
	case *ast.StructType:
		if lists := acpLists[name]; lists != nil {
			for _, elem := range lists {
				s.acpNamed(elem)
			}
			return &ref{kind: kindElsewhere, name: strings.Join(lists, "[] | ") + "[]"}
		}
		s.object("acp", name, t)
	default:
		s.union(name)
	}
	if s.types["."+unexported(name)] != nil || s.types[".wire"+name] != nil {
		s.fail("%s is a type of ACP and of the bridge: the clients have one name for it", name)
	}
	return &ref{kind: kindObject, name: name}
}

// union takes in an interface of package acp, once.
func (s *source) union(name string) {
	if s.done["acp."+name] {
		return
	}
	s.done["acp."+name] = true
	u := s.unions[name]
	if u == nil {
		s.fail("package acp does not say how the variants of %s are told apart", name)
		return
	}
	o := object{name: name}
	o.doc, _, _ = strings.Cut(sentence(s.docs["acp."+name]), " One of *") // Go's names of the variants
	for _, v := range u.variants {
		o.variants = append(o.variants, variant{*s.acpNamed(v.name), u.tag, v.kind, u.fallback != nil && *u.fallback == v.kind})
	}
	s.m.acp = append(s.m.acp, o)
}

// unexported is the name of a type of package lspfront by the clients' name of it.
func unexported(name string) string { return strings.ToLower(name[:1]) + name[1:] }
