package main

import (
	"bytes"
	"fmt"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// node is a JSON value of the schema that remembers the order of members: the generated fields keep it.
type node struct {
	names   []string
	members map[string]*node
	items   []*node
	text    string
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
	n := new(node)
	if err := json.Unmarshal(data, n); err != nil {
		return nil, fmt.Errorf("parse the schema: %w", err)
	}
	return n, nil
}

// UnmarshalJSONFrom reads a value of any kind.
func (n *node) UnmarshalJSONFrom(dec *jsontext.Decoder) error {
	switch dec.PeekKind() {
	case '{':
		return n.object(dec)
	case '[':
		return json.UnmarshalDecode(dec, &n.items)
	}
	raw, err := dec.ReadValue()
	if err != nil {
		return err
	}
	n.raw, n.flag = string(raw), string(raw) == "true"
	if raw.Kind() == '"' {
		return json.Unmarshal(raw, &n.text)
	}
	return nil
}

func (n *node) object(dec *jsontext.Decoder) error {
	if _, err := dec.ReadToken(); err != nil {
		return err
	}
	n.members = map[string]*node{}
	for dec.PeekKind() != '}' {
		name, err := dec.ReadToken()
		if err != nil {
			return err
		}
		key, value := name.String(), new(node)
		if err := value.UnmarshalJSONFrom(dec); err != nil {
			return err
		}
		n.names = append(n.names, key)
		n.members[key] = value
	}
	_, err := dec.ReadToken()
	return err
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
