package main

import (
	"fmt"
	"strings"
)

// luaPrefix is that of the classes.
const luaPrefix = "copilot-bridge.wire."

// lua is the model as LuaCATS annotations. Types that are encoded elsewhere are tables, with their name in the comment.
func (m *model) lua() string {
	var b strings.Builder
	fmt.Fprintf(&b, "---@meta\n-- %s\n", notice)
	for _, o := range m.structs {
		b.WriteString("\n")
		if o.doc != "" {
			fmt.Fprintf(&b, "---%s\n", o.doc)
		}
		fmt.Fprintf(&b, "---@class %s%s", luaPrefix, o.name)
		if o.extends != "" {
			b.WriteString(": " + luaPrefix + o.extends)
		}
		b.WriteString("\n")
		for _, f := range o.members {
			mark := ""
			if f.optional {
				mark = "?"
			}
			doc := f.doc
			if name := f.of.foreign(); name != "" {
				doc = strings.TrimPrefix(doc+"; ACP "+name, "; ")
			}
			name := f.name
			if !plainName.MatchString(name) {
				name = fmt.Sprintf("[%q]", name)
			}
			fmt.Fprintf(&b, "---@field %s%s %s%s\n", name, mark, f.of.lua(), strings.TrimRight(" "+doc, " "))
		}
		if o.open {
			b.WriteString("---@field [string] any\n")
		}
	}
	method := func(name, doc string, list []message) {
		fmt.Fprintf(&b, "\n---%s\n---@alias %s%s\n", doc, luaPrefix, name)
		for _, msg := range list {
			types := msg.params.lua()
			if msg.result != nil {
				types += " → " + msg.result.lua()
			}
			fmt.Fprintf(&b, "---| %q # %s\n", msg.method, types)
		}
	}
	method("Request", "Requests to the server, without the prefix.", m.verbs)
	method("ServerRequest", "Requests from the server, without the prefix.", m.asked)
	method("Notification", "Notifications from the server, without the prefix.", m.told)
	method("ClientNotification", "Notifications to the server, without the prefix.", m.heard)
	b.WriteString("\n---Codes of the bridge's own errors; docs/dev/protocol.md, errors.\n---@alias " + luaPrefix + "ErrorCode\n")
	for _, c := range m.codes {
		fmt.Fprintf(&b, "---| %s # %s\n", c.value, c.name)
	}
	return b.String()
}

// foreign is the name of a type that is encoded elsewhere, "" for others.
func (r *ref) foreign() string {
	switch {
	case r.kind == kindList:
		return r.elem.foreign()
	case r.kind == kindElsewhere && !strings.Contains(r.name, "|"):
		return r.name
	}
	return ""
}

func (r *ref) lua() string {
	text := ""
	switch r.kind {
	case kindString:
		text = "string"
	case kindNumber:
		text = "number"
	case kindInteger:
		text = "integer"
	case kindBool:
		text = "boolean"
	case kindAny:
		return "any"
	case kindEmpty:
		text = "{}"
	case kindEnum:
		if text = strings.ReplaceAll(union(r.words), " ", ""); r.open {
			text += "|string"
		}
	case kindList:
		text = r.elem.lua()
		if strings.Contains(text, "|") {
			text = "(" + text + ")"
		}
		text += "[]"
	case kindMap:
		text = "table<string, " + r.elem.lua() + ">"
	case kindObject:
		text = luaPrefix + r.name
	case kindElsewhere:
		if text = "table"; strings.Contains(r.name, "|") {
			text = strings.ReplaceAll(r.name, " ", "")
		}
	}
	if r.null {
		text += "|vim.NIL"
	}
	return text
}
