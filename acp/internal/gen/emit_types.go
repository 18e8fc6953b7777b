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
			fmt.Fprintf(b, "\t%s %s `%s`\n", f.name, f.typ, f.goTag())
		}
		fmt.Fprintf(b, "\tExtra jsontext.Value `json:\",unknown\"`\n}\n\n")
	}
	b.WriteString("// For other encoders: they write and read as [Marshal] and [Unmarshal] do.\n\n")
	for _, s := range m.sorted() {
		fmt.Fprintf(b, "func (v %s) MarshalJSON() ([]byte, error) { return marshal(&v) }\nfunc (v *%s) UnmarshalJSON(data []byte) error { return unmarshal(data, v) }\n", s.name, s.name)
	}
}

func (f *field) goTag() string {
	name := f.json
	if f.omit {
		name += ",omitempty"
	}
	if f.tags == nil {
		return fmt.Sprintf("json:%q", name)
	}
	return fmt.Sprintf("json:%q acp:%q", name, strings.Join(f.tags, ","))
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
		fmt.Fprintf(b, "type %s interface{ is%s() }\n\n", u.name, u.name)
		for _, v := range append(names, "*Unknown") {
			fmt.Fprintf(b, "func (%s) is%s() {}\n", v, u.name)
		}
		b.WriteString("\n")
	}
	b.WriteString("// generatedUnions says how the variants are told apart.\nfunc generatedUnions() []*union {\n\treturn []*union{\n")
	for _, u := range m.unions {
		fmt.Fprintf(b, "unionOf[%s](%q,\n", u.name, u.tag)
		for _, v := range u.variants {
			fmt.Fprintf(b, "is[%s](%q),\n", v.name, v.kind)
		}
		b.WriteString(")")
		if u.hasFallback {
			fmt.Fprintf(b, ".or(%q)", u.fallback)
		}
		b.WriteString(",\n")
	}
	b.WriteString("}\n}\n")
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
	b.WriteString(")\n\n// methods are what the methods take and give.\nfunc methods() []methodTypes {\n\treturn []methodTypes{\n")
	for _, x := range all {
		result := "nil"
		if x.result != "" {
			result = "new(" + x.result + ")"
		}
		fmt.Fprintf(b, "{%s, new(%s), %s},\n", x.name, x.params, result)
	}
	b.WriteString("}\n}\n")
}
