package main

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// elsewhere are the packages whose named types are members of messages, by their folders from package lspfront. What bridge has a
// name for is declared in bridge/session.
var elsewhere = map[string]string{"acp": "../../acp", "bridge": "../session", "policy": "../policy", "review": "../review"}

// source is the declarations of the packages.
type source struct {
	m       *model
	types   map[string]*ast.TypeSpec     // by "package.name", "" the package lspfront
	docs    map[string]*ast.CommentGroup // of them
	enums   map[string][]string          // the values of those that are strings
	done    map[string]bool              // those that are taken in
	unions  map[string]*acpUnion
	funcs   map[string]*ast.FuncDecl // of package lspfront
	aliases map[string]string        // the type for as:"NAME"
	errs    []error
}

// read makes the model of package lspfront.
func read(dir string) (*model, error) {
	s := &source{m: &model{}, types: map[string]*ast.TypeSpec{}, docs: map[string]*ast.CommentGroup{}, enums: map[string][]string{},
		done: map[string]bool{}, unions: map[string]*acpUnion{}, funcs: map[string]*ast.FuncDecl{}, aliases: map[string]string{}}
	names := map[string]bool{} // of our own methods, as the source has them
	if err := s.parse(dir, "", names); err != nil {
		return nil, err
	}
	for pkg, rel := range elsewhere {
		if err := s.parse(filepath.Join(dir, rel), pkg, nil); err != nil {
			return nil, err
		}
	}
	for _, naming := range []bool{true, false} {
		for key, doc := range s.docs {
			if name, ours := strings.CutPrefix(key, "."); ours {
				s.directives(name, doc, naming)
			}
		}
	}
	s.verbs()
	for _, name := range s.m.imports() {
		s.acpNamed(name)
	}
	for _, list := range [][]message{s.m.verbs, s.m.asked, s.m.told, s.m.heard} {
		for _, msg := range list {
			delete(names, msg.method)
		}
	}
	for name := range names {
		s.fail("the source has the method %s, which neither the table of verbs nor a //wire directive has", name)
	}
	if len(s.errs) > 0 {
		return nil, s.errs[0]
	}
	s.m.sort()
	return s.m, nil
}

func (s *source) fail(format string, args ...any) {
	s.errs = append(s.errs, fmt.Errorf(format, args...))
}

// ours finds the names of methods in the source.
var ours = regexp.MustCompile(`prefix ?\+ ?"([a-zA-Z/]+)"`)

func (s *source) parse(dir, pkg string, names map[string]bool) error {
	files, err := filepath.Glob(filepath.Join(dir, "*.go"))
	if err != nil {
		return err
	}
	fset := token.NewFileSet()
	for _, path := range files {
		if strings.HasSuffix(path, "_test.go") {
			continue
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		if names != nil {
			for _, m := range ours.FindAllSubmatch(text, -1) {
				names[string(m[1])] = true
			}
		}
		f, err := parser.ParseFile(fset, path, text, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		if pkg == "acp" {
			s.readUnions(f)
		}
		for _, d := range f.Decls {
			switch d := d.(type) {
			case *ast.FuncDecl:
				if pkg == "" && d.Recv == nil {
					s.funcs[d.Name.Name] = d
				}
			case *ast.GenDecl:
				s.declare(d, pkg)
			}
		}
	}
	return nil
}

func (s *source) declare(d *ast.GenDecl, pkg string) {
	for _, spec := range d.Specs {
		switch spec := spec.(type) {
		case *ast.TypeSpec:
			key := pkg + "." + spec.Name.Name
			s.types[key], s.docs[key] = spec, d.Doc
		case *ast.ValueSpec:
			if d.Tok != token.CONST || len(spec.Values) != 1 {
				continue
			}
			switch t := spec.Type.(type) {
			case *ast.Ident:
				if v, ok := spec.Values[0].(*ast.BasicLit); ok && v.Kind == token.STRING {
					word, _ := strconv.Unquote(v.Value)
					s.enums[pkg+"."+t.Name] = append(s.enums[pkg+"."+t.Name], word)
				}
			case nil:
				if name, ok := strings.CutPrefix(spec.Names[0].Name, "Code"); ok && pkg == "bridge" {
					s.code(name, spec.Values[0])
				}
			}
		}
	}
}

// code takes in an error code of ours; those of JSON-RPC are no news to clients.
func (s *source) code(name string, v ast.Expr) {
	u, ok := v.(*ast.UnaryExpr)
	if !ok || name == "InvalidParams" || name == "Internal" {
		return
	}
	if n, ok := u.X.(*ast.BasicLit); ok {
		s.m.codes = append(s.m.codes, code{name, "-" + n.Value})
	}
}

// directives reads the //wire directives of a type: first those that name types, then the messages.
func (s *source) directives(name string, doc *ast.CommentGroup, naming bool) {
	if doc == nil {
		return
	}
	for _, c := range doc.List {
		rest, ok := strings.CutPrefix(c.Text, "//wire:")
		if !ok {
			continue
		}
		words := strings.Fields(rest)
		if naming {
			if words[0] == "as" {
				s.aliases[words[1]] = name
			}
			continue
		}
		msg := message{method: words[1]}
		if words[0] != "as" {
			msg.params = s.named("", name)
		}
		switch words[0] {
		case "tell":
			s.m.told = append(s.m.told, msg)
		case "hear":
			s.m.heard = append(s.m.heard, msg)
		case "ask":
			result, null := strings.CutPrefix(words[2], "?")
			msg.result = s.named("", result)
			msg.result.null = null
			s.m.asked = append(s.m.asked, msg)
		case "as":
		default:
			s.fail("%s: unknown directive %s", name, c.Text)
		}
	}
}

// verbs reads the table: on("method", "command", handler) and the types of the handler.
func (s *source) verbs() {
	ast.Inspect(s.funcs["verbs"], func(n ast.Node) bool {
		c, ok := n.(*ast.CallExpr)
		if !ok {
			return true
		}
		if f, ok := c.Fun.(*ast.Ident); !ok || f.Name != "on" {
			return true
		}
		method, _ := strconv.Unquote(c.Args[0].(*ast.BasicLit).Value)
		if method == "" {
			return true
		}
		handler := s.funcs[c.Args[2].(*ast.Ident).Name].Type
		params := s.ref("", handler.Params.List[len(handler.Params.List)-1].Type, "")
		result := s.ref("", handler.Results.List[0].Type, "")
		s.m.verbs = append(s.m.verbs, message{method, &params, &result})
		return true
	})
}

// ref is the type of an expression in a package, and takes in the structs it leads to.
func (s *source) ref(pkg string, e ast.Expr, tag reflect.StructTag) ref {
	if words := tag.Get("enum"); words != "" {
		rest, open := strings.CutSuffix(words, ",*")
		return ref{kind: kindEnum, words: strings.Split(rest, ","), open: open}
	}
	if as := tag.Get("as"); as != "" {
		if _, ok := e.(*ast.ArrayType); ok {
			elem := s.as(as)
			return ref{kind: kindList, elem: &elem}
		}
		return s.as(as)
	}
	switch e := e.(type) {
	case *ast.Ident:
		return *s.named(pkg, e.Name)
	case *ast.SelectorExpr:
		name := e.X.(*ast.Ident).Name + "." + e.Sel.Name
		if words := s.enums[name]; words != nil {
			return ref{kind: kindEnum, words: words, open: strings.HasPrefix(name, "acp.")}
		}
		if name == "jsontext.Value" {
			return ref{kind: kindAny}
		}
		s.fail("%s cannot be sent to a client", name)
	case *ast.StarExpr:
		r := s.ref(pkg, e.X, "")
		r.null = true
		return r
	case *ast.IndexExpr: // ACP's Nullable[T]
		return s.ref(pkg, e.Index, "")
	case *ast.ArrayType:
		elem := s.ref(pkg, e.Elt, "")
		return ref{kind: kindList, elem: &elem}
	case *ast.MapType:
		elem := s.ref(pkg, e.Value, "")
		return ref{kind: kindMap, elem: &elem}
	}
	return ref{kind: kindAny}
}

// as is the type that a member is encoded as: one of ours with a directive, or one that the client has elsewhere.
func (s *source) as(name string) ref {
	if ours, ok := s.aliases[name]; ok {
		return *s.named("", ours)
	}
	if one, ok := strings.CutSuffix(name, "[]"); ok {
		elem := s.as(one)
		return ref{kind: kindList, elem: &elem}
	}
	return ref{kind: kindElsewhere, name: name}
}

// named is a type of package lspfront or acp, or one of Go's own.
func (s *source) named(pkg, name string) *ref {
	switch name {
	case "string":
		return &ref{kind: kindString}
	case "bool":
		return &ref{kind: kindBool}
	case "int", "int32", "int64", "uint16", "uint32", "uint64":
		return &ref{kind: kindInteger}
	case "float64":
		return &ref{kind: kindNumber}
	case "any":
		return &ref{kind: kindAny}
	case "none":
		return &ref{kind: kindEmpty}
	}
	if pkg == "acp" {
		return s.acpNamed(name)
	}
	spec := s.types["."+name]
	st, ok := spec.Type.(*ast.StructType)
	if !ok {
		s.fail("%s is no struct", name)
		return &ref{}
	}
	s.object("", name, st)
	return &ref{kind: kindObject, name: exported(name)}
}

// object takes in a struct, once.
func (s *source) object(pkg, name string, st *ast.StructType) {
	key := pkg + "." + name
	if s.done[key] {
		return
	}
	s.done[key] = true
	o := object{name: exported(name), doc: about(name, s.docs[key])}
	for _, f := range st.Fields.List {
		var tag reflect.StructTag
		if f.Tag != nil {
			text, _ := strconv.Unquote(f.Tag.Value)
			tag = reflect.StructTag(text)
		}
		wireName, options, _ := strings.Cut(tag.Get("json"), ",")
		switch {
		case len(f.Names) == 0 && pkg == "acp":
			of := s.ref(pkg, f.Type, "")
			o.is = &of
		case len(f.Names) == 0:
			o.extends = s.ref(pkg, f.Type, "").name
		case strings.Contains(tag.Get("acp"), "inline"):
			o.also = append(o.also, s.ref(pkg, f.Type, ""))
		case options == "unknown":
			o.open = pkg == "" // ACP lets every object have more
		case wireName == "":
			s.fail("%s.%s has no name on the wire", name, f.Names[0].Name)
		case tag.Get("only") != "command":
			o.members = append(o.members, s.member(pkg, wireName, options, tag, f))
		}
	}
	if pkg == "acp" {
		s.m.acp = append(s.m.acp, o)
	} else {
		s.m.structs = append(s.m.structs, o)
	}
}

// member is a field of a struct. What is optional in one of ours is left out, in ACP's it may be null as well.
func (s *source) member(pkg, wireName, options string, tag reflect.StructTag, f *ast.Field) member {
	m := member{name: wireName, doc: sentence(f.Doc, f.Comment)}
	if wireName == "_meta" {
		m.of = s.as(metaName)
	} else {
		m.of = s.ref(pkg, f.Type, tag)
	}
	m.optional = strings.Contains(options, "omitzero") || strings.Contains(options, "omitempty")
	if pkg == "acp" || m.optional {
		m.of.null = pkg == "acp" && m.optional
	}
	if pkg == "acp" && strings.HasPrefix(m.doc, "nil") {
		m.doc = "" // it is about Go
	}
	return m
}

// exported is the clients' name of a type.
func exported(name string) string {
	name = strings.TrimPrefix(name, "wire")
	r, n := utf8.DecodeRuneInString(name)
	return string(unicode.ToUpper(r)) + name[n:]
}

// about is a type's comment, under the clients' name of the type.
func about(name string, doc *ast.CommentGroup) string {
	text := sentence(doc, nil)
	if rest, ok := strings.CutPrefix(text, name+" "); ok {
		text = exported(name) + " " + rest
	}
	return text
}

func sentence(groups ...*ast.CommentGroup) string {
	for _, g := range groups {
		if g != nil {
			return strings.Join(strings.Fields(g.Text()), " ") // directives are not in it
		}
	}
	return ""
}
