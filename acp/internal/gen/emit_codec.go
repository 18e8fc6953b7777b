package main

import (
	"bytes"
	"fmt"
	"strings"
)

func (m *model) writeDecoders(b *bytes.Buffer) {
	for _, s := range m.sorted() {
		m.writeDecoder(b, s)
		fmt.Fprintf(b, "// UnmarshalJSON reads v as [Unmarshal] does.\nfunc (v *%s) UnmarshalJSON(data []byte) error { return unmarshal(data, v, false) }\n\n", s.name)
	}
	for _, u := range m.unions {
		writeUnionDecoder(b, u)
	}
	b.WriteString("// decodeUnion reads into a pointer to a union or to a list of one; false when v is neither.\nfunc decodeUnion(d *decoder, v any) bool {\n\tswitch v := v.(type) {\n")
	for _, u := range m.unions {
		fmt.Fprintf(b, "\tcase *%s:\n\t\tdecode%s(v, d)\n\tcase *[]%s:\n\t\tdecodeSlice(d, v, decode%s)\n", u.name, u.name, u.name, u.name)
	}
	b.WriteString("\tdefault:\n\t\treturn false\n\t}\n\treturn true\n}\n")
}

func (m *model) writeDecoder(b *bytes.Buffer, s *structure) {
	tag := m.tagOf[s.name]
	switch {
	case s.embeds != "":
		fmt.Fprintf(b, "func (v *%s) decode(d *decoder) { v.decodeMembers(d, %q) }\n\n", s.name, tag)
		return
	case m.bare[s.name]:
		own := tag
		if m.tagged[s.name] == "" {
			own = ""
		}
		fmt.Fprintf(b, "func (v *%s) decode(d *decoder) { v.decodeMembers(d, %q) }\n\n", s.name, own)
		if own != "" {
			fmt.Fprintf(b, "func (v *%s) decodeBare(d *decoder) { v.decodeMembers(d, \"\") }\n\n", s.name)
		}
		fmt.Fprintf(b, "func (v *%s) decodeMembers(d *decoder, tag string) {\n", s.name)
	default:
		fmt.Fprintf(b, "func (v *%s) decode(d *decoder) {\n", s.name)
	}
	fmt.Fprintf(b, "\t*v = %s{}\n", s.name)
	needs := 0
	for _, f := range s.fields {
		if f.needed {
			needs++
		}
	}
	if needs > 0 {
		b.WriteString("\tvar seen uint8\n")
	}
	b.WriteString("\tfor ok := d.open(); ok; ok = d.next() {\n\t\tswitch string(d.name) {\n")
	bit := 0
	known := []string{}
	for _, f := range s.fields {
		known = append(known, f.json)
		fmt.Fprintf(b, "\t\tcase %q:\n", f.json)
		if f.needed {
			fmt.Fprintf(b, "\t\t\tseen |= 1 << %d\n", bit)
			bit++
		}
		f.writeDecode(b)
	}
	if s.hasMeta {
		known = append(known, "_meta")
		b.WriteString("\t\tcase \"_meta\":\n\t\t\tat := d.pos\n\t\t\tdecodeMeta(&v.Meta, d)\n\t\t\tif d.forgive(at) {\n\t\t\t\tv.Meta = nil\n\t\t\t}\n")
	}
	if tag != "" && !m.bare[s.name] {
		fmt.Fprintf(b, "\t\tcase %q:\n\t\t\td.skip()\n", tag)
		known = append(known, tag)
	}
	b.WriteString("\t\tdefault:\n")
	if m.bare[s.name] {
		b.WriteString("\t\t\tif tag != \"\" && string(d.name) == tag {\n\t\t\t\td.skip()\n\t\t\t\tbreak\n\t\t\t}\n")
		known = append(known, tag)
	}
	if respelt[s.name] {
		b.WriteString("\t\t\tif !d.strict && v.respelt(d) {\n\t\t\t\tbreak\n\t\t\t}\n")
	}
	fmt.Fprintf(b, "\t\t\td.extra(&v.Extra, %q)\n\t\t}\n\t}\n", strings.Join(known, " "))
	bit = 0
	for _, f := range s.fields {
		if f.needed {
			fmt.Fprintf(b, "\tif seen&(1<<%d) == 0 {\n\t\t", bit)
			if respelt[s.name] {
				fmt.Fprintf(b, "if d.strict || !v.respeltHas(%q) {\n\t\t\td.missing(%q)\n\t\t}\n", f.json, f.json)
			} else {
				fmt.Fprintf(b, "d.missing(%q)\n", f.json)
			}
			b.WriteString("\t}\n")
			bit++
		}
	}
	b.WriteString("}\n\n")
}

func (f *field) writeDecode(b *bytes.Buffer) {
	indent := "\t\t\t"
	if f.forgiving {
		fmt.Fprintf(b, "%sat := d.pos\n", indent)
	}
	if f.nullOK && f.mode != raw && f.mode != clearable {
		fmt.Fprintf(b, "%sif d.null() {\n%s\tbreak\n%s}\n", indent, indent, indent)
	}
	switch {
	case f.mode == clearable && f.typ.shape == isList:
		fmt.Fprintf(b, "%sdecodeNullable(d, &v.%s, func(to *%s, d *decoder) { %s(d, to, %s) })\n", indent, f.name, f.typ.name, f.sliceFunc(), f.typ.elem.decode)
	case f.mode == clearable:
		fmt.Fprintf(b, "%sdecodeNullable(d, &v.%s, %s)\n", indent, f.name, f.typ.decode)
	case f.typ.shape == isList:
		fmt.Fprintf(b, "%s%s(d, &v.%s, %s)\n", indent, f.sliceFunc(), f.name, f.typ.elem.decode)
	case f.typ.shape == isMap:
		fmt.Fprintf(b, "%sdecodeMap(d, &v.%s, %s)\n", indent, f.name, f.typ.elem.decode)
	case f.mode == onOff:
		fmt.Fprintf(b, "%sdecodeFlag(d, &v.%s)\n", indent, f.name)
	case f.mode == pointer && f.typ.marker:
		fmt.Fprintf(b, "%sdecodeMarker(d, &v.%s, %s)\n", indent, f.name, f.typ.decode)
	case f.mode == pointer:
		fmt.Fprintf(b, "%sdecodeNew(d, &v.%s, %s)\n", indent, f.name, f.typ.decode)
	case f.typ.shape == isStruct && strings.HasPrefix(f.typ.decode, "(*"):
		_, method, _ := strings.Cut(f.typ.decode, ").")
		fmt.Fprintf(b, "%sv.%s.%s(d)\n", indent, f.name, method)
	default:
		call, _, _ := strings.Cut(f.typ.decode, "[")
		fmt.Fprintf(b, "%s%s(&v.%s, d)\n", indent, call, f.name)
	}
	if !f.forgiving {
		return
	}
	zero := "nil"
	switch f.mode {
	case clearable:
		zero = f.goType() + "{}"
	case onOff:
		zero = "false"
	case withEmpty:
		zero = f.typ.name + "{}"
	case withZero:
		zero = `""`
	}
	fmt.Fprintf(b, "%sif d.forgive(at) {\n%s\tv.%s = %s\n%s}\n", indent, indent, f.name, zero, indent)
}

func (f *field) sliceFunc() string {
	if f.loose {
		return "decodeSliceLoose"
	}
	return "decodeSlice"
}

func writeUnionDecoder(b *bytes.Buffer, u *union) {
	fmt.Fprintf(b, "func decode%s(to *%s, d *decoder) {\n\tkind, found := d.tag(%q)\n", u.name, u.name, u.tag)
	b.WriteString("\tswitch {\n")
	for _, v := range u.variants {
		cond := fmt.Sprintf("string(kind) == %q", v.kind)
		if !u.tagged && v.kind == u.fallback {
			cond = "!found || " + cond
		}
		fmt.Fprintf(b, "\tcase %s:\n\t\tv := new(%s)\n\t\tv.decode(d)\n\t\t*to = v\n", cond, v.name)
	}
	if u.tagged {
		fmt.Fprintf(b, "\tcase !found && d.strict:\n\t\td.missing(%q)\n", u.tag)
	}
	b.WriteString("\tdefault:\n")
	if u.respelt {
		fmt.Fprintf(b, "\t\tif !d.strict && respelt%s(d, string(kind), to) {\n\t\t\treturn\n\t\t}\n", u.name)
	}
	b.WriteString("\t\tif v := d.unknown(kind); v != nil {\n\t\t\t*to = v\n\t\t}\n\t}\n}\n\n")
}

func (m *model) writeEncoders(b *bytes.Buffer) {
	for _, s := range m.sorted() {
		m.writeEncoder(b, s)
		fmt.Fprintf(b, "// MarshalJSON writes v as [Marshal] does.\nfunc (v %s) MarshalJSON() ([]byte, error) { return marshal(&v) }\n\n", s.name)
	}
	for _, u := range m.unions {
		fmt.Fprintf(b, "func encode%s(v *%s, e *encoder) {\n\tif *v == nil {\n\t\te.nilUnion(%q)\n\t\treturn\n\t}\n\t(*v).encode(e)\n}\n\n", u.name, u.name, u.name)
	}
}

func (m *model) writeEncoder(b *bytes.Buffer, s *structure) {
	text := m.tagged[s.name]
	switch {
	case s.embeds != "":
		fmt.Fprintf(b, "func (v *%s) encode(e *encoder) {\n\te.open()\n\te.member(`%s`)\n\tv.encodeMembers(e)\n\te.close()\n}\n\n", s.name, text)
		return
	case m.bare[s.name]:
		name := "encode"
		if text != "" {
			fmt.Fprintf(b, "func (v *%s) encode(e *encoder) {\n\te.open()\n\te.member(`%s`)\n\tv.encodeMembers(e)\n\te.close()\n}\n\n", s.name, text)
			name = "encodeBare"
		}
		fmt.Fprintf(b, "func (v *%s) %s(e *encoder) {\n\te.open()\n\tv.encodeMembers(e)\n\te.close()\n}\n\n", s.name, name)
		fmt.Fprintf(b, "func (v *%s) encodeMembers(e *encoder) {\n", s.name)
	default:
		fmt.Fprintf(b, "func (v *%s) encode(e *encoder) {\n\te.open()\n", s.name)
		if text != "" {
			fmt.Fprintf(b, "\te.member(`%s`)\n", text)
		}
	}
	for _, f := range s.fields {
		f.writeEncode(b)
	}
	if s.hasMeta {
		b.WriteString("\te.optional(`\"_meta\":`, v.Meta)\n")
	}
	b.WriteString("\te.extra(v.Extra)\n")
	if !m.bare[s.name] {
		b.WriteString("\te.close()\n")
	}
	b.WriteString("}\n\n")
}

func (f *field) writeEncode(b *bytes.Buffer) {
	name, key := "v."+f.name, fmt.Sprintf("`%q:`", f.json)
	value := fmt.Sprintf("%s(&%s, e)", f.typ.encode, name)
	switch f.typ.shape {
	case isList:
		value = fmt.Sprintf("encodeSlice(e, %s, %s)", name, f.typ.elem.encode)
	case isMap:
		value = fmt.Sprintf("encodeMap(e, %s, %s)", name, f.typ.elem.encode)
	case isStruct:
		if _, method, ok := strings.Cut(f.typ.encode, ")."); ok {
			value = fmt.Sprintf("%s.%s(e)", name, method)
		}
	}
	condition := name + " != nil"
	switch f.mode {
	case required:
		fmt.Fprintf(b, "\te.member(%s)\n\t%s\n", key, value)
		return
	case raw:
		fmt.Fprintf(b, "\te.optional(%s, %s)\n", key, name)
		return
	case clearable:
		encode := f.typ.encode
		if f.typ.shape == isList {
			encode = fmt.Sprintf("func(all *%s, e *encoder) { encodeSlice(e, *all, %s) }", f.typ.name, f.typ.elem.encode)
		}
		fmt.Fprintf(b, "\tencodeNullable(e, %s, &%s, %s)\n", key, name, encode)
		return
	case withEmpty:
		fmt.Fprintf(b, "\tencodeDefault(e, %s, &%s, %s)\n", key, name, f.typ.encode)
		return
	case onOff:
		condition = name
	case withZero:
		condition = name + ` != ""`
	case pointer:
		if f.typ.shape != isStruct {
			value = fmt.Sprintf("%s(%s, e)", f.typ.encode, name)
		}
	}
	fmt.Fprintf(b, "\tif %s {\n\t\te.member(%s)\n\t\t%s\n\t}\n", condition, key, value)
}
