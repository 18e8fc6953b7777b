package main

import (
	"bufio"
	_ "embed"
	"fmt"
	"strings"
)

//go:embed docs.txt
var docsText string

// docs are the comments of the generated code: one line each, the name, a blank, the text. Type.member is about one
// member, *.member about every member of that name.
type docs map[string]string

func readDocs() (docs, error) {
	d := docs{}
	lines := bufio.NewScanner(strings.NewReader(docsText))
	for n := 1; lines.Scan(); n++ {
		line := strings.TrimSpace(lines.Text())
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		name, text, ok := strings.Cut(line, " ")
		if !ok || d[name] != "" {
			return nil, fmt.Errorf("docs.txt:%d: want a name that is not there yet, a blank and a text", n)
		}
		d[name] = strings.TrimSpace(text)
	}
	return d, lines.Err()
}

func (d docs) of(name string) (string, error) {
	if text := d[name]; text != "" {
		return text, nil
	}
	return "", fmt.Errorf("docs.txt has no line for %s", name)
}

func (d docs) ofMember(owner, member string) string {
	if text, ok := d[owner+"."+member]; ok {
		return text
	}
	return d["*."+member]
}
