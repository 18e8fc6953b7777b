package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"

	"github.com/go-json-experiment/json/jsontext"
)

// node is a JSON value of the schema that remembers the order of members: the generated fields keep it.
type node struct {
	names   []string
	members map[string]*node
	items   []*node
	text    string
	isText  bool
	flag    bool
	raw     string
}

// get walks down the members; nil when there is none. A nil node has no members.
func (n *node) get(path ...string) *node {
	for _, name := range path {
		if n == nil {
			return nil
		}
		n = n.members[name]
	}
	return n
}

func (n *node) has(name string) bool { return n.get(name) != nil }

func (n *node) str(name string) string {
	if m := n.get(name); m != nil {
		return m.text
	}
	return ""
}

func (n *node) on(name string) bool {
	m := n.get(name)
	return m != nil && m.flag
}

func (n *node) list(name string) []*node {
	if m := n.get(name); m != nil {
		return m.items
	}
	return nil
}

func parse(data []byte) (*node, error) {
	dec := jsontext.NewDecoder(bytes.NewReader(data))
	n, err := parseValue(dec)
	if err != nil {
		return nil, fmt.Errorf("parse the schema: %w", err)
	}
	if _, err := dec.ReadToken(); !errors.Is(err, io.EOF) {
		return nil, fmt.Errorf("parse the schema: something follows it")
	}
	return n, nil
}

func parseValue(dec *jsontext.Decoder) (*node, error) {
	switch dec.PeekKind() {
	case '{':
		return parseObject(dec)
	case '[':
		return parseArray(dec)
	}
	raw, err := dec.ReadValue()
	if err != nil {
		return nil, err
	}
	n := &node{raw: string(raw), flag: string(raw) == "true"}
	if raw.Kind() == '"' {
		text, err := jsontext.AppendUnquote(nil, raw)
		if err != nil {
			return nil, err
		}
		n.text, n.isText = string(text), true
	}
	return n, nil
}

func parseObject(dec *jsontext.Decoder) (*node, error) {
	if _, err := dec.ReadToken(); err != nil {
		return nil, err
	}
	n := &node{members: map[string]*node{}}
	for dec.PeekKind() != '}' {
		name, err := dec.ReadToken()
		if err != nil {
			return nil, err
		}
		key := name.String()
		value, err := parseValue(dec)
		if err != nil {
			return nil, err
		}
		n.names = append(n.names, key)
		n.members[key] = value
	}
	_, err := dec.ReadToken()
	return n, err
}

func parseArray(dec *jsontext.Decoder) (*node, error) {
	if _, err := dec.ReadToken(); err != nil {
		return nil, err
	}
	n := &node{}
	for dec.PeekKind() != ']' {
		value, err := parseValue(dec)
		if err != nil {
			return nil, err
		}
		n.items = append(n.items, value)
	}
	_, err := dec.ReadToken()
	return n, err
}

// print renders a definition without its descriptions, for fingerprints.
func (n *node) print(b *bytes.Buffer, properties bool) {
	switch {
	case n.members != nil:
		b.WriteByte('{')
		for _, name := range n.names {
			if name == "description" && !properties {
				continue
			}
			fmt.Fprintf(b, "%q:", name)
			n.members[name].print(b, name == "properties")
			b.WriteByte(',')
		}
		b.WriteByte('}')
	case n.raw != "":
		b.WriteString(n.raw)
	default:
		b.WriteByte('[')
		for _, item := range n.items {
			item.print(b, false)
			b.WriteByte(',')
		}
		b.WriteByte(']')
	}
}
