package main

import (
	"strings"
	"unicode"
)

// initialisms are written in capitals in Go names.
var initialisms = map[string]string{
	"Id": "ID", "Uri": "URI", "Url": "URL", "Mcp": "MCP", "Http": "HTTP", "Sse": "SSE", "Fs": "FS", "Mime": "MIME",
}

// goName turns sessionId, session_info_update, fs/read_text_file, _meta and McpServerHttp into Go names.
func goName(name string) string {
	var b strings.Builder
	for _, word := range words(name) {
		word = strings.ToUpper(word[:1]) + word[1:]
		if whole, ok := initialisms[word]; ok {
			word = whole
		}
		if plural, ok := initialisms[strings.TrimSuffix(word, "s")]; ok && strings.HasSuffix(word, "s") && word != "Sse" && len(word) > 2 {
			word = plural + "s"
		}
		b.WriteString(word)
	}
	return b.String()
}

// words splits at separators and before capitals.
func words(name string) []string {
	var all []string
	var word []rune
	flush := func() {
		if len(word) > 0 {
			all = append(all, string(word))
		}
		word = nil
	}
	for _, r := range name {
		switch {
		case strings.ContainsRune("_/-$ ", r):
			flush()
			continue
		case unicode.IsUpper(r):
			flush()
		}
		word = append(word, r)
	}
	flush()
	return all
}
