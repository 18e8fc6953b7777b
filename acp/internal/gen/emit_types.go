package main

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
)

func comment(b *bytes.Buffer, indent, text string) {
	for len(text) > 0 {
		line := text
		if len(line) > 110 {
			cut := strings.LastIndex(line[:110], " ")
			line = line[:cut]
		}
		fmt.Fprintf(b, "%s// %s\n", indent, line)
		text = strings.TrimSpace(text[len(line):])
	}
}

func (m *model) sorted() []*structure {
	return slices.SortedFunc(slices.Values(m.structs), func(a, b *structure) int { return strings.Compare(a.name, b.name) })
}

func (m *model) writeTypes(b *bytes.Buffer) {
	b.WriteString("import \"github.com/go-json-experiment/json/jsontext\"\n\n")
	for _, s := range m.sorted() {
		comment(b, "", s.name+" "+s.doc)
		if s.embeds != "" {
			fmt.Fprintf(b, "type %s struct{ %s }\n\n", s.name, s.embeds)
			continue
		}
		fmt.Fprintf(b, "type %s struct {\n", s.name)
		for _, f := range s.fields {
			if f.doc != "" {
				comment(b, "\t", f.doc)
			}
			fmt.Fprintf(b, "\t%s %s `json:%q`\n", f.name, f.goType(), f.json+f.omit())
		}
		if s.hasMeta {
			fmt.Fprintf(b, "\tMeta jsontext.Value `json:\"_meta,omitempty\"`\n")
		}
		fmt.Fprintf(b, "\tExtra jsontext.Value `json:\",unknown\"`\n}\n\n")
	}
}

func (f *field) goType() string {
	switch f.mode {
	case pointer:
		return "*" + f.typ.name
	case clearable:
		return "Nullable[" + f.typ.name + "]"
	}
	return f.typ.name
}

func (f *field) omit() string {
	if f.mode == required {
		return ""
	}
	return ",omitempty"
}

func (m *model) writeEnums(b *bytes.Buffer) {
	for _, s := range slices.SortedFunc(slices.Values(m.scalars), func(a, b *scalar) int { return strings.Compare(a.name, b.name) }) {
		comment(b, "", s.name+" "+s.doc)
		fmt.Fprintf(b, "type %s %s\n\n", s.name, s.base)
	}
	for _, e := range slices.SortedFunc(slices.Values(m.enums), func(a, b *enum) int { return strings.Compare(a.name, b.name) }) {
		comment(b, "", e.name+" "+e.doc)
		fmt.Fprintf(b, "type %s string\n\n// The values of [%s] in this version of the protocol; others may come.\nconst (\n", e.name, e.name)
		for _, value := range e.values {
			fmt.Fprintf(b, "\t%s%s %s = %q\n", e.name, goName(value), e.name, value)
		}
		b.WriteString(")\n\n")
	}
}

func (m *model) writeUnions(b *bytes.Buffer) {
	for _, u := range m.unions {
		var names []string
		for _, v := range u.variants {
			names = append(names, "*"+v.name)
		}
		comment(b, "", u.name+" "+u.doc)
		b.WriteString("//\n")
		comment(b, "", "One of "+strings.Join(names, ", ")+" or *Unknown.")
		fmt.Fprintf(b, "type %s interface {\n\tencodable\n\tis%s()\n}\n\n", u.name, u.name)
		for _, v := range append(names, "*Unknown") {
			fmt.Fprintf(b, "func (%s) is%s() {}\n", v, u.name)
		}
		b.WriteString("\n")
	}
	fmt.Fprintf(b, "// Kind is the value of the member sessionUpdate: what tells the updates apart on the wire.\nfunc Kind(u SessionUpdate) string {\n\tswitch u := u.(type) {\n")
	for _, u := range m.unions {
		if u.name != "SessionUpdate" {
			continue
		}
		for _, v := range u.variants {
			fmt.Fprintf(b, "\tcase *%s:\n\t\treturn %q\n", v.name, v.kind)
		}
	}
	b.WriteString("\tcase *Unknown:\n\t\treturn u.Kind\n\t}\n\treturn \"\"\n}\n")
}

func (m *model) writeMethods(b *bytes.Buffer) {
	all := slices.SortedFunc(slices.Values(m.methods), func(a, b *method) int { return strings.Compare(a.wire, b.wire) })
	b.WriteString("// The methods of ACP v1.\nconst (\n")
	for _, x := range all {
		doc := m.docs[x.wire]
		if doc != "" {
			doc = " // " + doc
		}
		fmt.Fprintf(b, "\t%s = %q%s\n", x.name, x.wire, doc)
	}
	b.WriteString(")\n\n// NewParams returns a pointer to the zero parameters of a method, nil for a method that is not in the protocol.\nfunc NewParams(method string) any {\n\tswitch method {\n")
	for _, x := range all {
		fmt.Fprintf(b, "\tcase %s:\n\t\treturn new(%s)\n", x.name, x.params)
	}
	b.WriteString("\t}\n\treturn nil\n}\n\n// NewResult returns a pointer to the zero result of a method, nil for a notification and for a method that is not in the\n// protocol.\nfunc NewResult(method string) any {\n\tswitch method {\n")
	for _, x := range all {
		if x.result != "" {
			fmt.Fprintf(b, "\tcase %s:\n\t\treturn new(%s)\n", x.name, x.result)
		}
	}
	b.WriteString("\t}\n\treturn nil\n}\n")
}
