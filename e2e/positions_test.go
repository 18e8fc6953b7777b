//go:build e2e

package e2e

import (
	"slices"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

type place struct {
	Line      int `json:"line"`
	Character int `json:"character"`
}

type textEdit struct {
	Range struct {
		Start place `json:"start"`
		End   place `json:"end"`
	} `json:"range"`
	NewText string `json:"newText"`
}

// units is how many units a rune has in an encoding.
func units(r rune, enc string) int {
	if enc == "utf-8" {
		return utf8.RuneLen(r)
	}
	return utf16.RuneLen(r)
}

func position(text string, at int, enc string) place {
	p := place{Line: strings.Count(text[:at], "\n")}
	for _, r := range text[strings.LastIndexByte(text[:at], '\n')+1 : at] {
		p.Character += units(r, enc)
	}
	return p
}

func offset(text string, p place, enc string) int {
	at := 0
	for range p.Line {
		i := strings.IndexByte(text[at:], '\n')
		if i < 0 {
			return len(text)
		}
		at += i + 1
	}
	n := 0
	for i, r := range text[at:] {
		if n >= p.Character || r == '\n' {
			return at + i
		}
		n += units(r, enc)
	}
	return len(text)
}

// edited is a text with edits, which are all for the text as it is.
func edited(text string, edits []textEdit, enc string) string {
	edits = slices.Clone(edits)
	slices.SortStableFunc(edits, func(a, b textEdit) int {
		return offset(text, b.Range.Start, enc) - offset(text, a.Range.Start, enc)
	})
	out := text
	for _, x := range edits {
		out = out[:offset(text, x.Range.Start, enc)] + x.NewText + out[offset(text, x.Range.End, enc):]
	}
	return out
}
