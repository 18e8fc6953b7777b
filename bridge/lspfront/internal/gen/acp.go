package main

import (
	"fmt"
	"go/ast"
	"go/token"
	"reflect"
	"slices"
	"strconv"
	"strings"
)

// metaName is the type of the clients' _meta: what of it is ours, by a //wire:as directive of package lspfront.
const metaName = "Meta"

// acpByHand are types of package acp whose form on the wire is in their code, by that form.
var acpByHand = map[string]string{
	"SessionConfigSelectOptions": "[]SessionConfigSelectOption | []SessionConfigSelectGroup",
}

// acpSource is the declarations of package acp, from which the types of ACP's values come that travel inside of our messages.
type acpSource struct {
	types  map[string]*ast.TypeSpec
	docs   map[string]*ast.CommentGroup
	unions map[string]*acpUnion
}

// acpUnion is how the variants of an interface are told apart, see the type union of package acp.
type acpUnion struct {
	tag      string
	variants []acpVariant
	fallback *string // the kind of the variant without the tag
}

type acpVariant struct{ kind, name string }

func newACPSource() *acpSource {
	return &acpSource{types: map[string]*ast.TypeSpec{}, docs: map[string]*ast.CommentGroup{}, unions: map[string]*acpUnion{}}
}

// file takes in a file of package acp.
func (a *acpSource) file(f *ast.File) {
	for _, d := range f.Decls {
		d, ok := d.(*ast.GenDecl)
		if !ok || d.Tok != token.TYPE {
			continue
		}
		for _, spec := range d.Specs {
			spec := spec.(*ast.TypeSpec)
			a.types[spec.Name.Name], a.docs[spec.Name.Name] = spec, d.Doc
		}
	}
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
				a.unions[fun.Index.(*ast.Ident).Name] = readUnion(c, fallbacks)
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

// acpFile is the TypeScript of the types that are named, and of all that they lead to.
func (s *source) acpFile(names []string) string {
	w := &acpWriter{s: s, done: map[string]bool{}, out: map[string]string{}}
	for _, name := range names {
		w.typeOf(name)
	}
	var b strings.Builder
	b.WriteString("// " + notice + "\n\n")
	if w.meta {
		fmt.Fprintf(&b, "import type { %s } from \"./wire\";\n\n", metaName)
	}
	b.WriteString("/** ACP v1 values as they travel inside our own messages. What is optional may be null, and of each union there may come variants that are not here. */\n")
	for _, name := range slices.Sorted(slices.Values(keys(w.out))) {
		b.WriteString("\n" + w.out[name])
	}
	return b.String()
}

func keys(m map[string]string) (out []string) {
	for k := range m {
		out = append(out, k)
	}
	return out
}

// acpWriter writes each type once.
type acpWriter struct {
	s    *source
	done map[string]bool
	out  map[string]string
	meta bool // one of them has a _meta
}

// typeOf is the TypeScript of a type by its name in package acp; structs and interfaces are declared, all else is written out.
func (w *acpWriter) typeOf(name string) string {
	switch name {
	case "string":
		return "string"
	case "bool":
		return "boolean"
	case "int64", "uint16", "uint32", "uint64", "int", "float64":
		return "number"
	}
	if words := w.s.enums["acp."+name]; words != nil {
		return union(words) + " | (string & {})"
	}
	spec := w.s.acp.types[name]
	if spec == nil {
		w.s.fail("package acp has no type %s", name)
		return "unknown"
	}
	switch t := spec.Type.(type) {
	case *ast.Ident:
		return w.typeOf(t.Name)
	case *ast.SelectorExpr: // a jsontext.Value by another name
		return "unknown"
	}
	if hand := acpByHand[name]; hand != "" {
		var parts []string
		for part := range strings.SplitSeq(hand, " | ") {
			parts = append(parts, list(w.typeOf(strings.TrimPrefix(part, "[]"))))
		}
		return strings.Join(parts, " | ")
	}
	if !w.done[name] {
		w.done[name] = true
		if w.s.types[unexported(name)] != nil || w.s.types["wire"+name] != nil {
			w.s.fail("%s is a type of ACP's and one of ours: the clients have one name for it", name)
		}
		w.out[name] = w.declare(name, spec)
	}
	return name
}

// declare writes a struct or an interface.
func (w *acpWriter) declare(name string, spec *ast.TypeSpec) string {
	doc := "/** " + sentence(w.s.acp.docs[name]) + " */\n"
	st, ok := spec.Type.(*ast.StructType)
	if !ok {
		before, _, _ := strings.Cut(sentence(w.s.acp.docs[name]), " One of *") // Go's names of the variants
		return "/** " + before + " */\nexport type " + name + " =" + w.variants(name) + ";\n"
	}
	if len(st.Fields.List) == 1 && st.Fields.List[0].Names == nil {
		return doc + "export type " + name + " = " + w.typeOf(st.Fields.List[0].Type.(*ast.Ident).Name) + ";\n"
	}
	var members, inline string
	for _, f := range st.Fields.List {
		text, _ := strconv.Unquote(f.Tag.Value)
		tag := reflect.StructTag(text)
		if strings.Contains(tag.Get("acp"), "inline") {
			inline += " & " + w.typeOf(f.Type.(*ast.Ident).Name)
			continue
		}
		wireName, options, _ := strings.Cut(tag.Get("json"), ",")
		if options == "unknown" {
			continue
		}
		if about := sentence(f.Doc, f.Comment); about != "" && !strings.HasPrefix(about, "nil") {
			members += "  /** " + about + " */\n"
		}
		of, mark, null := w.ref(f.Type), "", ""
		if wireName == "_meta" {
			w.meta, of = true, metaName
			w.s.as(metaName)
		}
		if strings.Contains(options, "omitempty") {
			mark, null = "?", " | null"
			if of == "unknown" {
				null = ""
			}
		}
		members += "  " + wireName + mark + ": " + of + null + ";\n"
	}
	if inline != "" {
		return doc + "export type " + name + " = {\n" + members + "}" + inline + ";\n"
	}
	return doc + "export interface " + name + " {\n" + members + "}\n"
}

func (w *acpWriter) variants(name string) (out string) {
	u := w.s.acp.unions[name]
	if u == nil {
		w.s.fail("package acp does not say how the variants of %s are told apart", name)
		return ""
	}
	for _, v := range u.variants {
		out += "\n  | "
		mark := ""
		if u.fallback != nil && *u.fallback == v.kind {
			mark = "?"
		}
		switch of := w.typeOf(v.name); {
		case u.tag == "":
			out += of
		case v.kind == "":
			out += fmt.Sprintf("({ %s?: undefined } & %s)", u.tag, of)
		default:
			out += fmt.Sprintf("({ %s%s: %q } & %s)", u.tag, mark, v.kind, of)
		}
	}
	return out
}

// ref is the TypeScript of a member's type.
func (w *acpWriter) ref(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.Ident:
		return w.typeOf(e.Name)
	case *ast.StarExpr:
		return w.ref(e.X)
	case *ast.IndexExpr: // Nullable[T]
		return w.ref(e.Index)
	case *ast.ArrayType:
		return list(w.ref(e.Elt))
	case *ast.MapType:
		return "Record<string, " + w.ref(e.Value) + ">"
	}
	return "unknown" // a jsontext.Value
}

// list is the TypeScript of a list.
func list(elem string) string {
	if strings.Contains(elem, " ") {
		elem = "(" + elem + ")"
	}
	return elem + "[]"
}

// unexported is the name of a type of package lspfront by the clients' name of it.
func unexported(name string) string { return strings.ToLower(name[:1]) + name[1:] }
